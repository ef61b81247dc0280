/** Environment variables that make an allowed command run something else (rules/environment.yaml). */

import { isFolderList } from '../../decide/guards/environment.js';
import type { Facts } from '../../decide/ruling/facts.js';
import { data, member } from '../../generated/data.js';
import { globMatch } from '../../rule/pattern/wildcard.js';

type Affects = string | readonly string[];

/** Names of variables as one string, one per line, which loads faster than a table; and the name patterns with a star. */
interface Names {
  readonly names: string;
  readonly patterns: readonly (readonly [string, Affects])[];
}

interface Variable {
  readonly affects: Affects;
  readonly harmless: readonly string[];
}

/** Options in NODE_OPTIONS that load no code; a value with any other option may. */
const HARMLESS_NODE_OPTIONS = new Set([
  ...['--max-old-space-size', '--max_old_space_size', '--max-semi-space-size', '--stack-trace-limit', '--dns-result-order'],
  ...['--enable-source-maps', '--no-deprecation', '--no-warnings', '--trace-deprecation', '--trace-warnings', '--use-openssl-ca'],
  ...[
    '--use-system-ca',
    '--unhandled-rejections',
    '--experimental-vm-modules',
    '--openssl-legacy-provider',
    '--max-http-header-size',
  ],
]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Results for environments that are frozen: many calls are judged under the same environment. */
const foundIn = new WeakMap<Environment, { readonly platform: NodeJS.Platform; readonly found: Facts['environment'] }>();

/**
 * Returns the hazardous variables that are set, once for each command that they affect.
 * @param platform determines the separator of lists and whether names are case-sensitive
 */
export function hazardousVariables(environment: Environment, platform: NodeJS.Platform): Facts['environment'] {
  const known = foundIn.get(environment);
  if (known?.platform === platform) return known.found;
  const found = hazardsIn(environment, platform);
  if (Object.isFrozen(environment)) foundIn.set(environment, { platform, found });
  return found;
}

function hazardsIn(environment: Environment, platform: NodeJS.Platform): Facts['environment'] {
  const windows = platform === 'win32';
  const names = data('#environment') as Names;
  const found: { readonly name: string; readonly affects: string }[] = [];
  for (const name of Object.keys(environment)) {
    const value = environment[name];
    const known = windows ? name.toUpperCase() : name;
    const variable = variableOf(known, names);
    if (variable === null || value === undefined || variable.harmless.includes(value)) continue;
    if (known === 'GIT_CONFIG_COUNT' && areHarmlessGitSettings(value, environment)) continue;
    if (isHazard(known, value, windows)) for (const command of [variable.affects].flat()) found.push({ name, affects: command });
  }
  return found;
}

/** Returns the entry of a name, else that of the first matching pattern; null for nearly every name. */
function variableOf(name: string, { names, patterns }: Names): Variable | null {
  if (names.includes(`\n${name}\n`)) return (member('#variables', name) ?? null) as Variable | null;
  const [, affects] = patterns.find(([pattern]) => globMatch(pattern, name)) ?? [];
  return affects === undefined ? null : { affects, harmless: NONE };
}

const NONE: readonly string[] = [];

/**
 * Git settings that run nothing, read no file and weaken no check. Copilot CLI 1.0.102 sets `safe.bareRepository=explicit` for
 * every command that it runs.
 */
const HARMLESS_GIT_SETTINGS: ReadonlySet<string> = new Set([
  ...['safe.barerepository=explicit', 'core.fsmonitor=false', 'core.hookspath=/dev/null', 'core.pager=cat', 'gc.auto=0'],
  ...['color.ui=always', 'color.ui=auto', 'color.ui=false', 'color.ui=never', 'core.quotepath=false', 'core.quotepath=off'],
  ...['commit.gpgsign=false', 'advice.detachedhead=false', 'credential.interactive=false'],
]);

/** True if every pair of GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n is present and harmless. Such keys are case-insensitive in git. */
function areHarmlessGitSettings(count: string, environment: Environment): boolean {
  if (!/^[1-9]\d?$/.test(count)) return false;
  for (let at = 0; at < Number(count); at += 1) {
    const key = environment[`GIT_CONFIG_KEY_${at}`];
    const value = environment[`GIT_CONFIG_VALUE_${at}`];
    if (key === undefined || value === undefined || !HARMLESS_GIT_SETTINGS.has(`${key.toLowerCase()}=${value}`)) return false;
  }
  return true;
}

function isHazard(name: string, value: string, windows: boolean): boolean {
  if (isFolderList(name)) return relativeElement(name, value, windows);
  // A number or a switch sends the trace to the terminal; a path or a socket is written to.
  if (name.startsWith('GIT_TRACE')) return /^(?:[/\\]|[A-Za-z]:|af_unix:)/.test(value);
  if (name === 'NODE_OPTIONS') return !value.split(' ').every((word) => word === '' || isHarmlessNodeOption(word));
  return value !== '';
}

/** Only options that contain their value in the same word: a separate word might be the file for `--require`. */
function isHarmlessNodeOption(word: string): boolean {
  const equals = word.indexOf('=');
  return HARMLESS_NODE_OPTIONS.has(equals < 0 ? word : word.slice(0, equals));
}

function relativeElement(name: string, value: string, windows: boolean): boolean {
  // An empty PATH is the current directory; an empty list of libraries has no effect.
  if (value === '') return name === 'PATH' && !windows;
  if (!windows) return value.split(':').some((folder) => !folder.startsWith('/'));
  // Windows skips empty elements.
  return value.split(';').some((folder) => folder !== '' && !/^(?:"?[A-Za-z]:[/\\]|[/\\]|%)/.test(folder));
}
