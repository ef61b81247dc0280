/** Filters of jq, and expressions of the two programs named yq: whether one only computes on the program's own input. */
import { data } from '../../generated/data.js';

/** The contents of rules/filter-words.yaml: words separated by blanks. */
interface WordLists {
  readonly language: string;
  readonly jq: string;
  readonly yq: string;
}

let known: ReadonlySet<string> | null = null;

/** The words that only compute. */
function knownWords(): ReadonlySet<string> {
  if (known === null) {
    const { language, jq, yq } = data('filter-words') as WordLists;
    known = new Set([language, jq, yq].flatMap((words) => words.split(' ')));
  }
  return known;
}

const BLANKS = /[ \t\r\n]+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** `.name`; yq includes hyphens in the name, where jq subtracts the result of a function, which is then checked as part of the filter. */
const FIELD = /\.[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z_][A-Za-z0-9_]*)*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** A variable, except those with a special meaning: `$ENV`, and names with two underscores. */
const VARIABLE = /\$(?!ENV\b|__)[A-Za-z_][A-Za-z0-9_]*/y;
const FORMAT =
  /@(?:text|json|html|uri|urid|csv|tsv|sh|base32d?|base64d?|yaml|yamld|jsond|props|propsd|csvd|tsvd|xml|xmld|uri)\b/y;
const OPERATOR = /\.{1,3}|[|,:;+\-*/%=<>!?]/y;
/** Part of a string, up to its end or to a value inside it. */
const STRING_PART = /(?:[^"\\]|\\[^(])*(?:"|\\\()/y;
/** What may follow a name that is a key of an object. */
const BEHIND_KEY = /[ \t\r\n]*(?:[,}]|:(?!:))/y;
const PAIRS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
/** A value inside a string: its closing parenthesis continues the string. */
const INSIDE = '"';

interface Reading {
  readonly text: string;
  at: number;
  readonly open: string[];
  /** The last token, if it was an operator or bracket. */
  before: string;
}

/**
 * True if every word of the filter is known and none can do more than compute. One pass, no backtracking. Function definitions
 * and comments are rejected: what a name means, and where a comment ends, depends on the version.
 */
export function filterComputesOnly(text: string): boolean {
  const reading: Reading = { text, at: 0, open: [], before: '' };
  while (reading.at < text.length) if (!readToken(reading)) return false;
  return reading.open.length === 0;
}

function readToken(reading: Reading): boolean {
  const { text, at } = reading;
  const letter = text[at] ?? '';
  if (take(reading, BLANKS) !== null) return true;
  if (letter === '"') return readString(reading, at + 1);
  if ('([{'.includes(letter)) {
    reading.open.push(letter);
    return readMark(reading, letter);
  }
  const opening = PAIRS.get(letter);
  if (opening !== undefined) {
    const last = reading.open.pop();
    if (letter === ')' && last === INSIDE) return readString(reading, at + 1);
    return last === opening && readMark(reading, letter);
  }
  if (take(reading, NUMBER) !== null || take(reading, FIELD) !== null) return other(reading);
  if (take(reading, VARIABLE) !== null || take(reading, FORMAT) !== null) return other(reading);
  const name = take(reading, NAME);
  if (name !== null) return (knownWords().has(name) || isKey(reading)) && other(reading);
  const operator = take(reading, OPERATOR);
  if (operator === null) return false;
  reading.before = operator;
  return true;
}

/** Continues in a string; a value inside it is read as part of the filter. */
function readString(reading: Reading, from: number): boolean {
  reading.at = from;
  const part = take(reading, STRING_PART);
  if (part === null) return false;
  if (part.endsWith('\\(')) reading.open.push(INSIDE);
  return other(reading);
}

/** `{name: …}` and `{name}` name a field. */
function isKey({ text, at, open, before }: Reading): boolean {
  if (open.at(-1) !== '{' || (before !== '{' && before !== ',')) return false;
  BEHIND_KEY.lastIndex = at;
  return BEHIND_KEY.test(text);
}

function readMark(reading: Reading, mark: string): boolean {
  reading.at += 1;
  reading.before = mark;
  return true;
}

function other(reading: Reading): true {
  reading.before = '';
  return true;
}

/** Moves past a match of the sticky expression at the current position and returns it; null if there is none. */
function take(reading: Reading, expression: RegExp): string | null {
  expression.lastIndex = reading.at;
  const found = expression.exec(reading.text);
  if (found === null) return null;
  reading.at += found[0].length;
  return found[0];
}
