/** Variables of the environment that make an allowed command run something else (rules/environment.yaml). */
import type { Facts } from '../decide/facts.js';
import { data } from '../generated/data.js';
import { globMatch } from '../rule/wildcard.js';

type Affects = string | readonly string[];

interface Variables {
  readonly named: ReadonlyMap<string, Affects>;
  readonly patterns: readonly (readonly [string, Affects])[];
  readonly harmless: ReadonlyMap<string, readonly string[]>;
}

/** What the names of all such variables are or begin with: one text is ready sooner than a table. */
interface Names {
  readonly names: string;
  readonly begins: readonly string[];
}

let ready: Variables | null = null;

function readVariables(): Variables {
  const { variables, harmless } = data('environment') as {
    readonly variables: Readonly<Record<string, Affects>>;
    readonly harmless: Readonly<Record<string, readonly string[]>>;
  };
  const named = new Map(Object.entries(variables));
  return { named, patterns: [...named].filter(([name]) => name.includes('*')), harmless: new Map(Object.entries(harmless)) };
}

/** Options in NODE_OPTIONS that load no code; a value with any other one may. */
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
/** Lists of folders: only an element that depends on the current directory is a concern; an empty one is that directory. */
const FOLDER_LISTS = new Set(['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']);

/**
 * The hazardous variables that are set, once for each command that they affect.
 * @param platform decides how lists are separated and whether names have case
 */
export function hazardousVariables(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Facts['environment'] {
  const windows = platform === 'win32';
  const all = data('#environment') as Names;
  const found: { readonly name: string; readonly affects: string }[] = [];
  for (const name of Object.keys(environment)) {
    const known = windows ? name.toUpperCase() : name;
    if (!isAmong(known, all)) continue;
    const value = environment[name];
    if (value === undefined || !isHazard(known, value, windows)) continue;
    ready ??= readVariables();
    const [pattern, affects] = variableOf(known, ready);
    if (affects === undefined || ready.harmless.get(pattern)?.includes(value) === true) continue;
    for (const command of [affects].flat()) found.push({ name, affects: command });
  }
  return found;
}

/** False for nearly every name, before the table is read. */
function isAmong(name: string, { names, begins }: Names): boolean {
  return names.includes(`\n${name}\n`) || begins.some((begin) => name.startsWith(begin));
}

/** The entry for a name: its own, else the first pattern that it meets. */
function variableOf(name: string, { named, patterns }: Variables): readonly [string, Affects | undefined] {
  const own = named.get(name);
  if (own !== undefined) return [name, own];
  return patterns.find(([pattern]) => globMatch(pattern, name)) ?? [name, undefined];
}

function isHazard(name: string, value: string, windows: boolean): boolean {
  if (FOLDER_LISTS.has(name)) return relativeElement(name, value, windows);
  // A number or a switch traces to the terminal; a path or a socket is written to.
  if (name.startsWith('GIT_TRACE')) return /^(?:[/\\]|[A-Za-z]:|af_unix:)/.test(value);
  if (name === 'NODE_OPTIONS') return !value.split(' ').every((word) => word === '' || isHarmlessNodeOption(word));
  return value !== '';
}

/** Only options that carry their value in the same word: what stands alone might be the file behind `--require`. */
function isHarmlessNodeOption(word: string): boolean {
  const equals = word.indexOf('=');
  return HARMLESS_NODE_OPTIONS.has(equals < 0 ? word : word.slice(0, equals));
}

function relativeElement(name: string, value: string, windows: boolean): boolean {
  // An empty PATH is the current directory; an empty list of libraries is none.
  if (value === '') return name === 'PATH' && !windows;
  const absolute = windows ? /^(?:"?[A-Za-z]:[/\\]|[/\\]|%)/ : /^\//;
  // Windows passes over empty elements.
  return value.split(windows ? ';' : ':').some((folder) => (folder === '' ? !windows : !absolute.test(folder)));
}
