/** An audit in the JSON format of a shields.io badge. */
import type { AuditReport } from '../../audit/model/report.js';

export function auditAsBadge({ confirmed, score }: AuditReport): string {
  const message = confirmed ? 'confirmed' : `${score.percent ?? 0} %, not confirmed`;
  const color = confirmed ? 'brightgreen' : (score.percent ?? 0) >= 75 ? 'yellow' : 'red';
  return `${JSON.stringify({ schemaVersion: 1, label: 'agent policy', message, color })}\n`;
}
