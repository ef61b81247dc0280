/** Compiles and matches URL patterns: `domain:host` or a glob over the URL. Hosts are compared as the WHATWG parser reads them. */
import type { PatternMistake } from './pattern-mistake.js';
import type { Effect } from './permission-rule.js';
import { globMatch, hasWildcard } from './wildcard.js';

/** The longest URL that an allow covers. */
const MAX_URL = 8192;

/** The hosts of a pattern: one, all below one (`*.example.com`), every host, or (ask and deny only) a glob. */
export interface HostPattern {
  readonly scope: 'exact' | 'below' | 'every' | 'glob';
  readonly host: string;
}

/** A compiled URL pattern; plain data. */
export type UrlPattern =
  | { readonly kind: 'domain'; readonly host: HostPattern }
  /** For an allow: the scheme is literal, the port literal or `*`, `path` is a glob over path, query and fragment. */
  | {
      readonly kind: 'address';
      readonly scheme: string;
      readonly host: HostPattern;
      readonly port: string;
      readonly path: string;
    }
  /** For ask and deny: a glob over the whole text. */
  | { readonly kind: 'text'; readonly glob: string };

/** A URL, parsed once per call. */
export interface UrlReading {
  readonly text: string;
  /** Null when it cannot be parsed; then its target is unknown. */
  readonly url: URL | null;
  /** In lower case, without a trailing dot; `''` if there is none. */
  readonly host: string;
  /** The URL without user info and with `host`: equal for many spellings of one address. */
  readonly plain: string;
}

/**
 * Compiles the pattern of a URL tool: `domain:example.com`, `domain:*.example.com` (subdomains only), `domain:*`, else a glob. An
 * allow's glob needs a literal scheme, and a host that is literal, `*` or `*.name`: otherwise `https://docs.example.com*` would
 * cover `https://docs.example.com.evil.example`.
 */
export function compileUrl(pattern: string, effect: Effect): UrlPattern | PatternMistake {
  if (!pattern.startsWith('domain:')) return effect === 'allow' ? compileAddress(pattern) : { kind: 'text', glob: pattern };
  const host = hostPattern(pattern.slice('domain:'.length), effect);
  return 'code' in host ? host : { kind: 'domain', host };
}

function compileAddress(pattern: string): UrlPattern | PatternMistake {
  const parts = /^(https?):\/\/([^/?#:@\\\s]+)(?::(\d+|\*))?(?:(\/[^\\\s]*))?$/i.exec(pattern);
  const scheme = parts?.[1]?.toLowerCase();
  const host = hostPattern(parts?.[2] ?? '', 'allow');
  if (scheme === undefined || 'code' in host) {
    return {
      code: 'rule/url-origin',
      message: 'An allow rule must name where the request goes: write domain:example.com or https://example.com/*.',
    };
  }
  // `http://localhost:*` is any port and whatever follows.
  const path = parts?.[4] ?? (host.scope === 'every' || parts?.[3] === '*' ? '/*' : '/');
  return { kind: 'address', scheme: `${scheme}:`, host, port: portOf(scheme, parts?.[3]), path };
}

/** The port in the form of `URL.port`: empty for the scheme's default; `*`: any. */
function portOf(scheme: string, port: string | undefined): string {
  const own = scheme === 'https' ? '443' : '80';
  return port === undefined || port === own ? '' : port;
}

function hostPattern(text: string, effect: Effect): HostPattern | PatternMistake {
  const wrong = {
    code: 'rule/domain',
    message: 'Write one host after domain:, for example domain:example.com or domain:*.example.com.',
  };
  if (/^\*+$/.test(text)) return { scope: 'every', host: '' };
  const below = text.startsWith('*.');
  const name = below ? text.slice(2) : text;
  if (hasWildcard(name)) {
    if (effect === 'allow' || /[\s/\\@:]/.test(name)) return wrong;
    return { scope: 'glob', host: text.toLowerCase() };
  }
  const parsed = /[\s/\\@:?#%]/.test(name) || name === '' ? null : parseUrl(`http://${name}/`);
  if (!parsed) return wrong;
  return { scope: below ? 'below' : 'exact', host: hostOf(parsed) };
}

/** Parses a URL; a text without a scheme is read as in a browser's address bar. */
export function readUrl(text: string): UrlReading {
  const url = parseUrl(text) ?? (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? null : parseUrl(`https://${text}`));
  if (!url) return { text, url, host: '', plain: text };
  const host = hostOf(url);
  const port = url.port === '' ? '' : `:${url.port}`;
  return { text, url, host, plain: `${url.protocol}//${host}${port}${url.pathname}${url.search}${url.hash}` };
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.+$/, '');
}

/** True when an allow pattern covers the URL. Only http and https, never with user info; see `suspicious`. */
export function urlCovered(pattern: UrlPattern, reading: UrlReading): boolean {
  const { url, text } = reading;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  if (url.username !== '' || url.password !== '' || text.length > MAX_URL || suspicious(text)) return false;
  if (pattern.kind === 'domain') return hostMatches(pattern.host, reading.host);
  if (pattern.kind === 'text') return false;
  if (/\.\.|%(?:25)*(?:2e|2f|5c)/i.test(text)) return false;
  const isPort = pattern.port === '*' || url.port === pattern.port;
  if (url.protocol !== pattern.scheme || !isPort || !hostMatches(pattern.host, reading.host)) return false;
  return globMatch(pattern.path, `${url.pathname}${url.search}${url.hash}`);
}

/** Whether two parsers may read the text differently: control characters, white space, backslashes, user info, a missing scheme. */
function suspicious(text: string): boolean {
  return /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text) || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text);
}

/**
 * True when an ask or deny pattern meets the URL: by host, by its text or by a normal form of it. A URL that cannot be parsed
 * meets every domain.
 */
export function urlMet(pattern: UrlPattern, reading: UrlReading): boolean {
  if (pattern.kind === 'text') {
    const { glob } = pattern;
    return globMatch(glob, reading.text) || globMatch(glob, reading.plain) || globMatch(glob, reading.url?.href ?? reading.text);
  }
  return reading.host === '' || hostMatches(pattern.host, reading.host);
}

function hostMatches(pattern: HostPattern, host: string): boolean {
  switch (pattern.scope) {
    case 'every':
      return host !== '';
    case 'exact':
      return host === pattern.host;
    case 'below':
      return host.endsWith(`.${pattern.host}`);
    case 'glob':
      return globMatch(pattern.host, host);
  }
}
