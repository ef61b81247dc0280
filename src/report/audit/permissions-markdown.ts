/** The permission table as Markdown. */

import type { AuditReport } from '../../audit/model/report.js';
import type { PermissionRow } from '../../audit/model/table.js';
import { code, table } from '../printing/markdown.js';
import { cellText, PERMISSIONS_TITLE, shownPermissions, whoOf } from './permissions.js';

/** The section, with its heading; what is lethal comes first below the table. */
export function permissionsAsMarkdown(report: AuditReport): string {
  const { rows, asked, legend, notInForce, leftOut, lethal, told, rest } = shownPermissions(report, code);
  const { classes } = report.permissions;
  const items = [...lethal.map((text) => `❌ ${text}`), ...told].map((text) => `- ${text}\n`);
  const notes = [...(rest === null ? [] : [rest]), ...leftOut];
  return [
    `## ${PERMISSIONS_TITLE}\n`,
    `${asked} ${legend}\n`,
    ...notInForce.map((text) => `${text}\n`),
    table(['Who', 'Coding agent', 'Allowed', ...classes.map(({ short }) => short)], rows.map(tableRow)),
    ...(items.length === 0 ? [] : [items.join('')]),
    ...notes.map((text) => `${text}\n`),
  ].join('\n');
}

function tableRow(row: PermissionRow): readonly string[] {
  return [whoOf(row, code), row.runner, `${row.free} of ${row.classes}`, ...row.cells.map(cellText)];
}
