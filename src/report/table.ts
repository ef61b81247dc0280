/** Rows of text in columns, without lines around them. */
import Table from 'cli-table3';
import { escapeText } from './escape.js';
import { wrap } from './wrap.js';

const NOTHING = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** The rows as lines, each ending in a line break; the last column is wrapped to what `width` leaves it. Texts are escaped. */
export function columns(rows: readonly (readonly string[])[], width: number): string {
  if (rows.length === 0) return '';
  const safe = rows.map((row) => row.map(escapeText));
  const last = Math.max(...safe.map((row) => row.length)) - 1;
  const taken = Math.max(...safe.map((row) => row.slice(0, last).reduce((sum, cell) => sum + cell.length + 2, 0)));
  const table = new Table({ chars: NOTHING, style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] } });
  for (const row of safe)
    table.push(row.map((cell, index) => (index === last ? wrap(cell, Math.max(20, width - taken)).join('\n') : cell)));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
