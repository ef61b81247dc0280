// Reading the log back: order, filters, and what is not a record.
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendRecord } from '../../src/log/append.js';
import { LogError } from '../../src/log/files/log-error.js';
import { linesBackward, linesForward } from '../../src/log/files/log-files.js';
import { appendedSince, logEnds, newestFirst, oldestFirst, type RecordFilter, recordsById } from '../../src/log/read/query.js';
import { jsonLine } from '../../src/log/record/json-line.js';
import { eventRecordOf, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { momentOf } from '../../src/log/record/time-span.js';
import { context, NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('query');
const DAY = 86_400_000;

/** The commands of the records found, and the problems of the notes. */
function found(state: string, filter: RecordFilter = {}): string[] {
  return [...newestFirst(state, filter)].map((read) => {
    if ('note' in read) return `! ${read.note.problem}`;
    const { record } = read;
    if (record.kind === 'event') return record.event;
    const input = record.input as { readonly command?: string };
    return `${record.kind === 'result' ? '→ ' : ''}${input.command}`;
  });
}

/** A log of three days and five kinds of records; each command says what is special about its record. */
function filledLog(): string {
  const state = stateDirectory();
  const call = context.call;
  const put = (time: number, command: string, changes = {}, decision = {}) =>
    appendRecord(state, sample({ time, call: { ...call, input: { command } }, ...changes }, decision));
  put(NOON - DAY, 'yesterday');
  put(NOON, 'denied');
  put(NOON + 1_000, 'allowed', {}, { decision: 'allow', rule: null });
  put(NOON + 2_000, 'observed', { mode: 'observe' });
  put(NOON + 3_000, 'of another', { call: { ...call, agent: 'r\u00e9viewer "x"', input: { command: 'of another' } } });
  put(
    NOON + 4_000,
    'read',
    { call: { ...call, tool: 'view', input: { command: 'read' } } },
    { call: { tool: 'view', canonical: 'Read', agent: null, runner: null } },
  );
  put(NOON + 5_000, 'elsewhere', { project: '/srv/x', session: 'session-2' });
  const origin = { ...context, time: NOON + 6_000, id: newRecordId(NOON + 6_000) };
  appendRecord(
    state,
    resultRecordOf(
      { result: 'success', canonical: 'Bash', message: null, microseconds: 5 },
      { ...origin, call: { ...call, input: { command: 'denied' } } },
    ),
  );
  appendRecord(
    state,
    eventRecordOf(
      { event: 'run.overlap', severity: 'warning', message: 'two at once' },
      { ...origin, id: newRecordId(NOON + 7_000), time: NOON + 7_000 },
      {},
    ),
  );
  put(NOON + DAY, 'tomorrow');
  return state;
}

const filled = filledLog();
const everything = [
  'tomorrow',
  'run.overlap',
  '→ denied',
  'elsewhere',
  'read',
  'of another',
  'observed',
  'allowed',
  'denied',
  'yesterday',
];
const filters: readonly (readonly [what: string, filter: RecordFilter, expected: readonly string[]])[] = [
  ['no filter, newest first', {}, everything],
  ['allowed, not what was only observed', { decision: 'allow' }, ['allowed']],
  ['a session', { session: 'session-2' }, ['elsewhere']],
  ['a project', { project: '/srv/x' }, ['elsewhere']],
  ['an agent whose name JSON escapes', { agent: 'r\u00e9viewer "x"' }, ['of another']],
  ['a tool as it was called, in any case', { tool: 'VIEW' }, ['read']],
  ['a tool by its canonical name', { tool: 'read' }, ['read']],
  ['a kind', { kind: 'event' }, ['run.overlap']],
  ['since', { since: NOON + 6_500 }, ['tomorrow', 'run.overlap']],
  ['until', { until: NOON }, ['denied', 'yesterday']],
  ['both', { since: NOON, until: NOON + 1_000 }, ['allowed', 'denied']],
  ['a part of a rule', { rule: 'rm -rf', since: NOON + DAY }, ['tomorrow']],
  ['a rule that decided nothing', { rule: 'git push' }, []],
  ['several at once', { decision: 'deny', session: 'session-1', since: NOON, until: NOON + 2_500 }, ['observed', 'denied']],
];
for (const [what, filter, expected] of filters)
  test(`filter: ${what}`, () => {
    assert.equal(found(filled, filter), expected);
  });

test('a log that does not exist holds nothing', () => {
  assert.equal(found(stateDirectory()), []);
  assert.equal(recordsById(stateDirectory(), '0000', 5), []);
});

test('files that are not ours are left alone', () => {
  const state = filledLog();
  for (const name of ['notes.txt', 'decisions-2026-01-31.jsonl.bak', 'decisions-2026-01-31-01.jsonl', 'other.jsonl'])
    writeFileSync(join(state, 'log', name), 'x\n');
  assert.equal(found(state), everything);
});

test('a torn last line is noted and the rest is read', () => {
  const state = filledLog();
  const file = join(state, 'log', 'decisions-2026-02-01.jsonl');
  appendFileSync(file, readFileSync(file, 'utf8').slice(0, 300));
  assert.equal(found(state), ['! the last record is not complete', ...everything]);
});

test('a record written behind a torn one is found, and the lost one noted', () => {
  const state = stateDirectory();
  const file = appendRecord(state, sample(withInput({ command: 'lost', nested: { v: 1, id: 'x' } })));
  truncateSync(file, readFileSync(file).length - 40);
  appendRecord(state, sample(withInput({ command: 'next', nested: { v: 1, id: 'x' } })));
  appendRecord(state, sample(withInput({ command: 'last' })));
  assert.equal(found(state), ['last', 'next', '! a record was cut off before the next one']);
});

const foreign: readonly (readonly [what: string, line: string])[] = [
  ['an empty object', '{}'],
  ['a number', '1'],
  ['text', 'hello'],
  ['a record with a wrong member', jsonLine({ ...sample(), cwd: 1 })],
  ['a record with one member more', jsonLine({ ...sample(), __proto__x: 1 })],
  ['bytes that are no text', '\u0000\ufffd'],
  ['braces without end', '{'.repeat(10_000)],
  ['many beginnings', '{"v":1,"id":"'.repeat(5_000)],
];
for (const [what, line] of foreign)
  test(`a line that is ${what} is noted, the others are read`, () => {
    const state = stateDirectory();
    const file = appendRecord(state, sample(withInput({ command: 'before' })));
    appendFileSync(file, `${line}\n`);
    appendRecord(state, sample(withInput({ command: 'after' })));
    assert.equal(found(state), ['after', '! the line is not a record', 'before']);
  });

test('a line longer than any record is passed over without being kept', () => {
  const state = stateDirectory();
  const file = appendRecord(state, sample(withInput({ command: 'before' })));
  appendFileSync(file, `${'x'.repeat(5_000_000)}\n`);
  appendRecord(state, sample(withInput({ command: 'after' })));
  assert.equal(found(state), ['after', '! the line is longer than any record', 'before']);
});

test('a link in place of a log file is not followed', () => {
  const state = stateDirectory();
  mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
  symlinkSync('/etc/hostname', join(state, 'log', 'decisions-2026-01-31.jsonl'));
  assert.throws(
    () => found(state),
    (error: unknown) => error instanceof LogError && error.code === 'log/file',
  );
});

test('lines backwards are the lines forwards, turned round, wherever the chunks end', () => {
  const file = join(stateDirectory(), '..');
  mkdirSync(file, { recursive: true });
  const path = join(file, 'lines');
  for (const sizes of [
    [65_535, 1, 0, 65_536],
    [65_534, 65_536, 3],
    [131_071, 131_072, 0, 0, 5],
    [1, 65_536 * 3, 1],
  ]) {
    writeFileSync(path, sizes.map((size, index) => `${'abc'[index % 3]?.repeat(size)}\n`).join(''));
    const forward = [...linesForward(path, 0)].filter(({ text }) => text !== '');
    assert.equal(
      forward.map(({ text }) => text?.length),
      sizes.filter((size) => size > 0),
    );
    assert.equal([...linesBackward(path)].reverse(), forward);
  }
});

test('records by id, and by how an id begins', () => {
  const state = stateDirectory();
  const ids = Array.from({ length: 5 }, (_, index) => {
    const record = sample({ time: NOON + index * 10 });
    appendRecord(state, record);
    return record.id;
  });
  const [first = ''] = ids;
  assert.equal(
    recordsById(state, first, 5).map(({ id }) => id),
    [first],
  );
  assert.equal(
    recordsById(state, first.slice(0, 8), 10).map(({ id }) => id),
    [...ids].reverse(),
  );
  assert.is(recordsById(state, first.slice(0, 8), 2).length, 2);
  assert.equal(recordsById(state, 'ffff', 5), []);
});

test('an id in an input is no id of the record', () => {
  const state = stateDirectory();
  const wanted = sample();
  appendRecord(state, wanted);
  appendRecord(state, sample(withInput({ v: 1, id: wanted.id, nested: { v: 1, id: wanted.id } })));
  assert.equal(
    recordsById(state, wanted.id, 5).map((record) => jsonLine(record)),
    [jsonLine(wanted)],
  );
});

test('what is appended comes once and in order, also in a new file; a record being written comes when it is whole', () => {
  const state = filledLog();
  const ends = logEnds(state);
  const news = () =>
    [...appendedSince(state, ends)].map((read) =>
      'record' in read && read.record.kind === 'decision' ? jsonLine(read.record.input) : 'note',
    );
  assert.equal(news(), []);
  const file = appendRecord(state, sample({ time: NOON + DAY, ...withInput({ a: 1 }) }));
  appendRecord(state, sample({ time: NOON + 2 * DAY, ...withInput({ a: 2 }) }));
  assert.equal(news(), ['{"a":1}', '{"a":2}']);
  const line = `${jsonLine(sample(withInput({ a: 3 })))}\n`;
  appendFileSync(file, line.slice(0, 100));
  assert.equal(news(), []);
  appendFileSync(file, line.slice(100));
  assert.equal(news(), ['{"a":3}']);
  assert.equal(news(), []);
});

test('20,000 records are read with bounded memory', () => {
  const state = stateDirectory();
  const file = appendRecord(state, sample());
  appendFileSync(file, readFileSync(file, 'utf8').repeat(20_000));
  let [count, most] = [0, 0];
  const before = process.memoryUsage().heapUsed;
  for (const _ of newestFirst(state, { session: 'none of them' })) count += 1;
  for (const _ of newestFirst(state)) {
    count += 1;
    if (count % 1_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  assert.is(count, 20_001);
  assert.ok(most < 100 * 1024 * 1024, `${most} bytes`);
});

const moments: readonly (readonly [text: string, start: string | null, end?: string])[] = [
  ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ['2026-01-31T08:30', '2026-01-31T08:30:00.000Z'],
  ['2026-01-31 08:30:15', '2026-01-31T08:30:15.000Z'],
  ['2026-01-31T08:30:15.5+02:00', '2026-01-31T06:30:15.500Z'],
  ['15m', '2026-01-31T11:45:00.000Z'],
  ['2h', '2026-01-31T10:00:00.000Z'],
  ['7d', '2026-01-24T12:00:00.000Z'],
  ['1w', '2026-01-24T12:00:00.000Z'],
  ['2026-13-31', null],
  ['yesterday', null],
  ['2', null],
  ['-2h', null],
  ['2026', null],
  ['', null],
];
for (const [text, start, end] of moments)
  test(`moment ${JSON.stringify(text)} → ${start}`, () => {
    const iso = (edge: 'start' | 'end') => {
      const moment = momentOf(text, NOON, edge);
      return moment === null ? null : new Date(moment).toISOString();
    };
    assert.is(iso('start'), start);
    assert.is(iso('end'), end ?? start);
  });

test('a record of a later version is told, and stays where it is', () => {
  const state = stateDirectory();
  const file = appendRecord(state, sample());
  appendFileSync(file, `${jsonLine({ ...sample(), v: 2 })}\n`);
  const notes = [...newestFirst(state)].flatMap((found) => ('note' in found ? [found.note.problem] : []));
  assert.equal(notes, ['the record has version 2, written by a newer policy; this one knows version 1']);
});

test('oldest first is the reverse of newest first, and tells a torn last line, too', () => {
  const state = stateDirectory();
  for (let index = 0; index < 5; index += 1) appendRecord(state, sample({ time: NOON + 86_400_000 * (index % 3) + index }));
  const file = appendRecord(state, sample({ time: NOON + 200_000_000 }));
  appendFileSync(file, '{"v":1,"id":"torn');
  const [forward, backward] = [[...oldestFirst(state)], [...newestFirst(state)]];
  assert.is(forward.length, 7);
  assert.equal(forward, backward.reverse());
});

test.run();
