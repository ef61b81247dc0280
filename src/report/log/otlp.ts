/**
 * Records as OpenTelemetry logs: each batch is one ExportLogsServiceRequest in OTLP/JSON on one line, as the collector's file receiver
 * reads it and POST /v1/logs accepts it. Attributes are named after the GenAI semantic conventions where these have a name.
 */
import type { DecisionRecord, EventRecord, LogRecord, ResultRecord } from '../../log/record/record.js';
import { jsonLine } from '../printing/escape.js';

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly arrayValue: { readonly values: readonly Value[] } };
type Attribute = readonly [key: string, value: string | number | readonly string[] | null | undefined];

/** Returns one request with its line break; empty without records. */
export function otlpJson(records: readonly LogRecord[]): string {
  const [first] = records;
  if (first === undefined) return '';
  const request = {
    resourceLogs: [
      {
        resource: {
          attributes: attributes([
            ['service.name', 'agent-policy'],
            ['service.version', first.version],
          ]),
        },
        scopeLogs: [
          { scope: { name: 'agent-policy.decision-log', version: String(first.v) }, logRecords: records.map(logRecord) },
        ],
      },
    ],
  };
  return jsonLine(request);
}

/** Severity numbers of the log data model. */
const SEVERITY = { info: [9, 'INFO'], warning: [13, 'WARN'], error: [17, 'ERROR'] } as const;

function logRecord(record: LogRecord): object {
  const [severityNumber, severityText] = SEVERITY[severityOf(record)];
  const time = `${Date.parse(record.time)}000000`;
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber,
    severityText,
    eventName: `policy.${record.kind}`,
    body: { stringValue: record.message ?? '' },
    attributes: attributes([
      ['log.record.uid', record.id],
      ['gen_ai.conversation.id', record.session],
      ['gen_ai.agent.name', record.agent],
      ['gen_ai.request.model', record.model],
      ['policy.runner', record.runner],
      ['policy.project', record.project],
      ['policy.cwd', record.cwd],
      ['policy.run', record.run],
      ...(record.kind === 'event' ? eventAttributes(record) : callAttributes(record)),
    ]),
  };
}

function severityOf(record: LogRecord): keyof typeof SEVERITY {
  if (record.kind === 'event') return record.severity;
  if (record.kind === 'result') return record.result === 'success' ? 'info' : 'warning';
  return (record.would ?? record.decision) === 'deny' ? 'warning' : 'info';
}

function eventAttributes({ event }: EventRecord): Attribute[] {
  return [['policy.event', event]];
}

function callAttributes(record: DecisionRecord | ResultRecord): Attribute[] {
  return [
    ['gen_ai.operation.name', 'execute_tool'],
    ['gen_ai.tool.name', record.tool],
    ['gen_ai.tool.call.id', record.toolUseId],
    ['gen_ai.tool.call.arguments', record.input === null ? null : JSON.stringify(record.input)],
    ['policy.input.digest', record.digest],
    ['policy.input.masked', record.masked],
    ['policy.input.truncated', record.truncated],
    ['policy.input.erased', record.erased],
    ['policy.duration_us', record.us],
    ...(record.kind === 'result' ? resultAttributes(record) : decisionAttributes(record)),
  ];
}

function resultAttributes({ result }: ResultRecord): Attribute[] {
  return [['policy.result', result]];
}

function decisionAttributes({
  decision,
  would,
  mode,
  stage,
  rule,
  reasons,
  policy,
  permissionMode,
}: DecisionRecord): Attribute[] {
  return [
    ['policy.decision', decision],
    ['policy.would', would],
    ['policy.mode', mode],
    ['policy.stage', stage],
    ['policy.rule', rule?.text],
    ['policy.rule.file', rule?.file],
    ['policy.rule.line', rule?.line],
    ['policy.rule.layer', rule?.layer],
    ['policy.reasons', reasons],
    ['policy.digest', policy],
    ['policy.permission_mode', permissionMode],
  ];
}

/** Omits null and empty values. */
function attributes(pairs: readonly Attribute[]): { readonly key: string; readonly value: Value }[] {
  return pairs.flatMap(([key, value]) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [{ key, value: anyValue(value) }],
  );
}

/** 64-bit numbers are strings in OTLP/JSON. */
function anyValue(value: string | number | readonly string[]): Value {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}
