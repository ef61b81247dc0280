/** Records as CloudEvents 1.0 in JSON, one per line (cloudevents/spec, formats/json-format.md). */
import type { LogRecord } from '../../log/record/record.js';
import { jsonLine } from '../printing/escape.js';

/** Returns the events of the records, each with its line break. */
export function cloudEvents(records: readonly LogRecord[]): string {
  return records.map((record) => jsonLine(cloudEvent(record))).join('');
}

/** `source` together with `id` identifies an event forever; ids are unique across all logs. */
function cloudEvent(record: LogRecord): object {
  return {
    specversion: '1.0',
    id: record.id,
    source: 'urn:agent-policy:log',
    type: `dev.agent-policy.${record.kind}.v1`,
    time: record.time,
    subject: record.kind === 'event' ? record.event : record.tool || 'unnamed tool',
    datacontenttype: 'application/json',
    dataschema: 'https://agent-policy.dev/schemas/log-record.schema.json',
    data: record,
  };
}
