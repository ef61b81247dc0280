/** Breaks sentences into lines that fit on a terminal. */

/** The colors that this program sets; text from files no longer contains its own (escape.ts). */
const COLOR = /\u001b\[[\d;]*m/g;

/** Returns the number of columns of a text. */
function shownLength(text: string): number {
  return text.includes('\u001b') ? text.replace(COLOR, '').length : text.length;
}

/**
 * Returns the lines of `text`, each at most `width` characters wide, broken at spaces; a single word that is too long is broken
 * after a slash, or else anywhere. Always at least one line.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => pieces(part, width))) {
    if (line !== '' && shownLength(line) + 1 + shownLength(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Cuts a word into parts of at most `width` characters; surrogate pairs stay whole. A word with colors is left as it is. */
function pieces(word: string, width: number): readonly string[] {
  if (word.length <= width || word.includes('\u001b')) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part.length + character.length > width) {
      const slash = part.lastIndexOf('/') + 1;
      const kept = slash > width / 2 ? slash : part.length;
      parts.push(part.slice(0, kept));
      part = part.slice(kept);
    }
    part += character;
  }
  return [...parts, part];
}

/** Lines to copy, which stay whole however long they are: commands, and hints about how to see more. */
const WHOLE = /^ *(?:fix: |to allow it: |or: |\$ |= more: |To undo this: )/;
/** The beginning of a line that determines the indentation of its continuation: a mark or word before a column, or `= help: `. */
const HEAD = /^ *(?:= \w+: |\S+(?: \S+)* {2,})/;

/** Wraps every line that is wider than a terminal at words, and indents the rest below the line's beginning. */
export function fold(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => folded(line, width))
    .join('\n');
}

function folded(line: string, width: number): string {
  const plain = line.replace(COLOR, '');
  if (plain.length <= width || WHOLE.test(plain)) return line;
  const indent = plain.search(/[^ ]/);
  const head = HEAD.exec(plain)?.[0].length ?? 0;
  const hang = head > 0 && head <= width / 3 ? head : indent + 2;
  const cut = indexOfColumn(line, head > 0 && head <= width / 3 ? head : indent);
  const [first = '', ...rest] = wrap(line.slice(cut), width - hang);
  return [`${line.slice(0, cut)}${first}`.trimEnd(), ...rest.map((part) => `${' '.repeat(hang)}${part}`)].join('\n');
}

/** Returns the index of a column in a text with colors; colors before it belong to the preceding text. */
function indexOfColumn(text: string, column: number): number {
  let shown = 0;
  for (let at = 0; at < text.length; ) {
    const color = /^\u001b\[[\d;]*m/.exec(text.slice(at, at + 16))?.[0].length ?? 0;
    if (color === 0 && shown === column) return at;
    if (color === 0) shown += 1;
    at += color || 1;
  }
  return text.length;
}
