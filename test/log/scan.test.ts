// Numbers of a log are counted without parsing most lines; they are the same as those of records that were parsed one by one.
import { appendFileSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSegment, packInto } from '../../src/log/files/segment.js';
import { newestFirst, oldestFirst, type RecordFilter } from '../../src/log/read/query.js';
import { jsonLine } from '../../src/log/record/json-line.js';
import type { EventRecord, LogRecord } from '../../src/log/record/record.js';
import { eventRecordOf, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import type { RecordNumbers } from '../../src/log/scan/record-counter.js';
import { scanLog, scanLogBackward } from '../../src/log/scan/scan.js';
import { statsOfLog } from '../../src/log/stats.js';
import { seed } from '../seed.js';
import { context, NOON, sample, stateDirectory } from './sample.js';
import { type Chance, chance } from './secrets.js';

const test = suite('scan');

/** The numbers that do not depend on how a log is read, from records that were parsed one by one. */
function counted(state: string, filter: RecordFilter) {
  const counts = {
    records: 0,
    ungated: 0,
    observed: 0,
    notes: [] as string[],
    times: [] as string[],
    sessions: new Set<string>(),
  };
  const names = new Map<string, number>();
  const decided = new Set<string>();
  const add = (group: string, name: string) => names.set(`${group} ${name}`, (names.get(`${group} ${name}`) ?? 0) + 1);
  for (const found of oldestFirst(state, filter)) {
    if ('note' in found) {
      counts.notes.push(`${found.note.offset} ${found.note.problem}`);
      continue;
    }
    const { record } = found;
    counts.records += 1;
    counts.times.push(record.time);
    if (record.session !== null) counts.sessions.add(record.session);
    if (record.kind === 'event') add('event', record.event);
    else if (record.kind === 'result') {
      add('result', record.result);
      const call = JSON.stringify([record.session ?? '', record.toolUseId]);
      if (record.toolUseId !== null && !decided.has(call)) counts.ungated += 1;
    } else {
      add('decision', record.would ?? record.decision);
      add('tool', record.canonical === '' ? record.tool : record.canonical);
      add('agent', record.agent ?? 'main agent');
      add('runner', record.runner ?? 'unknown');
      if (record.rule !== null) add('rule', `${record.rule.text} (${record.rule.effect}, ${record.rule.layer})`);
      if (record.mode === 'observe') counts.observed += 1;
      decided.add(JSON.stringify([record.session ?? '', record.toolUseId]));
    }
  }
  const { times, sessions, ...numbers } = counts;
  times.sort();
  return { ...numbers, sessions: sessions.size, span: [times[0] ?? null, times.at(-1) ?? null], names: [...names].sort() };
}

/** The same from the numbers of the program. */
function scanned(state: string, filter: RecordFilter) {
  const notes: string[] = [];
  const stats = statsOfLog(state, filter, ({ offset, problem }) => notes.push(`${offset} ${problem}`));
  const { records, ungated, observed, sessions, first, last } = stats;
  const groups = [
    ...Object.entries(stats.decisions).map(([name, count]) => [`decision ${name}`, count] as const),
    ...Object.entries(stats.results).map(([name, count]) => [`result ${name}`, count] as const),
    ...(['event', 'tool', 'agent', 'rule', 'runner'] as const).flatMap((group) =>
      stats[`${group}s`].map(([name, count]) => [`${group} ${name}`, count] as const),
    ),
  ];
  const names = groups.filter(([, count]) => count > 0).sort();
  return { records, ungated, observed, notes, sessions, span: [first, last], names };
}

/** Texts that look like parts of a record, need escapes, or are not of ASCII. */
const TEXTS = [
  'git status',
  '{"v":1,"id":"',
  '","kind":"decision","decision":"allow","toolUseId":"toolu_1',
  '"}\n{"v":1,"kind":"result"}',
  '\\"\\\\',
  'über\u202e\u0007\x7f',
  '\ud83d\ude00'.repeat(200),
  'x'.repeat(600),
  '',
];
const INPUTS: readonly unknown[] = [
  ...TEXTS.map((command) => ({ command, '","kind":"event"': [command, { command }] })),
  { '2': 1, '1': [true, false, null, -0.5, 1e30, 1e-7, 0], nested: [[[[[]]]], {}] },
  { deep: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) },
];

/** A record as some hook might have written it. */
function anyRecord(roll: Chance, index: number): LogRecord {
  const one = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  const time = NOON + index * 1_000 + roll(90_000);
  const { agent: _, ...usual } = context.call;
  const agent = one([null, 'cleaner', 'réviewer "x"']);
  const call = {
    ...usual,
    ...(agent !== null && { agent }),
    tool: one(['Bash', 'Read', 'mcp__a__b', one(TEXTS)]),
    input: one(INPUTS) as Readonly<Record<string, unknown>>,
  };
  const changes = {
    time,
    id: newRecordId(time),
    session: one([null, '', 's', 'session-1', 'session-2', 'policy-doctor-0-0', one(TEXTS)]),
    project: one(['/home/ann/desk', '/srv/x']),
    ...(roll(4) === 0 && { run: one(['1a2b-3c4d-0123456789abcdef', one(TEXTS)]) }),
    toolUseId: one([null, 'toolu_1', `toolu_${index - roll(5)}`, 'a"b', one(TEXTS)]),
    call,
  };
  const kind = roll(10);
  if (kind === 0)
    return eventRecordOf(
      { event: one(['run.overlap', 'lock.stale']), severity: 'warning', message: one(TEXTS) },
      { ...context, ...changes },
      call,
    );
  if (kind < 5)
    return resultRecordOf(
      {
        result: one(['success', 'error', 'denied'] as const),
        canonical: one(['Bash', 'Read', '']),
        message: one([null, ...TEXTS]),
        microseconds: one([null, 0, 1, index]),
      },
      { ...context, ...changes },
    );
  const effect = one(['allow', 'ask', 'deny'] as const);
  const rule = { text: `Bash(${one(TEXTS)})`, effect, layer: 'project', file: 'policy.yaml', line: roll(9), column: 5 } as const;
  return sample(
    { ...changes, mode: one(['enforce', 'enforce', 'observe']), microseconds: roll(100_000) },
    {
      decision: effect,
      rule: one([null, rule]),
      reasons: TEXTS.slice(0, roll(3)).map((code) => ({ code, message: code })),
      message: one(TEXTS),
      call: { tool: call.tool, canonical: one(['Bash', 'Read', '']), agent: null, runner: null },
    },
  );
}

/** The bytes of a line, sometimes damaged in one of the ways that happen, or that somebody who wants to hide a record would try. */
function damaged(roll: Chance, line: string): Buffer {
  const bytes = Buffer.from(line);
  const at = roll(bytes.length);
  const cut = roll(16);
  if (cut === 0) return bytes.subarray(0, at);
  if (cut === 1) bytes[at] = roll(256);
  if (cut === 2) return Buffer.from(line.replace('"kind":', '"kind":"event","kind":'));
  if (cut === 3) return Buffer.from(line.replaceAll(',"', ', "'));
  if (cut === 4) return Buffer.from(line.replace('"v":1', `"v":${roll(4)}`));
  if (cut === 5)
    return Buffer.from(line.replace(/"us":\d+/, `"us":${['01', '-1', '1e3', '1.5', '9'.repeat(20), 'null'][roll(6)]}`));
  if (cut === 6)
    return Buffer.from(
      line.replace(
        /"input":.*?,"masked"/,
        `"input":${['{,}', '[1,]', '01', '"a', '{"a" :1}', 'tru', '1.', '"\\x"', '-'][roll(9)]},"masked"`,
      ),
    );
  if (cut === 8) return Buffer.from(`${line}${['}', ' ', 'x', '\0'][roll(4)]}`);
  if (cut === 9) return Buffer.from(line.replace(/"message":"/, `$&${'y'.repeat(400)}`));
  if (cut === 10) return Buffer.from(line.replace(/"(input|message)":[{]?"/, '$&\tn'));
  if (cut === 11) return Buffer.from(line.replace(/hmac-sha256:./, `hmac-sha256:${['g', '/', ':', '@', '`', 'A'][roll(6)]}`));
  if (cut === 7) return Buffer.concat([bytes.subarray(0, at), bytes]);
  return bytes;
}

function writtenLog(state: string, lines: readonly Buffer[]): void {
  mkdirSync(`${state}/log`, { recursive: true, mode: 0o700 });
  const file = `${state}/log/decisions-2026-01-31.jsonl`;
  writeFileSync(file, '', { mode: 0o600 });
  appendFileSync(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])).subarray(0, -1));
}

/** Puts a file of the log away as sealing does. */
function packed(from: string, to: string): void {
  writeFileSync(to, '', { mode: 0o600 });
  const [segment, descriptor] = [openSegment(from), openSync(to, 'r+')];
  packInto(to, descriptor, segment, () => true);
  segment.close();
  closeSync(descriptor);
  rmSync(from);
}

const FILTERS: readonly RecordFilter[] = [
  {},
  { session: 'session-1' },
  { project: '/srv/x', kind: 'decision' },
  { agent: 'réviewer "x"', decision: 'deny' },
  { tool: 'bash', since: NOON + 300_000, until: NOON + 600_000 },
  { rule: 'git', withoutTrials: true },
];

test('random, torn and hostile lines count as if each had been parsed', () => {
  const roll = chance(seed);
  const records = Array.from({ length: 900 }, (_, index) => jsonLine(anyRecord(roll, index)));
  const lines = records.map((line) => damaged(roll, line));
  lines.splice(500, 0, Buffer.from(`"${'x'.repeat(300_000)}`), Buffer.from(''), Buffer.from(jsonLine(sample())));
  const state = stateDirectory();
  writtenLog(state, lines);
  for (const filter of FILTERS) assert.equal(scanned(state, filter), counted(state, filter), JSON.stringify(filter));
  const plain = scanned(state, {});
  mkdirSync(`${state}/log/sealed`, { mode: 0o700 });
  packed(`${state}/log/decisions-2026-01-31.jsonl`, `${state}/log/sealed/decisions-2026-01-31.s1.jsonl.gz`);
  assert.equal(scanned(state, {}), plain, 'packed');
  assert.ok(scanned(state, {}).records > 400 && scanned(state, {}).notes.length > 50);
});

/** Ids of all records, newest first, as a scan of the log from its end finds them. */
function scannedBackward(state: string, most = Number.POSITIVE_INFINITY): string[] {
  const ids: string[] = [];
  const counter = {
    sessionOf: () => null,
    callerOf: () => null,
    rulingOf: () => null,
    toolOf: () => null,
    add: (_session: null, _caller: null, _ruling: null, _tool: null, { record }: RecordNumbers) => ids.push(record()?.id ?? ''),
    addEvent: ({ id }: EventRecord) => ids.push(id),
  };
  scanLogBackward(state, {}, counter, () => ids.length >= most);
  return ids;
}

test('from the end, past lines that are longer than what is read at once', () => {
  const roll = chance(seed);
  const state = stateDirectory();
  const lines = Array.from({ length: 1_200 }, (_, index) => Buffer.from(jsonLine(anyRecord(roll, index))));
  for (const [at, length] of [
    [0, 600_000],
    [300, 262_144],
    [301, 262_145],
    [500, 1_500_000],
    [501, 700_000],
    [900, 530_000],
  ] as const)
    lines.splice(at, 0, Buffer.alloc(length, 'x'));
  writtenLog(state, [...lines, Buffer.from('torn')]);
  const expected = [...newestFirst(state)].flatMap((found) => ('record' in found ? [found.record.id] : []));
  assert.equal(scannedBackward(state), expected);
  assert.is(expected.length, 1_200);
  assert.equal(scannedBackward(state, 7), expected.slice(0, 7));
  assert.ok(scannedBackward(state, 0).length === 0);
});

test('from the end, a piece of a line that is too long is no record', () => {
  const state = stateDirectory();
  const [first, hidden] = [sample(), sample({ time: NOON + 1 })];
  // What is read at once begins behind the record that the long line begins with.
  const long = `${jsonLine(hidden)}${'x'.repeat(2 * 262_144 - 1)}`;
  writtenLog(
    state,
    [jsonLine(first), long, ''].map((text) => Buffer.from(text)),
  );
  assert.equal(scannedBackward(state), [first.id]);
});

test('a line is parsed only when it holds something new', () => {
  const state = stateDirectory();
  const lines = Array.from({ length: 2_000 }, (_, index) => {
    const changes = { time: NOON + 7 * index, toolUseId: `toolu_${index}`, session: `session-${index % 100}` };
    const input = { command: `${TEXTS[1]}${index}`, description: 'x'.repeat(index % 100) };
    return Buffer.from(jsonLine(sample({ ...changes, call: { ...context.call, input } })));
  });
  writtenLog(state, [...lines, Buffer.from('')]);
  let [parsed, added] = [0, 0];
  const counter = {
    sessionOf: () => null,
    callerOf: () => null,
    rulingOf: () => null,
    toolOf: () => {
      parsed += 1;
    },
    add: () => {
      added += 1;
    },
    addEvent: () => assert.unreachable(),
  };
  scanLog(state, {}, counter, ({ problem }) => assert.unreachable(problem));
  assert.is(added, 2_000);
  assert.ok(parsed < 10, `${parsed} lines were parsed`);
});

test.run();
