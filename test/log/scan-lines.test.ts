// Property: a scan, which parses hardly any line, gives the counter exactly what JSON.parse and the schema find line by line.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hintOf, lacks, matchesFilter, type RecordFilter } from '../../src/log/read/query.js';
import { readRecord } from '../../src/log/read/read-record.js';
import { jsonLine } from '../../src/log/record/json-line.js';
import { type LogRecord, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import type { RecordCounter, RecordedRuling } from '../../src/log/scan/record-counter.js';
import { scanLog, scanLogBackward } from '../../src/log/scan/scan.js';
import { context, NOON, sample, stateDirectory } from './sample.js';

const test = suite('scan of hostile lines');

/** What a scan tells of a record: a row of plain values. */
type Row = Readonly<Record<string, unknown>>;

const rulingRow = (ruling: RecordedRuling): Row => {
  if (ruling.kind === 'result') return { kind: ruling.kind, result: ruling.result };
  const { kind, mode, decision, would, stage, rule, reasons } = ruling;
  return { kind, mode, decision, would: would ?? null, stage, rule, reasons };
};

/** Rows as JSON.parse and the schema give them, with notes of the other lines. */
function parsedRows(log: Buffer, filter: RecordFilter): string[] {
  const rows: string[] = [];
  for (let offset = 0; offset < log.length; ) {
    const at = log.indexOf(0x0a, offset);
    const end = at === -1 ? log.length : at;
    const text = end - offset > 262_144 ? null : log.toString('utf8', offset, end);
    const whole = { text, offset, end: end + 1, ended: at !== -1 };
    // Of a line that cannot hold what is asked for nothing is said.
    for (const found of lacks(whole, hintOf(filter)) ? [] : readRecord('', whole)) {
      if ('note' in found) rows.push(`${found.note.offset} ${found.note.problem}`);
      else if (matchesFilter(found.record, filter)) rows.push(JSON.stringify(rowOf(found.record)));
    }
    offset = end + 1;
  }
  return rows;
}

function rowOf(record: LogRecord): Row {
  const { session, runner, agent, model, time } = record;
  const moment = {
    day: Number(time.slice(0, 10).replaceAll('-', '')),
    clock: Number(time.slice(11, 23).replaceAll(/[:.]/g, '')),
  };
  const who = { session, runner, agent, model, ...moment };
  if (record.kind === 'event') return { ...who, toolUseId: null, record };
  const { tool, canonical, toolUseId, us } = record;
  return { ...who, ...rulingRow(record), tool, canonical, us: us ?? -1, toolUseId, record };
}

/** The same rows from a scan, and that equal calls have equal hashes, and others none. */
function scannedRows(state: string, filter: RecordFilter, isBackward: boolean): string[] {
  const rows: string[] = [];
  const [hashes, calls] = [new Map<string, string>(), new Map<string, string>()];
  const counter: RecordCounter<string | null, Row, Row, Row> = {
    sessionOf: (session) => session,
    callerOf: ({ runner, agent, model }) => ({ runner, agent, model }),
    rulingOf: rulingRow,
    toolOf: ({ tool, canonical }) => ({ tool, canonical }),
    add: (session, caller, ruling, tool, numbers) => {
      const { day, clock, us, hasCall, call } = numbers;
      const [toolUseId, record] = [numbers.toolUseId(), numbers.record()];
      assert.is(hasCall, toolUseId !== null);
      rows.push(JSON.stringify({ session, ...caller, day, clock, ...ruling, ...tool, us, toolUseId, record }));
      if (!hasCall) return;
      // No session and an empty one count as the same.
      const [name, hash] = [JSON.stringify([session ?? '', toolUseId]), `${call.high} ${call.low}`];
      assert.is(hashes.get(name) ?? hash, hash, `two hashes of ${name}`);
      assert.is(calls.get(hash) ?? name, name, 'one hash of two calls');
      hashes.set(name, hash);
      calls.set(hash, name);
    },
    addEvent: (record, session, caller, { day, clock, toolUseId }) => {
      rows.push(JSON.stringify({ session, ...caller, day, clock, toolUseId: toolUseId(), record }));
    },
  };
  if (isBackward) scanLogBackward(state, filter, counter, () => false);
  else scanLog(state, filter, counter, ({ offset, problem }) => rows.push(`${offset} ${problem}`));
  return rows;
}

/** Comparing the rows one by one tells which differs. */
function same(found: readonly string[], expected: readonly string[]): void {
  for (const [index, row] of expected.entries()) assert.is(found[index], row);
  assert.is(found.length, expected.length);
}

const NAMES = [
  '',
  'a',
  'a\u0000\u0000\u0000',
  'abc',
  'claude-code',
  'session-1',
  'réviewer "x"\\',
  '\u202e\u0000\x7f',
  'x'.repeat(199),
  '","kind":"result"',
];
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ maxLength: 30, unit: 'binary' }));
const nameOrNull = fc.oneof({ weight: 4, arbitrary: name }, fc.constant(null));
const effect = fc.constantFrom('allow', 'ask', 'deny');
const pointers = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.constant(['/input/command', '/message']));

const head = fc.record({
  time: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 4e10 })).map((ms) => NOON + ms),
  session: nameOrNull,
  runner: nameOrNull,
  agent: nameOrNull,
  model: nameOrNull,
  project: fc.constantFrom(null, '', '/srv/x', '/home/ann/désk', '/a\\"b'),
  cwd: nameOrNull,
  version: fc.constantFrom('', '0.1.0', '10.20.30-beta.1'),
});
const ruling = fc.record({
  mode: fc.constantFrom('enforce', 'observe'),
  decision: effect,
  stage: fc.constantFrom('agent', 'policy', 'budget'),
  // The same rule, or none, comes with different answers.
  rule: fc.oneof(
    fc.constantFrom(null, { text: 'Bash(git *)', effect: 'ask', layer: 'project', file: 'policy.yaml', line: 3, column: 5 }),
    fc.record({
      text: name,
      effect,
      layer: fc.constantFrom('builtin', 'managed', 'cli'),
      file: name,
      line: fc.nat(20),
      column: fc.nat(5),
    }),
  ),
  reasons: fc.oneof(fc.constant(['rule/ask']), fc.array(name, { maxLength: 3 })),
  message: nameOrNull,
});
const call = fc.record({
  toolUseId: nameOrNull,
  tool: name,
  canonical: fc.constantFrom('', 'Bash', 'Read'),
  input: fc.oneof(
    fc.record({ command: name, description: name }),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constant(JSON.parse(`${'['.repeat(40)}1e3${']'.repeat(40)}`)),
    fc.constant(JSON.parse('{"__proto__":{"v":1},"a":-0.5e-7}')),
  ),
  masked: pointers,
  truncated: pointers,
  erased: pointers,
  digest: fc.constantFrom(`hmac-sha256:${'0123456789abcdef'.repeat(4)}`, `hmac-sha256:${'f'.repeat(64)}`),
});

/** A line as our writer writes it, of values that it may not have. */
const line = fc
  .record({
    kind: fc.constantFrom('decision', 'decision', 'result', 'event'),
    head,
    ruling,
    call,
    policy: nameOrNull,
    us: fc.nat(99_999),
  })
  .map(
    ({ kind, head: { time, ...rest }, ruling: { decision, mode, stage, rule, reasons, message }, call: called, policy, us }) => {
      const start = { v: 1, id: newRecordId(time), time: new Date(time).toISOString(), ...rest, kind };
      if (kind === 'event') return { ...start, event: 'run.overlap', severity: 'warning', message: message ?? '' };
      if (kind === 'result') return { ...start, result: 'error', message, ...called, us: us % 3 === 0 ? null : us };
      const answer = mode === 'observe' ? { decision: 'allow', would: decision } : { decision };
      return { ...start, mode, ...answer, stage, rule, reasons, message, ...called, policy, permissionMode: policy, us };
    },
  );

type Line = ReturnType<typeof line.generate>['value'];

/** Results that follow a decision: its own, and those that hardly differ from it. */
function resultsOf(record: Line): Line[] {
  if (!('mode' in record)) return [];
  const { mode, decision, would, stage, rule, reasons, message, policy, permissionMode, us, kind, ...rest } = {
    would: '',
    ...record,
  };
  const { toolUseId, tool, canonical, input, masked, truncated, erased, digest, ...start } = rest;
  const called = { toolUseId, tool, canonical, input, masked, truncated, erased, digest, us };
  const result = { ...start, kind: 'result', result: 'error', message: null, ...called } as const;
  const others = [
    { ...result, us: null },
    { ...result, session: `${record.session}` },
    { ...result, agent: 'another' },
    { ...result, toolUseId: null },
    { ...result, tool: `${record.tool}2` },
    { ...result, input: { command: 'another' } },
  ];
  // Twice, so that nothing of any of them has to be learned.
  return [...others, ...others].flatMap((other) => [result, other]).concat(result);
}

/** Ways in which a line is spoiled, or written in another way that JSON has. */
const spoiled = fc.oneof(
  fc.constant((text: string) => Buffer.from(text)),
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (text: string) => Buffer.from(text).subarray(0, part * text.length)),
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (text: string) => {
    const bytes = Buffer.from(text);
    bytes[at % bytes.length] = byte;
    return bytes;
  }),
  fc
    .tuple(fc.nat(), fc.constantFrom('ff', 'c0af', 'eda080', 'f4908080', 'e282', '00', '0d', '22', '5c', '20'))
    .map(([at, hex]) => (text: string) => {
      const bytes = Buffer.from(text);
      const place = at % bytes.length;
      return Buffer.concat([bytes.subarray(0, place), Buffer.from(hex, 'hex'), bytes.subarray(place)]);
    }),
  // As long as the schema allows, and longer.
  fc
    .tuple(
      fc.constantFrom(199, 200, 201, 202, 203, 512, 513, 1_024, 1_025),
      fc.constantFrom('session', 'project', 'cwd', 'message', 'toolUseId', 'policy', 'permissionMode'),
      fc.constantFrom('x', 'é'),
    )
    .map(([length, key, character]) => {
      const member = new RegExp(`"${key}":(?:null|"[^"]*")`);
      return (text: string) => Buffer.from(text.replace(member, `"${key}":"${character.repeat(length)}"`));
    }),
  fc.constantFrom(
    (text: string) => Buffer.from(`${text}\r`),
    (text: string) => Buffer.from(`\ufeff${text}`),
    (text: string) => Buffer.from(` ${text}`),
    (text: string) => Buffer.from(text.replaceAll(',"', ', "')),
    (text: string) => Buffer.from(text.replace('"tool":', '"tool":"Other","tool":')),
    (text: string) => Buffer.from(text.replace('"session":', '"session":"other","session":')),
    (text: string) => Buffer.from(text.replace('"decision":"', '"decision":"deny","decision":"')),
    (text: string) => Buffer.from(text.replace(/,"us":[^}]*/, '').replace('"v":1,', '"v":1,"us":7,')),
    (text: string) => Buffer.from(text.replace('"v":1,', '"v":1,"__proto__":{"v":1},')),
    (text: string) => Buffer.from(text.replace('"kind":', '"\\u006bind":')),
    (text: string) => Buffer.from(text.replace('Bash', '\\u0042ash').replace('Read', '\\u0052ead')),
    (text: string) => Buffer.from(text.replace('/srv/x', '\\/srv\\/x')),
    (text: string) => Buffer.from(text.replace('"session-1"', '"session\\u002d1"')),
    (text: string) => Buffer.from(text.replace(/"us":\d+/, '"us":1e3')),
    (text: string) => Buffer.from(text.replace(/"us":\d+/, '"us":-0')),
    (text: string) => Buffer.from(text.replace(/"us":\d+/, '"us":007')),
    (text: string) => Buffer.from(text.replace(/"us":\d+/, '"us":9007199254740993')),
    (text: string) => Buffer.from(text.replace(/"us":\d+/, '"us":12345678901234567890123')),
    (text: string) => Buffer.from(text.replace(/"line":\d+/, '"line":1.0')),
    (text: string) => Buffer.from(text.replace('"version":"', `"version":"${'9'.repeat(200)}`)),
    (text: string) => Buffer.from(text.replace(/"(cwd|message|policy|toolUseId|session|project)":"/, `$&${'é'.repeat(700)}`)),
    (text: string) => Buffer.from(text.replace('"input":', `"input":"${'y'.repeat(270_000)}","input":`)),
    (text: string) => Buffer.from(text.replace('"input":', '"input":{"a":[{},[],{"b":nul}],"c":1},"input":')),
    (text: string) => Buffer.from(text.replace('hmac-sha256:0', 'hmac-sha256:G')),
    ...['{"a":1;"b":2}', '[1;2]', '{"a":1"b":2}', '{"a",1}', '[1,]', '{"a":1,}', '"a\\x"', '1.', '-', 'tru', '"a\tb"'].map(
      (input) => (text: string) => Buffer.from(text.replace(/"input":.*,"masked"/, `"input":${input},"masked"`)),
    ),
    ...['', 'x', ' ', ']', '.', '0', '}}'].map((end) => (text: string) => Buffer.from(text.slice(0, -1) + end)),
    (text: string) => Buffer.from(`${text.slice(0, 150)}${text}`),
    (text: string) => Buffer.from(text.replace(/T\d\d:/, 'T99:')),
    (text: string) => Buffer.from(text.replace('{"v":1', '{"v":2')),
    () => Buffer.from(''),
  ),
);

const filters = fc.constantFrom<RecordFilter>(
  {},
  {},
  { project: '/srv/x' },
  { project: '/home/ann/désk', kind: 'decision' },
  { session: 'session-1', since: NOON + 30_000 },
  { agent: 'abc', tool: 'bash' },
  { decision: 'deny', rule: 'a' },
);

test('hostile lines between good ones', () => {
  const state = stateDirectory();
  mkdirSync(`${state}/log`, { recursive: true, mode: 0o700 });
  const file = `${state}/log/decisions-2026-01-31.jsonl`;
  let records = 0;
  // Each line comes first as it is, so that all its parts are known where it comes again.
  const lines = fc.array(fc.tuple(line, fc.array(spoiled, { maxLength: 4 })), { minLength: 1, maxLength: 8 });
  const property = fc.property(lines, fc.boolean(), filters, (drawn, ends, filter) => {
    const all = drawn.flatMap(([record, spoilers]) => [
      Buffer.from(jsonLine(record)),
      ...spoilers.map((spoil) => spoil(jsonLine(record))),
    ]);
    const again = drawn.flatMap(([record]) => [record, ...resultsOf(record)].map((one) => Buffer.from(jsonLine(one))));
    const log = Buffer.concat([...all, ...again].flatMap((bytes) => [bytes, Buffer.from('\n')])).subarray(
      0,
      ends ? undefined : -1,
    );
    rmSync(file, { force: true });
    writeFileSync(file, log, { mode: 0o600 });
    const expected = parsedRows(log, filter);
    records += expected.filter((row) => row.startsWith('{')).length;
    same(scannedRows(state, filter, false), expected);
    same(scannedRows(state, filter, true), expected.filter((row) => row.startsWith('{')).reverse());
  });
  fc.assert(property, { numRuns: 400 });
  assert.ok(records > 1_000, `only ${records} records were drawn`);
});

test('calls at places of the buffer where other calls stood', () => {
  const state = stateDirectory();
  mkdirSync(`${state}/log`, { recursive: true, mode: 0o700 });
  const idOf = (call: number) => `toolu_${String(call).padStart(6, '0')}`;
  const decision = (call: number) => jsonLine(sample({ time: NOON + call, toolUseId: idOf(call) }));
  const result = (call: number) => {
    const outcome = { result: 'success', canonical: 'Bash', message: null, microseconds: 52_000 } as const;
    const line = jsonLine(resultRecordOf(outcome, { ...context, time: NOON + call, toolUseId: idOf(call) }));
    return line.replace('"message":null', `"message":"${'x'.repeat(decision(call).length - line.length + 2)}"`);
  };
  assert.is(result(0).length, decision(0).length);
  // All lines are of one length, and about as many as are read at once begin with the results of the decisions behind them.
  const length = decision(0).length + 1;
  const half = Math.floor(262_144 / length / 2);
  const lines = Array.from({ length: 6 }, (_, block) => {
    const calls = Array.from({ length: half }, (_, index) => block * half + index);
    return [...calls.map(result), ...calls.map(decision)];
  }).flat();
  const log = Buffer.from(lines.map((text) => `${text}\n`).join(''));
  writeFileSync(`${state}/log/decisions-2026-01-31.jsonl`, log, { mode: 0o600 });
  same(scannedRows(state, {}, false), parsedRows(log, {}));
});

test.run();
