/**
 * Decisions as events of Open Policy Agent's decision log, one per line (openpolicyagent.org, "Decision Logs"). Results and
 * events are not decisions and are omitted. Pointers to masked or erased parts start at the event, as OPA's do.
 */
import type { DecisionRecord, LogRecord } from '../../log/record/record.js';
import { jsonLine } from '../printing/escape.js';

/** Returns the events of the decisions, each with its line break. */
export function opaDecisions(records: readonly LogRecord[]): string {
  return records.map((record) => (record.kind === 'decision' ? jsonLine(opaEvent(record)) : '')).join('');
}

function opaEvent(record: DecisionRecord): object {
  const { id, time, version, runner, agent, model, session, project, cwd, tool, canonical, toolUseId, input, digest } = record;
  const { decision, would, mode, stage, rule, reasons, message, policy, us, masked, erased } = record;
  const [maskedAt, erasedAt] = [masked.map(inEvent), erased.map(inEvent)];
  return {
    labels: { app: 'agent-policy', version, ...(runner !== null && { runner }) },
    decision_id: id,
    ...(policy !== null && { bundles: { policy: { revision: policy } } }),
    path: 'agent/allow',
    input: { tool, canonical, input, tool_use_id: toolUseId, agent, model, session, project, cwd, digest },
    result: { decision, ...(would !== undefined && { would }), mode, stage, rule, reasons, message },
    ...(agent !== null && { requested_by: agent }),
    timestamp: time,
    metrics: { timer_rego_query_eval_ns: us * 1_000 },
    ...(maskedAt.length > 0 && { masked: maskedAt }),
    ...(erasedAt.length > 0 && { erased: erasedAt }),
  };
}

/** `/input/command` of a record is `/input/input/command` of the event, and its message is part of the result. */
function inEvent(pointer: string): string {
  return pointer.startsWith('/input') ? `/input${pointer}` : `/result${pointer}`;
}
