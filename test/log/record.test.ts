// What a record says, and that it says it within its bounds whatever it is given.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateLogRecord } from '../../src/generated/validators/log-record.js';
import { canonicalJson } from '../../src/log/record/canonical-json.js';
import { jsonLine } from '../../src/log/record/json-line.js';
import { eventRecordOf, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { context, NOON, sample, withInput } from './sample.js';

const test = suite('records');
const valid = (record: unknown) => assert.ok(validateLogRecord(record), JSON.stringify(validateLogRecord.errors?.slice(0, 3)));
const inputBytes = (record: { readonly input: unknown }) => Buffer.byteLength(jsonLine(record.input));

test('a denial in full', () => {
  const record = sample({ id: '019c1420-b800-7000-8000-000000000000' });
  valid(record);
  assert.equal(record, {
    v: 1,
    id: '019c1420-b800-7000-8000-000000000000',
    time: '2026-01-31T12:00:00.000Z',
    session: 'session-1',
    runner: 'claude-code',
    agent: 'cleaner',
    model: 'model-1',
    project: '/home/ann/desk',
    cwd: '/home/ann/desk/src',
    version: '0.1.0',
    kind: 'decision',
    mode: 'enforce',
    decision: 'deny',
    stage: 'policy',
    rule: { text: 'Bash(rm -rf *)', effect: 'deny', layer: 'project', file: 'policy.yaml', line: 7, column: 5 },
    reasons: ['rule/deny', 'shell/glob'],
    message: 'Deleting trees needs a person.',
    toolUseId: 'toolu_1',
    tool: 'Bash',
    canonical: 'Bash',
    input: { command: 'rm -rf build', description: 'Clean' },
    masked: [],
    truncated: [],
    erased: [],
    digest: `hmac-sha256:${createHmac('sha256', context.key).update('{"command":"rm -rf build","description":"Clean"}').digest('hex')}`,
    policy: 'sha256:0123456789abcdef',
    permissionMode: 'default',
    us: 12,
  });
});

test('a record in a run of `policy run` has its id', () => {
  const record = sample({ run: '2f1a-1c0ffee-0123456789abcdef' });
  valid(record);
  assert.is(record.run, '2f1a-1c0ffee-0123456789abcdef');
  assert.not.ok('run' in sample());
});

test('the id stands first in the line, so that a reader finds it without parsing', () => {
  assert.match(jsonLine(sample()), /^\{"v":1,"id":"[0-9a-f-]{36}","time":/);
});

test('observe mode lets the call through and says what would have been decided', () => {
  const record = sample({ mode: 'observe' });
  valid(record);
  assert.is(record.decision, 'allow');
  assert.is(record.would, 'deny');
});

test('the schema refuses an enforced decision with `would`, and an observed one without', () => {
  assert.not.ok(validateLogRecord({ ...sample(), would: 'deny' }));
  const { would, ...rest } = sample({ mode: 'observe' });
  assert.is(would, 'deny');
  assert.not.ok(validateLogRecord(rest));
});

test('the schema is closed and wants agent and model in every record (R042)', () => {
  assert.not.ok(validateLogRecord({ ...sample(), more: 1 }));
  for (const key of ['agent', 'model', 'runner', 'session']) {
    const record: Record<string, unknown> = { ...sample() };
    delete record[key];
    assert.not.ok(validateLogRecord(record), key);
  }
});

test('a call of which little is known has nulls', () => {
  const record = sample({
    session: null,
    model: null,
    project: null,
    toolUseId: null,
    policy: null,
    permissionMode: null,
    call: { tool: 'Read', input: {}, cwd: '/', headless: false, shell: 'union' },
  });
  valid(record);
  assert.is(record.agent, null);
  assert.is(record.runner, null);
});

test('log: { input: none } leaves out the input and the message that may quote it, and says so', () => {
  const record = sample({ input: 'none' });
  valid(record);
  assert.is(record.input, null);
  assert.is(record.message, null);
  assert.equal(record.erased, ['/input', '/message']);
  assert.match(record.digest, /^hmac-sha256:/);
});

const secret = `ghp_${'a1B2c3D4'.repeat(5)}`;

test('log: { input: full } keeps what was given, masked is the default', () => {
  const input = { command: `echo ${secret}` };
  assert.equal(sample({ ...withInput(input), input: 'full' }).input, input);
  const record = sample(withInput(input));
  assert.equal(record.input, { command: 'echo [masked:github-token]' });
  assert.equal(record.masked, ['/input/command']);
});

test('no text of a record carries a secret', () => {
  const record = sample(
    {
      session: secret,
      model: secret,
      project: `/${secret}`,
      toolUseId: secret,
      permissionMode: secret,
      call: { ...context.call, tool: secret, agent: secret, cwd: `/${secret}`, input: { [secret]: { deep: [secret] } } },
    },
    {
      message: `not ${secret}`,
      rule: { text: `Bash(x ${secret})`, effect: 'deny', layer: 'user', file: secret, line: 1, column: 1 },
      call: { tool: secret, canonical: secret, agent: secret, runner: 'claude-code' },
    },
  );
  valid(record);
  assert.not.ok(jsonLine(record).includes('a1B2c3D4'));
  assert.equal(record.masked, ['/input/[masked:github-token]', '/input/[masked:github-token]/deep/0']);
});

test('a result and an event are records, too (R016, R256, R257)', () => {
  const result = resultRecordOf(
    { result: 'success', canonical: 'Bash', message: null, microseconds: 1_500.2 },
    { ...context, id: newRecordId(NOON) },
  );
  valid(result);
  assert.equal([result.kind, result.result, result.tool, result.us], ['result', 'success', 'Bash', 1_500]);
  const event = eventRecordOf(
    { event: 'run.overlap', severity: 'warning', message: 'b started while a runs' },
    { ...context, id: newRecordId(NOON) },
    { agent: 'b' },
  );
  valid(event);
  assert.equal([event.kind, event.event, event.agent, event.cwd], ['event', 'run.overlap', 'b', null]);
});

const large: readonly (readonly [what: string, input: Record<string, unknown>, pointer: string])[] = [
  ['a long text', { content: 'x'.repeat(1_000_000) }, '/input/content'],
  ['a text of control characters', { content: '\u0001'.repeat(5_000) }, '/input/content'],
  ['a text of direction marks', { content: '\u202e'.repeat(5_000) }, '/input/content'],
  ['a text of emoji', { content: '😀'.repeat(5_000) }, '/input/content'],
  ['a text of half surrogates', { content: '\ud83d'.repeat(5_000) }, '/input/content'],
  ['many members', Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member${index}`, index])), '/input'],
  ['many items', { list: Array.from({ length: 100_000 }, () => null) }, '/input/list'],
  ['a long name', { ['n'.repeat(100_000)]: 1 }, `/input/${'n'.repeat(127)}…`],
];
for (const [what, input, pointer] of large)
  test(`${what} is cut to 2 KiB and the record says where`, () => {
    const record = sample(withInput(input));
    valid(record);
    assert.ok(inputBytes(record) <= 2_048, `${inputBytes(record)} bytes`);
    assert.equal(record.truncated, [pointer]);
    assert.ok(Buffer.byteLength(jsonLine(record)) < 16_384);
  });

test('an input as deep as it is long is cut, and its digest still covers all of it', () => {
  const deep = (inner: string) =>
    JSON.parse(`${'{"a":['.repeat(50_000)}${inner}${']}'.repeat(50_000)}`) as Record<string, unknown>;
  const [one, two] = [sample(withInput(deep('1'))), sample(withInput(deep('2')))];
  valid(one);
  assert.ok(one.truncated.length > 0);
  assert.is.not(one.digest, two.digest);
});

test('a secret that the cut would halve is not recognisable afterwards', () => {
  for (let offset = 1_900; offset < 2_048; offset += 3) {
    const record = sample(withInput({ command: `${' '.repeat(offset)}${secret} ${'y '.repeat(2_000)}` }));
    assert.not.ok(jsonLine(record.input).includes('ghp_a1'), `offset ${offset}`);
  }
});

test('members named __proto__ and constructor are data', () => {
  const record = sample(withInput(JSON.parse('{"__proto__":{"x":1},"constructor":"y"}') as Record<string, unknown>));
  assert.is(jsonLine(record.input), '{"__proto__":{"x":1},"constructor":"y"}');
  assert.is(({} as Record<string, unknown>).x, undefined);
});

test('equal inputs have equal digests, whatever the order of their members', () => {
  assert.is(sample(withInput({ a: 1, b: [{ d: 1, c: 'x' }] })).digest, sample(withInput({ b: [{ c: 'x', d: 1 }], a: 1 })).digest);
  assert.is.not(sample(withInput({ a: '1' })).digest, sample(withInput({ a: 1 })).digest);
  assert.is.not(sample({ key: new Uint8Array(32) }).digest, sample().digest);
});

test('canonical JSON is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('any input gives a valid record of bounded size', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 6 }), { maxKeys: 20 }), (input) => {
      const record = sample(withInput(input));
      valid(record);
      assert.ok(inputBytes(record) <= 2_048);
      assert.equal(JSON.parse(jsonLine(record)), JSON.parse(JSON.stringify(record)));
    }),
    { numRuns: 200 },
  );
});

test('ids are UUIDs of version 7 that carry the time', () => {
  const id = newRecordId(NOON + 1_000);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.is(Number.parseInt(id.replace('-', '').slice(0, 12), 16), NOON + 1_000);
});

test('20,000 ids of one moment rise and are all different', () => {
  const ids = Array.from({ length: 20_000 }, () => newRecordId(NOON + 2_000));
  assert.equal(ids, [...ids].sort());
  assert.is(new Set(ids).size, ids.length);
});

test('a clock that falls back a little does not make ids fall; one that was set back does', () => {
  const first = newRecordId(NOON + 60_000);
  const second = newRecordId(NOON + 59_500);
  assert.ok(second > first);
  assert.ok(newRecordId(NOON) < first);
});

test.run();
