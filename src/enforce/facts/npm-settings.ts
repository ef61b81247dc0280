/** Whether an `.npmrc` of a repository changes only how packages are installed and what npm prints, and contains no secret. */
import { readText } from '../../disk/read.js';

const MAX_BYTES = 16 * 1024;
const MAX_LINES = 200;

const FLAGS =
  'audit auto-install-peers color dedupe-peer-dependents disallow-workspace-cycles engine-strict foreground-scripts fund hoist ' +
  'hoist-workspace-packages include-workspace-root inject-workspace-packages install-links legacy-peer-deps link-workspace-packages ' +
  'package-lock prefer-dedupe prefer-frozen-lockfile prefer-offline prefer-workspace-packages progress provenance ' +
  'resolve-peers-from-workspace-root save save-exact save-workspace-protocol shamefully-hoist shared-workspace-lockfile shrinkwrap ' +
  'strict-peer-dependencies strict-peer-deps timing unicode update-notifier workspaces-update';

const FLAG = /^(?:true|false)$/;
const PATTERN = /^[\w@*/.!-]{1,100}$/;
const NUMBER = /^\d{1,9}$/;

/** The harmless values of each setting. A setting that is not listed may run a program, read another file or name another machine. */
const VALUES: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ...FLAGS.split(' ').map((name) => [name, FLAG] as const),
  // Only `true` is harmless: `false` would allow npm more.
  ['ignore-scripts', /^true$/],
  ['strict-ssl', /^true$/],
  ['registry', /^https:\/\/registry\.npmjs\.org\/?$/],
  ['access', /^(?:public|restricted)$/],
  ['audit-level', /^(?:info|low|moderate|high|critical|none)$/],
  ['install-strategy', /^(?:hoisted|nested|shallow|linked)$/],
  ['loglevel', /^(?:silent|error|warn|notice|http|info|verbose|silly)$/],
  ['node-linker', /^(?:isolated|hoisted)$/],
  ['resolution-mode', /^(?:highest|time-based|lowest-direct)$/],
  ['save-prefix', /^(?:[~^]|"[~^]?"|'[~^]?')?$/],
  ['hoist-pattern[]', PATTERN],
  ['public-hoist-pattern[]', PATTERN],
  ...['fetch-retries', 'fetch-timeout', 'lockfile-version', 'maxsockets', 'min-release-age', 'network-concurrency'].map(
    (name) => [name, NUMBER] as const,
  ),
]);

/** True only if each line is a comment or a known setting with a known value. Never follows a link. */
export function isHarmlessNpmrc(file: string): boolean {
  const read = readText(file, { limit: MAX_BYTES, follow: false });
  if (!read.ok || read.text.includes('\0')) return false;
  const lines = read.text.split(/[\r\n]+/);
  return lines.length <= MAX_LINES && lines.every(isHarmlessLine);
}

/** The address of a page whose segments are plain words. */
const PAGE = /https:\/\/[a-z.-]{4,40}(?:\/[a-z-]{1,40}){0,8}(?:#[a-z-]{1,60})?(?=\s|$)/;

function isHarmlessLine(line: string): boolean {
  const trimmed = line.replace(/^[ \t]+|[ \t]+$/g, '');
  if (trimmed === '') return true;
  // A setting that was commented out may have been a token.
  if (trimmed.startsWith('#') || trimmed.startsWith(';'))
    return !/auth|token|passw|secret|[A-Za-z0-9+/_-]{20}/i.test(trimmed.replace(PAGE, ''));
  const equals = trimmed.indexOf('=');
  if (equals < 0) return false;
  const value = trimmed.slice(equals + 1).replace(/^[ \t]+/, '');
  return VALUES.get(trimmed.slice(0, equals).replace(/[ \t]+$/, ''))?.test(value) === true;
}
