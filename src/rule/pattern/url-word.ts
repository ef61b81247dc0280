/** Words of a command pattern that name an address: `http://localhost:8080/*` stands for what lies below it on that host, and no more. */
import { globMatch, hasWildcard } from './wildcard.js';

/** Programs that take an address without `http://`, with their options behind which a file is named. */
const FETCHERS: ReadonlyMap<string, RegExp> = new Map([
  ['curl', /^(?:-[A-Za-z]*[oDcT]|--(?:output|dump-header|cookie-jar|upload-file))$/],
  ['wget', /^(?:-[A-Za-z]*[oOaP]|--(?:output-document|output-file|append-output|directory-prefix))$/],
]);

/** `localhost:8080`, `example.com/x`, `*.example.com`. */
const HOST = /^(?:localhost|(?:\*\.)?[\w-]+(?:\.[\w-]+)+)(?::(?:\d+|\*))?(?:[/*?#]|$)/;

/** Scheme, host with port, and the rest. */
const PARTS = /^(?:([^:/?#]*):\/\/)?([^/?#]*)([\s\S]*)$/;

/** What may stand in an address that a wildcard is compared with: nothing that curl takes for a list (`{a,b}`, `[1-9]`), no backslash. */
const PLAIN = /^[A-Za-z0-9._~:/?#@!$&'()+,;=%-]*$/;

/** A host and perhaps a port; nothing before an `@`, which would make the host a user's name. */
const PLAIN_HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;

/** `..` as a part of the path, in all its spellings: the server's next folder up. */
const CLIMBS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i;

/** The words of a pattern that name an address; none for most. */
export function urlWords(words: readonly string[]): readonly string[] {
  const naming = FETCHERS.get(words[0] ?? '');
  const isHost = (word: string, at: number) =>
    naming !== undefined && at > 0 && HOST.test(word) && !naming.test(words[at - 1] ?? '');
  return words.filter((word, at) => word.includes('://') || isHost(word, at));
}

/** Whether an address is one that a word of a pattern stands for. `?` is a character of the address; `:*` at the end may be a port. */
export function urlWordCovers(pattern: string, address: string): boolean {
  if (!pattern.includes('*')) return address === pattern;
  if (!PLAIN.test(address)) return false;
  const [, scheme = '', host = '', rest = ''] = PARTS.exec(pattern) ?? [];
  const [, itsScheme = '', itsHost = '', itsRest = ''] = PARTS.exec(address) ?? [];
  if (!globMatch(scheme, itsScheme) || !PLAIN_HOST.test(itsHost) || CLIMBS.test(itsRest)) return false;
  // A star where the host ends continues the address, not the name of the host.
  const open = rest === '' && host.endsWith('*');
  if (!hostCovers(open ? host.replace(/\*+$/, '') : host, itsHost, open)) return false;
  if (open) return true;
  const wanted = literalMarks(rest.replace(/:\*$/, '*'));
  // An address without a path is asked for `/`.
  const asked = itsRest === '' || itsRest.startsWith('?') ? `/${itsRest}` : itsRest;
  return globMatch(wanted, literalMarks(itsRest)) || globMatch(wanted, literalMarks(asked));
}

function hostCovers(host: string, itsHost: string, open: boolean): boolean {
  if (!open || host === '') return open || globMatch(host, itsHost);
  const bare = host.replace(/:$/, '');
  return globMatch(bare, itsHost) || (!/:\d+$/.test(bare) && globMatch(bare, itsHost.replace(/:\d+$/, '')));
}

/** With something in the place of each `?` that no wildcard is. */
function literalMarks(text: string): string {
  return text.replaceAll('?', '\u0001');
}

/**
 * Whether a command with these addresses stays with those that the pattern names: `curl http://localhost/* *` lets options follow, and
 * no other host. True for a pattern that names none, or that has no wildcard.
 */
export function staysOnNamedHosts(pattern: string, addresses: readonly (string | null)[]): boolean {
  if (!hasWildcard(pattern)) return true;
  const words = pattern.replaceAll(/["']/g, '').split(/\s+/);
  const named = urlWords(words);
  if (named.length === 0) return true;
  const isNamed = (address: string) => words.includes(address) || named.some((word) => urlWordCovers(word, address));
  return addresses.every((address) => address !== null && isNamed(address));
}
