/** Converts a Markdown report for reading on a terminal: lines wrapped at words, tables in columns or as lists, bold headings. */

import type { TextOptions } from './printing/paint.js';
import { painter } from './printing/paint.js';
import { columns } from './printing/table.js';
import { fold } from './printing/wrap.js';

export function markdownOnTerminal(text: string, { color, width }: TextOptions): string {
  const { title } = painter(color);
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
      shown.push(
        columns(
          rows.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell))),
          width,
          { headed: true },
        ).trimEnd(),
      );
    } else if (/^#{1,6} /.test(line)) shown.push(fold(title(line), width));
    else shown.push(fold(line, width));
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
