// Exports: what is written has the members that each format publishes, and no others; and the numbers of a log.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendRecord } from '../../src/log/append.js';
import { eventRecordOf, type LogRecord, resultRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { type LogStats, statsOfLog } from '../../src/log/stats.js';
import { cloudEvents } from '../../src/report/log/cloudevents.js';
import { ocsfEvents } from '../../src/report/log/ocsf.js';
import { opaDecisions } from '../../src/report/log/opa.js';
import { otlpJson } from '../../src/report/log/otlp.js';
import { policy, scratch } from '../cli/spawned.js';
import { context, NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('export');
const later = (milliseconds: number) => ({ ...context, time: NOON + milliseconds, id: newRecordId(NOON + milliseconds) });
const secret = `echo ghp_${'a1B2'.repeat(9)} \u202e`;
const denied = sample({ ...withInput({ command: secret }) });
const observed = sample({ time: NOON + 1, mode: 'observe', toolUseId: 'toolu_2' });
const silent = sample({ time: NOON + 2, input: 'none', toolUseId: null });
const ended = resultRecordOf(
  { result: 'error', canonical: 'Bash', message: 'exit 1', microseconds: 1_500 },
  { ...later(3), call: context.call },
);
const ungated = resultRecordOf(
  { result: 'success', canonical: 'Bash', message: null, microseconds: null },
  { ...later(4), call: context.call, toolUseId: 'toolu_unseen' },
);
const overlap = eventRecordOf({ event: 'run.overlap', severity: 'warning', message: 'b started while a runs' }, later(5), {
  agent: 'b',
});
const records: readonly LogRecord[] = [denied, observed, silent, ended, ungated, overlap];

type Json = Readonly<Record<string, unknown>>;
const lines = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
const object = (value: unknown): Json => value as Json;
const list = (value: unknown): readonly Json[] => value as Json[];
const texts = (value: unknown): readonly string[] => value as string[];

/** Every member is one that the format publishes. */
function hasOnly(value: unknown, known: string, where: string): void {
  const names = new Set(known.split(' '));
  for (const name of Object.keys(object(value))) assert.ok(names.has(name), `${where}.${name} is not in the format`);
}

test('CloudEvents 1.0: required and optional context attributes (spec.md), data in JSON', () => {
  const events = lines(cloudEvents(records));
  assert.is(events.length, records.length);
  for (const [index, event] of events.entries()) {
    hasOnly(event, 'specversion id source type time subject datacontenttype dataschema data', 'event');
    for (const name of ['specversion', 'id', 'source', 'type']) assert.type(event[name], 'string', name);
    for (const name of ['specversion', 'id', 'source', 'type', 'subject']) assert.not.equal(event[name], '', name);
    assert.is(event.specversion, '1.0');
    assert.match(String(event.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(event.data, records[index]);
  }
  assert.is(new Set(events.map(({ id }) => id)).size, events.length);
});

test('OTLP/JSON: the messages of opentelemetry/proto/logs/v1 in lowerCamelCase, 64-bit numbers as texts', () => {
  const [request, ...others] = lines(otlpJson(records));
  assert.is(others.length, 0);
  hasOnly(request, 'resourceLogs', 'request');
  const [resourceLogs] = list(request?.resourceLogs);
  hasOnly(resourceLogs, 'resource scopeLogs schemaUrl', 'resourceLogs');
  const [scopeLogs] = list(resourceLogs?.scopeLogs);
  hasOnly(scopeLogs, 'scope logRecords schemaUrl', 'scopeLogs');
  hasOnly(scopeLogs?.scope, 'name version attributes droppedAttributesCount', 'scope');
  const logRecords = list(scopeLogs?.logRecords);
  assert.is(logRecords.length, records.length);
  for (const record of logRecords) {
    hasOnly(
      record,
      'timeUnixNano observedTimeUnixNano severityNumber severityText body attributes droppedAttributesCount flags traceId spanId eventName',
      'logRecord',
    );
    assert.match(String(record.timeUnixNano), /^\d{19}$/);
    assert.type(record.timeUnixNano, 'string');
    for (const attribute of list(record.attributes)) {
      hasOnly(attribute, 'key value', 'attribute');
      const [[kind, value] = []] = Object.entries(object(attribute.value));
      assert.ok(['stringValue', 'intValue', 'arrayValue'].includes(kind ?? ''), kind);
      if (kind !== 'arrayValue') assert.type(value, 'string', `${attribute.key}`);
    }
  }
  const first = Object.fromEntries(list(logRecords[0]?.attributes).map(({ key, value }) => [key, value]));
  assert.equal(first['gen_ai.operation.name'], { stringValue: 'execute_tool' });
  assert.equal(first['gen_ai.tool.call.id'], { stringValue: denied.toolUseId });
  assert.equal(first['policy.input.masked'], { arrayValue: { values: [{ stringValue: '/input/command' }] } });
  assert.is(otlpJson([]), '');
});

test('OCSF: API Activity with its required members, and only published names', () => {
  for (const event of lines(ocsfEvents(records))) {
    hasOnly(
      event,
      'activity_id activity_name category_uid category_name class_uid class_name type_uid type_name time severity_id severity status_id status message metadata actor api src_endpoint ai_agent action_id action disposition_id disposition authorizations policy unmapped',
      'event',
    );
    for (const name of ['activity_id', 'category_uid', 'class_uid', 'type_uid', 'time', 'severity_id'])
      assert.type(event[name], 'number', name);
    assert.equal([event.class_uid, event.type_uid], [6003, 600399]);
    hasOnly(event.metadata, 'version product profiles log_name event_code uid correlation_uid', 'metadata');
    hasOnly(object(event.metadata).product, 'name vendor_name version', 'product');
    hasOnly(event.actor, 'app_name session', 'actor');
    hasOnly(event.api, 'operation request', 'api');
    assert.type(object(event.api).operation, 'string');
    hasOnly(event.src_endpoint, 'name', 'src_endpoint');
    hasOnly(event.ai_agent, 'uid name instance_uid ai_model', 'ai_agent');
  }
  const [first, second] = lines(ocsfEvents(records));
  assert.equal([first?.action, first?.disposition, first?.status], ['Denied', 'Blocked', 'Failure']);
  assert.equal([second?.action, second?.disposition], ['Allowed', 'Logged'], 'observe mode');
});

test('OPA: the fields of a decision log event; pointers lead to what they name', () => {
  const events = lines(opaDecisions(records));
  assert.is(events.length, 3, 'decisions only');
  for (const event of events) {
    hasOnly(event, 'labels decision_id bundles path input result requested_by timestamp metrics erased masked', 'event');
    for (const name of ['decision_id', 'path', 'timestamp']) assert.type(event[name], 'string', name);
  }
  const at = (event: Json, pointer: string): unknown =>
    pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((value, name) => object(value)[name], event);
  const [masked, , erased] = events;
  assert.equal(masked?.masked, ['/input/input/command']);
  assert.match(String(at(masked ?? {}, '/input/input/command')), /masked:github-token/);
  assert.equal(erased?.erased, ['/input/input', '/result/message']);
  assert.equal(
    texts(erased?.erased).map((pointer) => at(erased ?? {}, pointer)),
    [null, null],
  );
});

test('no export holds anything that a terminal would obey, or a secret', () => {
  for (const format of [cloudEvents, otlpJson, ocsfEvents, opaDecisions]) {
    assert.not.match(format(records).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    assert.not.match(format(records), /a1B2a1B2/);
  }
});

/** The numbers of a log of these records. */
function statsOf(...logged: readonly LogRecord[]): LogStats {
  const state = stateDirectory();
  for (const record of logged) appendRecord(state, record);
  return statsOfLog(state, {}, ({ problem }) => assert.unreachable(problem));
}

test('the numbers: decisions, results, and calls that passed the gate by', () => {
  const stats = statsOf(...records);
  assert.equal([stats.records, stats.observed, stats.ungated, stats.sessions], [6, 1, 1, 1]);
  assert.equal(stats.decisions, { allow: 0, ask: 0, deny: 3 });
  assert.equal(stats.results, { success: 1, error: 1, denied: 0 });
  assert.equal(stats.tools, [['Bash', 3]]);
  assert.equal(stats.events, [['run.overlap', 1]]);
  assert.equal(stats.rules, [['Bash(rm -rf *) (deny, project)', 3]]);
  assert.ok(stats.microseconds.half > 0 && stats.microseconds.most >= stats.microseconds.half);
  const empty = statsOf();
  assert.equal([empty.records, empty.first, empty.microseconds], [0, null, { half: 0, most: 0 }]);
});

test('however many names there are, so many are counted', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({ ...denied, canonical: `tool-${index}` }));
  const { tools } = statsOf(...many);
  assert.is(tools.length, 1_001);
  assert.equal(tools[0], ['(others)', 2_000]);
});

test('policy log stats and export', () => {
  const [state, cwd] = [stateDirectory(), scratch({})];
  for (const record of records) appendRecord(state, record);
  const log = (...args: readonly string[]) => policy(['log', ...args, '--state-dir', state], { cwd });
  const { stdout } = log('stats');
  assert.match(stdout, /^records +6 from 2026-01-31T12:00:00\.000Z to 2026-01-31T12:00:00\.005Z$/m);
  assert.match(stdout, /^not checked +1 results of calls without a decision/m);
  assert.match(stdout, /^seal +Not sealed yet: 6 records/m);
  assert.is(JSON.parse(log('stats', '--json', '--kind', 'event').stdout).records, 1);
  assert.equal(
    lines(log('export', '--format', 'cloudevents').stdout).map(({ id }) => id),
    records.map(({ id }) => id),
  );
  assert.is(lines(log('export', '--format', 'opa', '--limit', '1').stdout).length, 3);
  assert.match(log('export').stderr, /--format otlp-json\|cloudevents\|ocsf\|opa/);
});

test.run();
