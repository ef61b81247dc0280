/** Finds the values of names that suggest a secret: `TOKEN=…`, `--password …`, `"apiKey": "…"`, `Authorization: …`. */
import type { Glance } from './glance.js';
import { isHeader, secrecyOf } from './names.js';
import { isNoReference, type SecretSpan } from './tokens.js';
import { isSecretValue, looksRandom } from './values.js';

/** A text without any of these marks contains no name of a secret; checked first because most texts have none. */
const MARKS =
  'pass pwd secret token key auth login cred cookie bearer sig salt sas mnemonic jwt pat dsn id_rsa connection seed'.split(' ');

const SCHEME = /(?:(?:basic|bearer|token|digest|apikey|negotiate|hawk|ntlm|aws4-hmac-sha256)(?:\\?\s){1,4})?/iy;

/** The text between a name and its value: `=`, `: `, `" => "`, `\": \"`, `:=`. */
const ASSIGNS = /(\\{0,2}["'`])?\]?([^\S\n]{0,3})(?::=|=>|[:=])[^\S\n]{0,3}/y;
const SPACE = /[^\S\n]{1,4}/y;
/** Words before a name whose value follows after a space: `npm config set NAME VALUE`. */
const SETS = /(?:^|\s)(?:set|setx|setenv|config|--(?:global|local|system)|-g?x|-Ux)\s+\S{0,80}$/;

/** The end of a text that SETS matches, followed only by spaces. */
const SETTER = /(?:set|setx|setenv|config|--(?:global|local|system)|-g?x|-Ux|\s{6})\s+$/;

const FLAG = /(?:^|[\s"'=([])--?[\w-]{0,60}$/;
const RANDOM_WORD = /[\w+/=.~-]{16,300}/y;
/** Hashes and UUIDs identify commits, images and requests far more often than they are secrets. */
const FINGERPRINT = /^[0-9a-fA-F-]+$/;

/**
 * Returns every value of a name that suggests a secret. Linear: names do not overlap, and the search continues after each value found.
 * @param lower the text in lower case
 */
export function namedSpans(text: string, lower: () => string, seen: Glance | null): SecretSpan[] {
  if (seen === null && !MARKS.some((mark) => lower().includes(mark))) return [];
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const { start, end } of seen?.words ?? [{ start: 0, end: text.length }]) {
    if (end <= done) continue;
    for (let at = Math.max(start, done); at < end; at += 1) {
      if (!beginsWord(text.charCodeAt(at))) continue;
      const from = at;
      while (isOfWord(text.charCodeAt(at))) at += 1;
      const span = secretOf(text, from, at);
      if (span !== null) {
        spans.push(span);
        at = span.end;
      }
      done = at;
      // Only after a value may the character after a word begin the next one.
      if (span !== null) at -= 1;
    }
  }
  return seen === null || spans.length === 0 || MARKS.some((mark) => lower().includes(mark)) ? spans : [];
}

/** A letter or `_`. */
function beginsWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** `[\w.-]` */
function isOfWord(code: number): boolean {
  return beginsWord(code) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}

/** The secret value assigned to a word of the text, or null. */
function secretOf(text: string, start: number, wordEnd: number): SecretSpan | null {
  let end = wordEnd;
  while (text[end - 1] === '.' || text[end - 1] === '-') end -= 1;
  if (!mayAssign(text, start, end)) return null;
  const name = text.slice(start, end);
  const secrecy = secrecyOf(name);
  if (secrecy === null) return null;
  const from = afterAssignment(text, start, end) ?? afterSpace(text, start, end);
  if (from === null) return null;
  if (isHeader(name)) return headerValue(text, from);
  const value = secretValueAt(text, from);
  if (value === null || !isSecretValue(value.literal ? value.text.replace(/^\$(?=[a-z])/, '') : value.text, secrecy)) return null;
  if (value.loose && isCode(text, value)) return null;
  if (isNameOfSecret(text, start, name, value.text)) return null;
  return { start: value.start, end: value.end, kind: secrecy === 'password' ? 'password' : 'secret' };
}

const SPACES: ReadonlySet<string> = new Set(' \t\r\f\v\u00a0\ufeff');
/** Characters that can follow a name to which a value is assigned. */
const ASSIGNING: ReadonlySet<string> = new Set(':=\\"\'`]');
/** The minimum length of a word that looks random without an assignment. */
const LEAST_RANDOM = 16;

/** Whether a value may belong to the name: a cheap check that rules out nearly every word of a sentence. */
function mayAssign(text: string, start: number, end: number): boolean {
  const next = text[end] ?? '';
  if (!SPACES.has(next)) return ASSIGNING.has(next) || next > '\u007f';
  let at = end + 1;
  while (SPACES.has(text[at] ?? '')) at += 1;
  if (ASSIGNING.has(text[at] ?? '') || (text[at] ?? '') > '\u007f') return true;
  // An option, or a name after `set`: the text before it decides.
  if (!SPACES.has(text[start - 1] ?? '') || SETTER.test(text.slice(Math.max(0, start - 16), start))) return true;
  let length = 0;
  while (length < LEAST_RANDOM && !SPACES.has(text[at + length] ?? ' ') && text[at + length] !== '\n') length += 1;
  return length === LEAST_RANDOM;
}

/** Where the value of `name=value` begins; null if nothing is assigned. */
function afterAssignment(text: string, start: number, end: number): number | null {
  ASSIGNS.lastIndex = end;
  const found = ASSIGNS.exec(text);
  if (found === null) return null;
  // `grep "password:" "b c"`: a quote opened before the name closes here and does not begin a value.
  const next = ASSIGNS.lastIndex;
  const quote = text[next];
  if (found[1] === undefined && (quote === '"' || quote === "'") && text[start - 1] === quote) return null;
  return next;
}

/** Where the value of `--name value`, `config set name value` or `name q7Vw2…` begins. */
function afterSpace(text: string, start: number, end: number): number | null {
  SPACE.lastIndex = end;
  if (!SPACE.test(text)) return null;
  const next = SPACE.lastIndex;
  if (text[next] === '-') return null;
  const before = text.slice(Math.max(0, start - 100), start);
  if (FLAG.test(before) || SETS.test(before)) return next;
  RANDOM_WORD.lastIndex = next;
  const word = RANDOM_WORD.exec(text)?.[0] ?? '';
  return looksRandom(word) && !FINGERPRINT.test(word) ? next : null;
}

/** The rest of a header up to the closing quote or line end, without the word for its scheme. */
function headerValue(text: string, from: number): SecretSpan | null {
  const opening = /(?:\\[ ]){0,2}\\{0,2}["']?/y;
  opening.lastIndex = from;
  opening.exec(text);
  SCHEME.lastIndex = opening.lastIndex;
  SCHEME.exec(text);
  const start = SCHEME.lastIndex;
  let end = start;
  while (end < text.length && !'"\'\n\r`\\'.includes(text[end] ?? '')) end += 1;
  const value = text.slice(start, end).trimEnd();
  return value.length >= 4 && isNoReference(value) ? { start, end: start + value.length, kind: 'credentials' } : null;
}

interface Value {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Neither quoted nor directly after its `=`: it may be part of program code. */
  readonly loose: boolean;
  /** In single quotes, in which a shell expands nothing. */
  readonly literal: boolean;
}

/** The quoted text or the word that begins at `from`. */
function secretValueAt(text: string, from: number): Value | null {
  const escapes = /\\{0,2}/y;
  escapes.lastIndex = from;
  escapes.exec(text);
  const open = escapes.lastIndex;
  const quote = text[open] ?? '';
  if (quote === '"' || quote === "'" || quote === '`') return quotedValue(text, open + 1, quote);
  let end = from;
  while (end < text.length && !ENDS.has(text[end] ?? '')) end += 1;
  return {
    text: text.slice(from, end),
    start: from,
    end,
    loose: text[from - 1] === ' ' || text[from - 1] === ':',
    literal: false,
  };
}

/** Characters that end a value without quotes. */
const ENDS: ReadonlySet<string> = new Set(' \t\r\n"\'`&;|<>(),}');

/** Null if the quote is not closed on this line or the value begins with a space: then it was not an opening quote. */
function quotedValue(text: string, start: number, quote: string): Value | null {
  let end = start;
  while (end < text.length && text[end] !== quote && text[end] !== '\n') end += 1;
  if (text[start] === ' ' || text[end] === '\n') return null;
  const escaped = text[end - 1] === '\\' && end > start;
  const close = escaped ? end - 1 : end;
  return { text: text.slice(start, close), start, end: close, loose: false, literal: quote === "'" };
}

/** `token = request.header(…)`, `password: string;`, `password: body.password,`: identifiers of a program, not a value. */
function isCode(text: string, { text: value, start, end }: Value): boolean {
  const next = text[end] ?? '';
  if (next === '(' || next === '<') return true;
  if (/^[A-Za-z_$]+;$/.test(value)) return text[start - 1] === ' ';
  const isChain = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+;?$/.test(value);
  return isChain && (value.endsWith(';') || (next !== '' && ',)}'.includes(next)) || text.slice(0, start).endsWith('= '));
}

/** `--secret=db-password`, `existingSecret=desk-auth`: the name of a secret, not the secret itself. */
function isNameOfSecret(text: string, start: number, name: string, value: string): boolean {
  const names = /existing[-_]?secret$/i.test(name) || (name === 'secret' && text[start - 1] === '-');
  return names && /^[a-z]+(?:[-_/][a-z]+)*$/.test(value);
}
