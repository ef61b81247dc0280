/** Secrets that their name gives away: `TOKEN=…`, `--password …`, `"apiKey": "…"`, `Authorization: …`. */
import { isNoReference, type SecretSpan } from './secret-tokens.js';

/** A text without any of these names nothing secret; checked first because most texts have none. */
const MARKS = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'auth',
  'cred',
  'cookie',
  'bearer',
  'sig',
  'salt',
  'sas',
  'mnemonic',
  'jwt',
  'pat',
  'connection',
];

const PASSWORD = /(?:passw(?:or)?d|passphrase|passcode|passwd|pwd|[_-]pass|^pass)[_-]?\d{0,3}$/i;
const SECRET =
  /(?:secret|token|credentials?|(?:api|access|secret|private|auth|account|sharedaccess|shared_access|encryption|encrypt|signing|master|license|deploy|storage|app|client|service|admin|session|webhook|jwt|hmac|consumer|subscription|registration)[-_.]?key|key[-_]?base|_auth|auth[-_]?(?:pass|data)?|connection[-_]?string|mnemonic|seed[-_]?phrase|jwt|bearer)[-_.]?\d{0,3}$/i;
/** Names of many things: a value of theirs is a secret only when it looks random. */
const MAYBE = /(?:key|pass|creds?|sig|signature|salt|pat|sas|id_rsa|dsn)\d{0,3}$/i;
/** Headers whose whole value is secret, with the scheme in front of it kept. */
const HEADER = /^(?:(?:proxy-|x-)?authorization|(?:set-)?cookie2?)$/i;
const SCHEME = /(?:(?:basic|bearer|token|digest|apikey|negotiate|hawk|ntlm|aws4-hmac-sha256)\s{1,4})?/iy;

const WORD = /[A-Za-z_][\w.-]*/g;
/** What stands between a name and its value: `=`, `: `, `" => "`, `\": \"`, `:=`. */
const ASSIGNS = /(\\{0,2}["'`])?([^\S\n]{0,3})(?::=|=>|[:=])[^\S\n]{0,3}/y;
const SPACE = /[^\S\n]{1,4}/y;
/** Words in front of a name whose value follows after a space: `npm config set NAME VALUE`. */
const SETS = /(?:^|\s)(?:set|setx|setenv|config|--(?:global|local|system)|-g?x|-Ux)\s+\S{0,80}$/;

/** Every value of a secret-like name. Linear: names do not overlap, and reading goes on behind a value that was taken. */
export function namedSpans(text: string): SecretSpan[] {
  const lower = text.toLowerCase();
  if (!MARKS.some((mark) => lower.includes(mark))) return [];
  const spans: SecretSpan[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const span = secretOf(text, found.index, found[0]);
    if (span === null) continue;
    spans.push(span);
    WORD.lastIndex = span.end;
  }
  return spans;
}

/** What a name promises of its value. */
export type Secrecy = 'password' | 'secret' | 'maybe';

/** What the name of a field, variable or option promises; null when it promises nothing. */
export function secrecyOf(name: string): Secrecy | null {
  if (name === 'PWD' || name === 'OLDPWD') return null;
  if (PASSWORD.test(name)) return 'password';
  if (SECRET.test(name) || HEADER.test(name)) return 'secret';
  return MAYBE.test(name) ? 'maybe' : null;
}

/** Whether `value`, found under a name of that promise, is a secret. */
export function isSecretValue(value: string, secrecy: Secrecy): boolean {
  if (value === '' || !isNoReference(value) || PLAIN.test(value)) return false;
  if (secrecy === 'maybe') return looksRandom(value);
  if (isPath(value)) return false;
  if (secrecy === 'password') return true;
  return value.length >= 6 && !/^\d{1,9}$/.test(value);
}

/** Words that stand where a secret would: types, switches, descriptions of how to give it. */
const PLAIN =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|auto|string|str|number|bool|boolean|required|optional|always|never|prompt|stdin|default|enabled|disabled|any|unknown|env|file|store|cache|osxkeychain|libsecret|manager|-|(?:id|type|src|source|env|target)=.*|(?:env|file):\w.*)[,;)\]]?$/is;

/** `/run/secrets/db`, `./token.txt`, `@body.json`: where a secret lies is not the secret. */
function isPath(value: string): boolean {
  return (
    /^(?:@|~\/|\.{1,2}\/|\/|[A-Za-z]:\\)[\w.@ /\\-]{0,200}$/.test(value) && !looksRandom(value.slice(value.lastIndexOf('/') + 1))
  );
}

/** At least 16 characters of a token's alphabet that no person would think up: digits among letters, few repetitions. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length);
  return entropy >= (/^[0-9a-fA-F]+$/.test(value) ? 2.8 : 3.2) && !/[a-z]{4,}[-_./][a-z]{3,}/.test(value);
}

/** The secret value that a word of the text has, if any. */
function secretOf(text: string, start: number, word: string): SecretSpan | null {
  const name = word.replace(/[.-]+$/, '');
  const secrecy = secrecyOf(name);
  if (secrecy === null) return null;
  const end = start + name.length;
  const from = afterAssignment(text, start, end) ?? afterSpace(text, start, end);
  if (from === null) return null;
  if (HEADER.test(name)) return headerValue(text, from);
  const value = readValue(text, from);
  if (value === null || !isSecretValue(value.text, secrecy)) return null;
  if (value.loose && isCode(text, from, value.text, value.end)) return null;
  return { start: value.start, end: value.end, kind: secrecy === 'password' ? 'password' : 'secret' };
}

/** Where the value of `name=value` begins; null when nothing is assigned. */
function afterAssignment(text: string, start: number, end: number): number | null {
  ASSIGNS.lastIndex = end;
  const found = ASSIGNS.exec(text);
  if (found === null) return null;
  // `grep "password:" "b c"`: a quote that opened before the name closes here and begins no value.
  const next = ASSIGNS.lastIndex;
  const quote = text[next];
  if (found[1] === undefined && (quote === '"' || quote === "'") && text[start - 1] === quote) return null;
  return next;
}

/** Where the value of `--name value` or `config set name value` begins. */
function afterSpace(text: string, start: number, end: number): number | null {
  SPACE.lastIndex = end;
  if (!SPACE.test(text)) return null;
  const next = SPACE.lastIndex;
  if (text[next] === '-') return null;
  const isFlag = text[start - 1] === '-';
  return isFlag || SETS.test(text.slice(Math.max(0, start - 100), start)) ? next : null;
}

/** All of a header up to the quote or line end that closes it, without the word that names its scheme. */
function headerValue(text: string, from: number): SecretSpan | null {
  const opening = /\\{0,2}["']?/y;
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
  /** Neither quoted nor directly behind its `=`: it may be a piece of program text. */
  readonly loose: boolean;
}

/** The quoted text or the word that begins at `from`. */
function readValue(text: string, from: number): Value | null {
  const escapes = /\\{0,2}/y;
  escapes.lastIndex = from;
  escapes.exec(text);
  const open = escapes.lastIndex;
  const quote = text[open] ?? '';
  if (quote === '"' || quote === "'" || quote === '`') return quotedValue(text, open + 1, quote);
  let end = from;
  while (end < text.length && !ENDS.has(text[end] ?? '')) end += 1;
  return { text: text.slice(from, end), start: from, end, loose: text[from - 1] === ' ' || text[from - 1] === ':' };
}

/** What ends a value without quotes. */
const ENDS: ReadonlySet<string> = new Set(' \t\r\n"\'`&;|<>(),}');

/** Null when the quote is not closed on this line or the value begins with a space: then it was no opening quote. */
function quotedValue(text: string, start: number, quote: string): Value | null {
  let end = start;
  while (end < text.length && text[end] !== quote && text[end] !== '\n') end += 1;
  if (text[start] === ' ' || text[end] === '\n') return null;
  const escaped = text[end - 1] === '\\' && end > start;
  const close = escaped ? end - 1 : end;
  return { text: text.slice(start, close), start, end: close, loose: false };
}

/** `token = request.header(…)`, `password: string;`: names of a program, not a value. */
function isCode(text: string, from: number, value: string, end: number): boolean {
  if (text[end] === '(' || text[end] === '<') return true;
  return /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[;,]?$/.test(value) || (text[from - 1] === ' ' && /^[A-Za-z_$]+;$/.test(value));
}
