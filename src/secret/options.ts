/** Secrets recognisable only by their command: `mysql -psecret`, `curl -u user:secret`, and encoded secrets. */
import { type Glance, LONG_CODE } from './glance.js';
import { isNoReference, type SecretSpan, shapedSpans, tokenSpans } from './tokens.js';

/** Strings that begin or belong to a command with a secret option, in lower case. */
const MARKS: readonly string[] = 'pass:,base64,password,identified,machine,auth,value,</'.split(',');

/**
 * The patterns for a mark: a command, and an option of it that ends with the secret. The gap between them is bounded. Created
 * only if a text contains the mark: creating a pattern takes longer than searching for all marks.
 */
function patternsOf(mark: string, lower: string): readonly RegExp[] {
  switch (mark) {
    case 'pass:':
      return [/-pass(?:in|out)?\s{1,4}["']?pass:([^\s"']+)/g];
    case 'base64':
      return [/\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?[^\s:"'|]{1,100}:([^\s"'|]{1,200})["']?\s{0,4}\|\s{0,4}base64/g];
    case 'password':
      return [/\bpassword\s{1,4}'([^'\n]{1,200})'/gi];
    case 'identified':
      return [/\bidentified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by\s{1,4}'([^'\n]{1,200})'/gi];
    case 'machine':
      return [/\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S+)/g];
    case 'auth':
      return [/\bauth\s?=\s?\(\s?["'][^"'\n]{0,100}["'],\s?["']([^"'\n]{1,200})/g];
    case 'value':
      return lower.includes('=')
        ? [/\b(?:key|name)\s?=\s?["'][\w.-]{0,60}(?:key|token|secret|password|pwd)["']\s{1,4}value\s?=\s?["']([^"'\n]{1,300})/gi]
        : [];
    case '</':
      return [/<[\w.:-]{0,60}(?:key|token|secret|password|passphrase|pwd)>([^<>\n]{3,300})<\//gi];
    default:
      throw new RangeError(`${mark} is no mark`);
  }
}

/**
 * Returns the secrets in options of known commands.
 * @param lower the text in lower case
 */
export function optionSpans(text: string, lower: () => string, seen: Glance | null): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const mark of MARKS) {
    if (seen?.mayHold(mark) === false || !lower().includes(mark)) continue;
    for (const pattern of patternsOf(mark, lower())) collect(text, pattern, spans);
  }
  return spans;
}

function collect(text: string, pattern: RegExp, into: SecretSpan[]): void {
  for (const { index, 0: found, 1: value = '' } of text.matchAll(pattern)) {
    if (!isNoReference(value)) continue;
    const start = index + found.lastIndexOf(value);
    into.push({ start, end: start + value.length, kind: 'password' });
  }
}

const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const MOST_ENCODED = 64;

/** Returns runs of base64 that contain a token or a private key when decoded. A run without capital letters is a hash or a path. */
export function encodedSpans(text: string, seen: Glance | null): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let runs = 0;
  let done = 0;
  for (const { start, end } of seen?.codes ?? [{ start: 0, end: text.length }]) {
    ENCODED.lastIndex = Math.max(start, done);
    while (ENCODED.lastIndex <= end - LONG_CODE) {
      const found = ENCODED.exec(text);
      if (found === null || ++runs > MOST_ENCODED) return spans;
      done = ENCODED.lastIndex;
      if (isEncodedSecret(found[0])) spans.push({ start: found.index, end: done, kind: 'encoded-secret' });
    }
  }
  return spans;
}

function isEncodedSecret(run: string): boolean {
  if (run === run.toLowerCase() || run === run.toUpperCase()) return false;
  const decoded = Buffer.from(run, 'base64').toString('latin1');
  return tokenSpans(decoded, null).length > 0 || shapedSpans(decoded, () => decoded.toLowerCase(), null).length > 0;
}
