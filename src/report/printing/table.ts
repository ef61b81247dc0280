/** Rows of text in columns, without borders. */
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

/** The minimum room for a text to the right of the previous column; with less room it goes below. */
const LEAST_ROOM = 24;
/** The gap between two columns, and the indentation of a text below its head. */
const GAP = 2;

/**
 * Returns the rows as lines, each ending in a line break; the last column is wrapped to the room that `width` leaves. If that is
 * too little, each row becomes a list: its first cell, and the others below it. Texts are escaped.
 * @param headed the first row names the columns: in a list, each cell gets its column's name instead
 */
export function columns(rows: readonly (readonly string[])[], width: number, { headed = false } = {}): string {
  if (rows.length === 0) return '';
  const safe = rows.map((row) => row.map(escapeText));
  const last = Math.max(...safe.map((row) => row.length)) - 1;
  const widths = Array.from({ length: last }, (_, index) => Math.max(...safe.map((row) => row[index]?.length ?? 0)) + GAP);
  const room = width - widths.reduce((sum, one) => sum + one, 0);
  const longest = Math.max(...safe.map((row) => row[last]?.length ?? 0));
  if (room < Math.min(LEAST_ROOM, longest)) {
    const [names = [], ...named] = safe;
    return (headed ? named.map((row) => namedList(row, names, width)) : safe.map((row) => listed(row, width))).join('');
  }
  const table = new Table({ chars: NOTHING, style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] } });
  for (const row of safe) table.push(row.map((cell, index) => (index === last ? wrap(cell, room).join('\n') : cell)));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** Returns a row as a short list: its first cell, and the others below it. */
function listed([first = '', ...others]: readonly string[], width: number): string {
  const indent = ' '.repeat(GAP);
  const below = others.filter((cell) => cell.trim() !== '').flatMap((cell) => wrap(cell.trim(), width - GAP));
  return [...wrap(first, width), ...below.map((line) => `${indent}${line}`)].map((line) => `${line}\n`).join('');
}

/** Returns a row as a list whose cells are labeled; short ones share a line. */
function namedList([first = '', ...others]: readonly string[], [, ...names]: readonly string[], width: number): string {
  const room = width - GAP;
  const cells = others.flatMap((cell, at) => (cell.trim() === '' ? [] : [`${names[at] ?? ''}: ${cell.trim()}`]));
  const lines: string[] = [];
  let line = '';
  for (const cell of cells) {
    const longer = line === '' ? cell : `${line}; ${cell}`;
    if (longer.length <= room) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = cell;
    }
  }
  const below = [...lines, ...(line === '' ? [] : [line])].flatMap((one) => wrap(one, room));
  return [...wrap(first, width), ...below.map((one) => `${' '.repeat(GAP)}${one}`)].map((one) => `${one}\n`).join('');
}

/** A head, and its text. */
export interface Entry {
  readonly head: string;
  readonly text: string;
  readonly paint?: (head: string) => string;
}

/**
 * Returns indented lines: the heads in one column, the texts beside them, or below them if there is no room. Texts are escaped.
 * @param most the maximum number of lines of one text; null: no maximum
 * @param longest room for a head, if it does not depend only on the given heads
 */
export function entries(
  given: readonly Entry[],
  width: number,
  most: number | null = null,
  longest = Math.max(...given.map(({ head }) => escapeText(head).length)),
): readonly string[] {
  const beside = width - GAP - longest - GAP;
  const isList = beside < LEAST_ROOM;
  const indent = ' '.repeat(isList ? 2 * GAP : GAP + longest + GAP);
  return given.flatMap(({ head, text, paint = (plain) => plain }) => {
    const lines = bounded(wrap(escapeText(text), width - indent.length), most);
    const name = escapeText(head);
    if (isList) return [...(name === '' ? [] : [`  ${paint(name)}`]), ...lines.map((line) => `${indent}${line}`)];
    return lines.map((line, index) =>
      index === 0 ? `  ${paint(name)}${' '.repeat(longest + GAP - name.length)}${line}` : `${indent}${line}`,
    );
  });
}

/** Returns the first lines; the last of them indicates that there are more. */
function bounded(lines: readonly string[], most: number | null): readonly string[] {
  if (most === null || lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]?.replace(/.$/u, '') ?? ''}…`];
}
