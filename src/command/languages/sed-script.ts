/** Sed scripts: whether one only changes what it prints. All others may read and write files or run commands. */

const BLANKS = /[ \t]*/y;
/** A line number, the last line, or a step. */
const NUMBER = /\$|\d+(?:~\d+)?/y;
const DISTANCE = /[+~]\d+/y;
/** Commands without an argument that access no file. */
const PLAIN = 'pPdDqnNgGhHxl=';
/**
 * Commands that print the rest of their line; GNU sed only, others reject them in this form. A backslash would continue on the next line.
 */
const TEXTUAL = 'aic';
const TEXT = /[ \t]+[^\s\\][^\n\\]*/y;
/** Jumps to a label. For some versions of sed, a label extends to the end of the line: then the text after it has no effect. */
const JUMPS = 'btT';
const LABEL = /[ \t]*[A-Za-z0-9_]{1,32}(?=[ \t]*(?:[;\n]|$))/y;
/** Delimiters of `s` that have no other meaning in it. */
const DELIMITERS = '/|#,@:%';
const FLAGS = /[gpIi0-9]*/y;
const SEPARATORS = /[ \t;\n]*/y;
const CLASS = /\[:[a-z]+:\]/y;

/**
 * True if every command of the script is known to affect only the output. One pass, no backtracking. Read so that GNU sed (which
 * looks for the delimiter even inside brackets) and BSD sed (which does not) agree on where each part ends.
 */
export function printsOnly(script: string): boolean {
  let blocks = 0;
  let at = skip(SEPARATORS, script, 0);
  while (at < script.length) {
    if (script[at] === '}') {
      blocks -= 1;
      at += 1;
    } else {
      const begun = readBlock(script, at);
      if (begun >= 0) {
        blocks += 1;
        at = skip(SEPARATORS, script, begun);
        continue;
      }
      at = readCommand(script, at);
    }
    if (at < 0 || blocks < 0) return false;
    const next = skip(SEPARATORS, script, at);
    // Commands need a separator between them, and a blank is not one.
    if (next < script.length && script[next] !== '}' && !/[;\n]/.test(script.slice(at, next))) return false;
    at = next;
  }
  return blocks === 0;
}

/** The offset after the brace that begins a block; -1 when there is no block here. */
function readBlock(script: string, from: number): number {
  const at = readCondition(script, from);
  return at >= 0 && script[at] === '{' ? at + 1 : -1;
}

/** The offset after addresses and `!`; -1 when an address has no end. */
function readCondition(script: string, from: number): number {
  const range = readRange(script, from);
  if (range < 0) return -1;
  const at = skip(BLANKS, script, range);
  return script[at] === '!' ? skip(BLANKS, script, at + 1) : at;
}

/** The offset after one command with its addresses; -1 when it is not known. */
function readCommand(script: string, from: number): number {
  const at = readCondition(script, from);
  const command = at < 0 ? undefined : script[at];
  if (command === undefined) return -1;
  if (PLAIN.includes(command)) return at + 1;
  if (TEXTUAL.includes(command)) return found(TEXT, script, at + 1);
  if (command === ':') return at === from ? found(LABEL, script, at + 1) : -1;
  // Without a label, it jumps to the end.
  if (JUMPS.includes(command)) return skip(LABEL, script, at + 1);
  const delimiter = script[at + 1] ?? '';
  if (delimiter === '' || !DELIMITERS.includes(delimiter)) return -1;
  if (command === 'y') return readLetters(script, at + 2, delimiter);
  if (command !== 's') return -1;
  const replacement = readPart(script, at + 2, delimiter, true);
  const end = replacement < 0 ? -1 : readPart(script, replacement, delimiter, false);
  return end < 0 ? -1 : skip(FLAGS, script, end);
}

/** The offset after both lists of `y/abc/xyz/`; -1 if they contain a bracket, which begins a set in some versions of sed. */
function readLetters(script: string, from: number, delimiter: string): number {
  const second = readPart(script, from, delimiter, false);
  const end = second < 0 ? -1 : readPart(script, second, delimiter, false);
  return end < 0 || script.slice(from, end).includes('[') ? -1 : end;
}

/** The offset after the addresses, if there are any; -1 when one has no end. */
function readRange(script: string, from: number): number {
  const first = readAddress(script, from);
  if (first <= from || script[first] !== ',') return first;
  const distance = skip(DISTANCE, script, first + 1);
  const second = distance > first + 1 ? distance : readAddress(script, first + 1);
  return second > first + 1 ? second : -1;
}

function readAddress(script: string, from: number): number {
  if (script[from] !== '/') return skip(NUMBER, script, from);
  const end = readPart(script, from + 1, '/', true);
  return script[end] === 'I' ? end + 1 : end;
}

/**
 * The offset after the delimiter that ends a regular expression (`brackets`: a `[` begins a set in it) or a replacement; -1 if
 * there is none, or versions of sed would disagree.
 */
function readPart(script: string, from: number, delimiter: string, brackets: boolean): number {
  for (let at = from; at < script.length; at += 1) {
    const letter = script[at];
    if (letter === delimiter) return at + 1;
    if (letter === '\n') return -1;
    if (letter === '\\') {
      at += 1;
      if (script[at] === '\n') return -1;
    } else if (brackets && letter === '[') {
      const end = readBracket(script, at, delimiter);
      if (end < 0) return -1;
      at = end;
    }
  }
  return -1;
}

/** The offset of the `]` that ends a simple bracket expression, without a delimiter, backslash or anything unusual; else -1. */
function readBracket(script: string, from: number, delimiter: string): number {
  const start = script[from + 1] === '^' ? from + 2 : from + 1;
  if (script[start] === ']') return -1;
  for (let at = start; at < script.length; at += 1) {
    const letter = script[at] ?? '';
    if (letter === ']') return at;
    if (letter === delimiter || letter === '\\' || letter === '\n') return -1;
    if (letter === '[' && /[.=:]/.test(script[at + 1] ?? '')) {
      const end = skip(CLASS, script, at);
      if (end === at || delimiter === ':') return -1;
      at = end - 1;
    }
  }
  return -1;
}

/** The offset after a match of the sticky expression at `from`; -1 if there is none. */
function found(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** The offset after a match of the sticky expression at `from`; `from` if there is none. */
function skip(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : from;
}
