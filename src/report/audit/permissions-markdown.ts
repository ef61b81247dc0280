/** The permission table as Markdown. */
import type { PermissionRow } from '../../audit/permissions/table.js';
import type { AuditReport } from '../../audit/report.js';
import { code, table } from '../markdown.js';
import {
  asked,
  cellText,
  combinationsOf,
  LEGEND,
  leftOut,
  notInForce,
  PERMISSIONS_TITLE,
  sentenceOf,
  shownRows,
  whoOf,
  worthASentence,
} from './permissions.js';

/** The section, with its heading; what is lethal comes first below the table. */
export function permissionsAsMarkdown({ permissions, meta }: AuditReport): string {
  const rows = shownRows(permissions);
  const { told, rest } = worthASentence(rows);
  const items = [
    ...combinationsOf(rows, permissions, code).map((text) => `❌ ${text}`),
    ...told.map((row) => sentenceOf(row, permissions, code)),
  ].map((text) => `- ${text}\n`);
  const notes = [...(rest === null ? [] : [rest]), ...leftOut(permissions)];
  return [
    `## ${PERMISSIONS_TITLE}\n`,
    `${asked(permissions)} ${LEGEND}\n`,
    ...notInForce(meta).map((text) => `${text}\n`),
    table(['Who', 'Coding agent', 'Allowed', ...permissions.classes.map(({ short }) => short)], rows.map(tableRow)),
    ...(items.length === 0 ? [] : [items.join('')]),
    ...notes.map((text) => `${text}\n`),
  ].join('\n');
}

function tableRow(row: PermissionRow): readonly string[] {
  return [whoOf(row, code), row.runner, `${row.free} of ${row.classes}`, ...row.cells.map(cellText)];
}
