/** Whether an apparent credential is real: not a placeholder, an example, a reference, a piece of program code or a value from a manual. */
import { secretSpans } from '../../secret/find.js';
import type { SecretSpan } from '../../secret/tokens.js';

/** The place of the text: in prose and program code much looks like a credential; in settings and rules little does. */
export type Surroundings = 'prose' | 'settings' | 'rule';

/** Values that stand in place of a secret; the log masks them all the same. */
const PLACEHOLDER =
  /^[$<{%[*]|^(?:x{3,}|\.{3,}|your[-_ ]?|example|changeme|placeholder|redacted|dummy|test|fake|secret$|password$|token$)|\*$/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Words that people put into a value to indicate that it is not real. */
const SAYS_SO =
  /your|here|example|sample|placeholder|change|replace|insert|redact|dummy|fake|mock|xxxx|todo|foobar|secret|passw|token|goes|value|12345|abcde|qwert|aaaa|0000|\.{3}|\u2026|\*{3}|\$|[<>{}[\]]/i;

/** Values that vendors publish in their manuals (Stripe, AWS, jwt.io). */
const PUBLISHED =
  /4eC39HqLyjWDarjtT1zdp7dc|IOSFODNN7EXAMPLE|bPxRfiCYEXAMPLEKEY|IkpvaG4gRG9l|TYooMQauvdEDq54NiTphI7jx|BQokikJOvBiI2HlWgH4olfQ2/;

/** Passwords of databases on a person's own machine. */
const LOCAL = /postgres|mysql|mongo|redis|admin|root|local|dev|guest|demo/i;

/** Keys that are meant to be public. */
const PUBLIC = /^pk_(?:live|test)_/;

/** Kinds that are identified by a name before the value, not by the value itself. */
const NAMED: ReadonlySet<string> = new Set(['secret', 'password', 'credentials']);

/** Names that are used only for secrets. */
const STRONG_NAME =
  /(?:api[-_ ]?key|access[-_ ]?key|secret[-_ ]?key|token|secret|passw(?:or)?d|passphrase|pwd)["'`\s:=\\]{1,8}$|:\/\/[^\s:@/]*:$/i;
/** Stored in a database instead of a password: salt and hash, bcrypt, argon2. */
const HASH =
  /^(?:[0-9a-f]{16,}:[0-9a-f]{32,}|\$(?:2[abxy]|argon2\w*|pbkdf2[\w-]*|scrypt|[156y])\$.*|\{?(?:s?sha|pbkdf2|scrypt)[\w-]*[}:$].*)$/i;
const HEX = /^[0-9a-f-]{16,}$/i;

/** @param span of `secretSpans` */
export function isReal(text: string, { start, end, kind }: SecretSpan, surroundings: Surroundings): boolean {
  const value = text.slice(start, end);
  if (isPlaceholder(value) || PUBLISHED.test(value) || PUBLIC.test(value)) return false;
  // A nonce, which everybody on the way may see.
  if (/Sec-WebSocket-(?:Key|Accept)\W+$/i.test(text.slice(Math.max(0, start - 40), start))) return false;
  if (kind === 'private-key') return isKeyBody(value);
  if (SAYS_SO.test(withoutPrefix(value)) || isMonotonous(value)) return false;
  if (kind === 'jwt' || value.startsWith('eyJ'))
    return /^[^.]+\.[^.]+\.[^.]+$/.test(value) && value.length >= 80 && !isPublicToken(value);
  // `Authorization: token ghp_…` is identified by the word before it, but is also a token of a known form.
  const shaped = NAMED.has(kind) ? secretSpans(value).find((span) => !NAMED.has(span.kind)) : undefined;
  if (shaped !== undefined)
    return isReal(text, { ...shaped, start: start + shaped.start, end: start + shaped.end }, surroundings);
  // A client really loads these settings, so they are not an example, even if addresses near them look like one.
  if (!NAMED.has(kind)) return isScattered(withoutPrefix(value)) && (surroundings === 'settings' || !isExampleLine(text, start));
  if (isExampleLine(text, start)) return false;
  if (surroundings === 'rule') return value.length >= 6 && /\d/.test(value) && !LOCAL.test(value);
  if (kind === 'password' && HASH.test(value)) return false;
  const before = text.slice(Math.max(0, start - 40), start);
  const isNamedSo = STRONG_NAME.test(before) && !/[?&][\w-]*=$/.test(before);
  if (HEX.test(value)) return value.length >= 32 && isNamedSo;
  return isScattered(withoutPrefix(value)) && (surroundings === 'settings' || (isNamedSo && isAssigned(text, start)));
}

/** A Supabase token that every visitor of a page receives: it states that it is for the role `anon`. */
function isPublicToken(value: string): boolean {
  const claims = value.split('.')[1] ?? '';
  return claims.length < 4_000 && /"role"\s*:\s*"anon"/.test(Buffer.from(claims, 'base64url').toString('latin1'));
}

/** `ghp_`, `sk-ant-`, `xoxb-`: the vendor chose these, so they indicate nothing about the rest. */
function withoutPrefix(value: string): string {
  return value.replace(/^(?:[A-Za-z]{2,10}[-_.]){1,3}/, '');
}

/** At least 12 characters, letters and digits, mostly not words. */
function isScattered(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value) && !isWordy(value);
}

/** At least half of it consists of runs of lower-case letters, as in names and sentences. */
function isWordy(value: string): boolean {
  const words = value.match(/[a-z]{4,}/g) ?? [];
  return words.join('').length * 2 >= value.length;
}

/** Few different characters, as in `a1B2a1B2a1B2`. */
function isMonotonous(value: string): boolean {
  return new Set(value).size < Math.min(8, value.length / 2);
}

/** A key as stored in a file: complete lines of base64. */
function isKeyBody(value: string): boolean {
  return /[A-Za-z0-9+/]{40}/.test(value) && !/\.{3}|\u2026|<|\*{3}/.test(value) && !isMonotonous(value.slice(30));
}

const NEAR = 200;

function isExampleLine(text: string, start: number): boolean {
  const from = Math.max(0, start - NEAR);
  const before = text.slice(from, start).split('\n').slice(-2).join('\n');
  const behind = text.slice(start, start + NEAR).split('\n')[0] ?? '';
  return /\b(?:examples?|e\.g\.|sample|fake|dummy|mock(?:ed)?|placeholder|pattern|regex|such as|looks like|bad|wrong|never|don't|fixture)\b/i.test(
    `${before}${behind}`,
  );
}

/** `NAME=value`, `"name": "value"`, `name: value`: the value is set, and not only mentioned. */
function isAssigned(text: string, start: number): boolean {
  return /[=:]\s?["'`]?$|[=:]\s{0,3}["'`]$|--[\w-]+[= ]["']?$|(?:bearer|basic) $/i.test(
    text.slice(Math.max(0, start - 60), start),
  );
}
