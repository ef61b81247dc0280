/**
 * Records as events of the Open Cybersecurity Schema Framework, one per line: class API Activity (6003) with the profiles
 * security_control (the decision) and ai_operation (the agent and model), named as in version 1.5 of the schema.
 */
import type { LogRecord } from '../../log/record/record.js';
import { jsonLine } from '../printing/escape.js';

const CLASS = 6003;
const OTHER = 99;

/** Returns the events of the records, each with its line break. */
export function ocsfEvents(records: readonly LogRecord[]): string {
  return records.map((record) => jsonLine(ocsfEvent(record))).join('');
}

function ocsfEvent(record: LogRecord): object {
  const { id, time, version, session, runner, agent, model } = record;
  const name = record.kind === 'event' ? record.event : record.tool;
  return {
    activity_id: OTHER,
    activity_name: record.kind === 'event' ? 'Agent event' : 'Tool call',
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: CLASS,
    class_name: 'API Activity',
    type_uid: CLASS * 100 + OTHER,
    type_name: 'API Activity: Other',
    time: Date.parse(time),
    ...severity(record),
    ...status(record),
    message: record.message ?? undefined,
    metadata: {
      version: '1.5.0',
      product: { name: 'agent-policy', vendor_name: 'agent-policy', version },
      profiles: ['security_control', 'ai_operation'],
      log_name: 'decision log',
      event_code: record.kind,
      uid: id,
      ...(record.kind !== 'event' && record.toolUseId !== null && { correlation_uid: record.toolUseId }),
    },
    actor: { app_name: runner ?? 'unknown runner', ...(session !== null && { session: { uid: session } }) },
    api: {
      operation: name,
      ...(record.kind !== 'event' && { request: { uid: record.toolUseId ?? id, data: { input: record.input } } }),
    },
    src_endpoint: { name: 'localhost' },
    ai_agent: {
      uid: agent ?? 'main agent',
      name: agent ?? 'main agent',
      ...(session !== null && { instance_uid: session }),
      ...(model !== null && { ai_model: { name: model } }),
    },
    ...(record.kind === 'decision' && control(record)),
    unmapped: record,
  };
}

/** Returns the action of the security control. */
function control({ decision, would, rule, policy }: Extract<LogRecord, { kind: 'decision' }>): object {
  const isDenied = decision === 'deny';
  return {
    action_id: decision === 'ask' ? 0 : isDenied ? 2 : 1,
    action: decision === 'ask' ? 'Unknown' : isDenied ? 'Denied' : 'Allowed',
    // A call allowed in observe mode is only logged; a person who is asked may still say yes.
    disposition_id: decision === 'ask' ? OTHER : isDenied ? 2 : would === undefined ? 1 : 17,
    disposition: decision === 'ask' ? 'Asked' : isDenied ? 'Blocked' : would === undefined ? 'Allowed' : 'Logged',
    authorizations: [{ decision: would ?? decision, ...(rule !== null && { policy: { name: rule.text, desc: rule.layer } }) }],
    ...(policy !== null && { policy: { uid: policy, name: 'agent policy' } }),
  };
}

function severity(record: LogRecord): object {
  if (record.kind === 'event' && record.severity === 'error') return { severity_id: 4, severity: 'High' };
  const isWarning =
    record.kind === 'event' ? record.severity === 'warning' : record.kind === 'decision' && record.decision === 'deny';
  return isWarning ? { severity_id: 3, severity: 'Medium' } : { severity_id: 1, severity: 'Informational' };
}

function status(record: LogRecord): object {
  const isFailure =
    record.kind === 'result' ? record.result !== 'success' : record.kind === 'decision' && record.decision === 'deny';
  return isFailure ? { status_id: 2, status: 'Failure' } : { status_id: 1, status: 'Success' };
}
