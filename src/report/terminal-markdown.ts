/** Converts a Markdown report for reading on a terminal: lines wrapped at words, tables in columns or as lists, no markup. */

import type { TextOptions } from './printing/paint.js';
import { painter } from './printing/paint.js';
import { columns } from './printing/table.js';
import { fold } from './printing/wrap.js';

/** An icon of a status, as numbers because a regular expression is in the bundle as it is here, and its words. */
const STATUS =
  /(\u2705|\u274c|\u26a0\ufe0f|\u23f3) (?:Proven gap|Not checked|Protected|Unverified|(?:Partial|Missing|Pending|Not in force)(?:, (?:proven gap|not checked))?)/g;

export function markdownOnTerminal(text: string, { color, width }: TextOptions): string {
  const { title, mark } = painter(color);
  /** Bold and code, and the words of a status in its color. */
  const painted = (line: string) =>
    line
      .replace(/\*\*(.+?)\*\*/g, (_, strong: string) => title(strong))
      .replace(/^( *)- \u2192/, '$1  \u2192')
      .replace(STATUS, (words, icon: string) => mark(icon === '✅' ? 'ok' : icon === '❌' ? 'error' : 'warning', words))
      .replace(/\\([\\`*_{}[\]<>|~#/.])/g, '$1')
      .replaceAll('&amp;', '&');
  const lines = text.split('\n');
  const shown: string[] = [];
  let fenced = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced || line.startsWith('```')) shown.push(line);
    else if (line.startsWith('|')) {
      const rows: string[][] = [];
      for (; lines[at]?.startsWith('|') === true; at++) rows.push(cellsOf(lines[at] ?? ''));
      at -= 1;
      const filled = rows.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
      shown.push(painted(columns(filled, width, { headed: true }).trimEnd()));
    } else if (/^#{1,6} /.test(line)) shown.push(fold(title(painted(line)), width));
    else shown.push(fold(painted(line), width));
  }
  return shown.join('\n');
}

/** Returns the cells between the bars of a row; an escaped bar is part of its cell. */
function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
