/** The permission table as a section of the page: the table, a sentence for each row, and every decision behind a click. */

import type { AuditReport } from '../../audit/model/report.js';
import type { PermissionCell, PermissionRow, PermissionTable } from '../../audit/model/table.js';
import { markup } from '../printing/markup.js';
import { cellText, grantOf, labelOf, PERMISSIONS_TITLE, type ShownPermissions, shownPermissions, whoOf } from './permissions.js';

/** Texts of a stranger are escaped before they become part of a sentence. */
const code = (text: string) => `<code>${markup(text)}</code>`;

/** The section; every text of a stranger in it is escaped. */
export function permissionsAsHtml(report: AuditReport): string {
  const { permissions } = report;
  const shown = shownPermissions(report, code);
  const { rows, asked, legend, notInForce, leftOut } = shown;
  const parts = [
    `<p>${asked}</p>\n<p class="dim">${legend}</p>\n`,
    ...[...notInForce, ...leftOut].map((text) => `<p class="dim">${markup(text)}</p>\n`),
    overview(rows, permissions),
    sentences(shown),
    ...rows.map((row, at) => decisions(row, permissions, `decisions-${at + 1}`)),
  ];
  return `<section aria-labelledby="permissions">
<h2 id="permissions">${PERMISSIONS_TITLE}</h2>
${parts.join('')}</section>
`;
}

/** A table that is wider than the page can be scrolled with the keyboard. */
function scrolled(labelledBy: string, table: string): string {
  return `<div class="wide" role="region" aria-labelledby="${labelledBy}" tabindex="0">${table}</div>\n`;
}

function overview(rows: readonly PermissionRow[], { classes }: PermissionTable): string {
  const heads = [
    'Who',
    'Coding agent',
    'Allowed',
    ...classes.map(({ short, title }) => `<abbr title="${title}">${short}</abbr>`),
  ];
  const body = rows.map((row) => {
    const cells = [row.runner, `${row.free} of ${row.classes}`].map((text) => `<td>${markup(text)}</td>`);
    return `<tr><th scope="row">${whoOf(row, code)}</th>${cells.join('')}${row.cells.map(cell).join('')}</tr>`;
  });
  const caption = '<caption id="who-may">Who may do what without a question</caption>';
  return scrolled(
    'who-may',
    `<table class="permissions">${caption}${headOf(heads)}<tbody>\n${body.join('\n')}\n</tbody></table>`,
  );
}

function headOf(heads: readonly string[]): string {
  return `<thead><tr>${heads.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead>`;
}

/** By icon and word; the colour says nothing that these do not. */
function cell(one: PermissionCell): string {
  return `<td class="${one.allowed > 0 ? 'partial' : 'dim'}">${cellText(one)}</td>`;
}

/** What is lethal comes first. */
function sentences({ lethal, told, rest }: ShownPermissions): string {
  const items = [
    ...lethal.map((text) => `<li class="missing"><span aria-hidden="true">✕</span> ${text}</li>`),
    ...told.map((text) => `<li>${text}</li>`),
  ];
  const list = items.length === 0 ? '' : `<ul class="claims">\n${items.join('\n')}\n</ul>\n`;
  return rest === null ? list : `${list}<p>${rest}</p>\n`;
}

/** Every call with what was decided and by which rule. */
function decisions(row: PermissionRow, { classes, calls }: PermissionTable, id: string): string {
  const titles = new Map(classes.map((one) => [one.id, one.title]));
  const lines = row.cells.flatMap((one) =>
    one.answers.map((answer) => {
      const cells = [titles.get(one.class) ?? '', code(labelOf(answer, row, calls)), answer.decision];
      const by = grantOf(answer, code) ?? markup(answer.why);
      return `<tr>${[...cells, by].map((text) => `<td>${text}</td>`).join('')}</tr>`;
    }),
  );
  const table = `<table>${headOf(['Class', 'Call', 'Decision', 'By'])}<tbody>\n${lines.join('\n')}\n</tbody></table>`;
  const summary = `<summary id="${id}">Decisions about ${whoOf(row, code)} in ${row.runner} (${lines.length})</summary>`;
  return `<details>${summary}\n${scrolled(id, table)}</details>\n`;
}
