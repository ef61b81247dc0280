/** The difference between two texts, as a unified diff. */

/** Number of context lines around a change. */
const CONTEXT = 3;
/** Above this many table cells, the whole middle is treated as changed. */
const MOST_CELLS = 4_000_000;

type Line = readonly [mark: ' ' | '-' | '+', text: string];

/** Returns the lines of a unified diff with its header; empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, names: { readonly before: string; readonly after: string }): string[] {
  if (before === after) return [];
  const lines = changes(diffLines(before), diffLines(after));
  return [`--- ${names.before}`, `+++ ${names.after}`, ...hunks(lines)];
}

/** Returns the lines of a text as in a unified diff: without line ends, with a mark after the last one if it has no line end. */
function diffLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else if (lines.length > 0) lines.push(`${lines.pop()}\n\\ No newline at end of file`);
  return lines;
}

function changes(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const kept = (some: readonly string[]) => some.map((text): Line => [' ', text]);
  const middle = between(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...kept(before.slice(0, start)), ...middle, ...kept(before.slice(before.length - end))];
}

/** Returns the shortest edit from one to the other, by the longest common subsequence. */
function between(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  if (before.length * width > MOST_CELLS)
    return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const removed = before[row];
    const added = after[column];
    if (removed !== undefined && removed === added) {
      lines.push([' ', removed]);
      row++;
      column++;
    } else if (removed !== undefined && (added === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(['-', removed]);
      row++;
    } else if (added !== undefined) {
      lines.push(['+', added]);
      column++;
    }
  }
  return lines;
}

/** Returns the changes with their context lines, each group under its line numbers. */
function hunks(lines: readonly Line[]): readonly string[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([mark]) => mark !== ' '));
  const printed: string[] = [];
  let old = 1;
  let fresh = 1;
  for (let at = 0; at < lines.length; at++) {
    if (near[at] === true && near[at - 1] !== true) {
      const far = near.indexOf(false, at);
      printed.push(head(lines.slice(at, far < 0 ? lines.length : far), old, fresh));
    }
    const [mark, text] = lines[at] ?? [' ', ''];
    if (near[at] === true) printed.push(`${mark}${text}`);
    if (mark !== '+') old++;
    if (mark !== '-') fresh++;
  }
  return printed;
}

function head(lines: readonly Line[], old: number, fresh: number): string {
  const olds = lines.filter(([mark]) => mark !== '+').length;
  const news = lines.filter(([mark]) => mark !== '-').length;
  return `@@ -${olds === 0 ? old - 1 : old},${olds} +${news === 0 ? fresh - 1 : fresh},${news} @@`;
}
