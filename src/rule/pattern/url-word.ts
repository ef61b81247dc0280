/** Words of a command pattern that name an address: `http://localhost:8080/*` covers everything below it on that host, and no more. */
import { globMatch, hasWildcard } from './wildcard.js';

/** Programs that accept an address without `http://`, with those of their options that are followed by a file name. */
const FETCHERS: ReadonlyMap<string, RegExp> = new Map([
  ['curl', /^(?:-[A-Za-z]*[oDcT]|--(?:output|dump-header|cookie-jar|upload-file))$/],
  ['wget', /^(?:-[A-Za-z]*[oOaP]|--(?:output-document|output-file|append-output|directory-prefix))$/],
]);

/** `localhost:8080`, `example.com/x`, `*.example.com`. */
const HOST = /^(?:localhost|(?:\*\.)?[\w-]+(?:\.[\w-]+)+)(?::(?:\d+|\*))?(?:[/*?#]|$)/;

/** Scheme, host with port, and the rest. */
const PARTS = /^(?:([^:/?#]*):\/\/)?([^/?#]*)([\s\S]*)$/;

/** Characters of an address that is compared with a wildcard: none that curl reads as a list (`{a,b}`, `[1-9]`), and no backslash. */
const PLAIN = /^[A-Za-z0-9._~:/?#@!$&'()+,;=%-]*$/;

/** A host and optionally a port; nothing before an `@`, which would make the host a user name. */
const PLAIN_HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;

/** `..` as a path segment, in all its spellings: the parent directory on the server. */
const CLIMBS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i;

/** The words of a pattern that name an address; none for most patterns. */
export function urlWords(words: readonly string[]): readonly string[] {
  const naming = FETCHERS.get(words[0] ?? '');
  const isHost = (word: string, at: number) =>
    naming !== undefined && at > 0 && HOST.test(word) && !naming.test(words[at - 1] ?? '');
  return words.filter((word, at) => word.includes('://') || isHost(word, at));
}

/** Whether a word of a pattern covers an address. `?` is a character of the address; `:*` at the end may be a port. */
export function urlWordCovers(pattern: string, address: string): boolean {
  if (!pattern.includes('*')) return address === pattern;
  if (!PLAIN.test(address)) return false;
  const [, scheme = '', host = '', rest = ''] = PARTS.exec(pattern) ?? [];
  const [, itsScheme = '', itsHost = '', itsRest = ''] = PARTS.exec(address) ?? [];
  if (!globMatch(scheme, itsScheme) || !PLAIN_HOST.test(itsHost) || CLIMBS.test(itsRest)) return false;
  // A star at the end of the host continues the address, not the name of the host.
  const open = rest === '' && host.endsWith('*');
  if (!hostCovers(open ? host.replace(/\*+$/, '') : host, itsHost, open)) return false;
  if (open) return true;
  const wanted = literalMarks(rest.replace(/:\*$/, '*'));
  // For an address without a path, `/` is requested.
  const asked = itsRest === '' || itsRest.startsWith('?') ? `/${itsRest}` : itsRest;
  return globMatch(wanted, literalMarks(itsRest)) || globMatch(wanted, literalMarks(asked));
}

function hostCovers(host: string, itsHost: string, open: boolean): boolean {
  if (!open || host === '') return open || globMatch(host, itsHost);
  const bare = host.replace(/:$/, '');
  return globMatch(bare, itsHost) || (!/:\d+$/.test(bare) && globMatch(bare, itsHost.replace(/:\d+$/, '')));
}

/** Replaces each `?`, which is not a wildcard here. */
function literalMarks(text: string): string {
  return text.replaceAll('?', '\u0001');
}

/**
 * Whether all addresses of a command are among those that the pattern names: `curl http://localhost/* *` permits further options,
 * but no other host. True for a pattern that names none, or that has no wildcard.
 */
export function staysOnNamedHosts(pattern: string, addresses: readonly (string | null)[]): boolean {
  if (!hasWildcard(pattern)) return true;
  const words = pattern.replaceAll(/["']/g, '').split(/\s+/);
  const named = urlWords(words);
  if (named.length === 0) return true;
  const isNamed = (address: string) => words.includes(address) || named.some((word) => urlWordCovers(word, address));
  return addresses.every((address) => address !== null && isNamed(address));
}
