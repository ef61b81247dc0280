/** An audit report as one line of JSON, as schemas/audit-report.schema.json says. */
import type { AuditReport } from '../../audit/model/report.js';
import { escapeJson } from '../printing/escape.js';

/** With a line break at its end; the keys come in the order in which the audit makes them. */
export function auditAsJson(report: AuditReport): string {
  return `${escapeJson(JSON.stringify(report))}\n`;
}
