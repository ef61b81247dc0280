/** The programs and scripts that a project keeps for itself: one rule for each folder that holds some, as a person would say it. */
import { join, posix } from 'node:path';
import { takesCode } from '../../decide/remedy/dispatchers.js';
import { readText } from '../files/read.js';
import { isExecutable, isPlainFile, type StarterFolder } from './starter-files.js';
import type { StarterPackage } from './starter-packages.js';

/** How a script is started: in front of its path. */
type Start = 'node ' | 'npx tsx ' | 'python3 ' | 'python ' | 'bash ' | './';

export interface OwnScripts {
  readonly rules: readonly string[];
  /** For scripts whose names say that they reach out. */
  readonly asks: readonly string[];
}

const MOST_RULES = 60;
const MOST_FILES = 20;
const MOST_ASKS = 100;
/** Folders whose files are there to be run. */
const FOR_RUNNING = /^(?:\.?scripts?|bin|tools?|hack|\.?ci|dev|benchmarks?|bench|examples?|samples)$/;
/** Folders of code that people also run from. */
const OF_CODE = /^(?:src|lib|app|api|cli|cmd|server|tests?|e2e|spec)$/;
/** What stands where another project begins within this one. */
const OF_PACKAGE = /^(?:package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml)$/;
/** Files that programs load; nobody runs them. */
const LOADED = /^\.|\.config\.|\.d\.|^(?:__init__|__main__|conftest|setup)\.py$|rc\.[cm]?js$/;
/** Scripts whose names say that they reach out of the project, or change what others use. */
const REACHES_OUT =
  /(?:^|[-_.])(?:(?:re|un)?deploy|publish|release|prod|production|push|upload|migrate|migration|install|uninstall|drop|delete|remove|reset|destroy|nuke|wipe|purge|teardown|rollback|restore|ship|terraform|secrets?|tokens?|credentials?)(?:[-_.]|$)/i;
/** `exec "$@"`, `"$@"`, `eval`, `$1` where a command stands; in other languages the arguments of the program given to what starts programs. */
const RUNS_ARGUMENTS =
  /(?:^|[;&|({\n]|\b(?:exec|then|do|else|time|nice|env|sudo|command|nohup|if|!)[ \t])[ \t]*["']?\$\{?[@*1-9]|\beval\b|\b(?:exec[vl]?[pe]*|system|spawn(?:Sync)?|execFile(?:Sync)?|run|call|check_call|check_output|Popen)[ \t]*\(?[ \t]*(?:\*|\[?\.{3})?(?:ARGV|sys\.argv|process\.argv|args?\b)/;
/** A variable where a command stands, in a script that reads its arguments: `cmd=$1; $cmd`. */
const RUNS_VARIABLE =
  /(?:^|[;&|({\n]|\b(?:exec|then|do|else|time|nice|env|sudo|command|nohup|if|!)[ \t])[ \t]*["']?\$\{?[A-Za-z_]/;
const READS_ARGUMENTS = /\$\{?[@*1-9]/;
/** Bytes of a script that are looked at; longer ones count as if they ran their arguments. */
const MOST_TEXT = 64 * 1024;
const MOST_LOOKED_AT = 400;

const IS_TEST = /^test|[-_.](?:test|spec)\./i;
const PLAIN_PATH = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\/){0,6}[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** The rules for a project's own scripts. */
export function ownScripts(project: string, folders: readonly StarterFolder[], packages: readonly StarterPackage[]): OwnScripts {
  const hasTsx = packages.some(({ dependencies }) => dependencies.has('tsx'));
  const found = new Map<string, Set<Start>>();
  const add = (place: string, start: Start) => found.set(place, (found.get(place) ?? new Set<Start>()).add(start));
  const roots = folders.filter(({ files }) => files.some((name) => OF_PACKAGE.test(name))).map(({ path }) => path);
  for (const { path, files } of folders) {
    const root = nearest(path, roots);
    const place = placeOf(path, root);
    const name = posix.basename(place);
    const runs = FOR_RUNNING.test(name);
    for (const file of files.filter((one) => !LOADED.test(one) && !takesCode(one))) {
      const reachesOut = isTouchy(file);
      const full = path === '' ? file : `${path}/${file}`;
      const executable = (runs || isExecutable(project, full)) && !/\.(?:json|md|txt|ya?ml|html|css|toml|png|svg)$/i.test(file);
      if (path === '') {
        const starts = reachesOut || runsArguments(project, file) ? [] : startsOf(file, hasTsx);
        const direct = !reachesOut && !runsArguments(project, file) && (executable || starts.includes('bash '));
        for (const start of direct ? [...starts, './' as const] : starts) add(full, start);
        continue;
      }
      if (executable) add(`${place}/`, './');
      if (executable || runs || OF_CODE.test(name) || place === root)
        for (const start of startsOf(file, hasTsx)) add(`${place}/`, start);
    }
  }
  for (const { place, start } of named(project, packages, hasTsx)) add(place, start);
  return { rules: rulesOf(found), asks: asksOf(found, folders, project) };
}

function startsOf(file: string, hasTsx: boolean): readonly Start[] {
  if (/\.[cm]?js$/.test(file)) return ['node '];
  if (/\.[cm]?ts$/.test(file)) return hasTsx ? ['npx tsx '] : [];
  if (/\.py$/.test(file)) return ['python3 ', 'python '];
  return /\.(?:sh|bash)$/.test(file) ? ['bash '] : [];
}

/** `deployProd.sh` and `deploy2.sh` as `deploy-prod.sh`: words that tell of more than work in the project. */
function isTouchy(name: string): boolean {
  return REACHES_OUT.test(name.replace(/([a-z])(?=[A-Z0-9])/g, '$1-'));
}

/** Whether a script hands its arguments on as a command, as far as its text tells; a program that is no text does not say so. */
function runsArguments(project: string, file: string): boolean {
  const read = readText(join(project, file), { follow: false, limit: MOST_TEXT });
  if (read.ok && RUNS_VARIABLE.test(read.text) && READS_ARGUMENTS.test(read.text)) return true;
  return read.ok ? RUNS_ARGUMENTS.test(read.text) : read.code === 'too-large' && /\.\w+$/.test(file);
}

/** Whether a file may be started so: one without an ending by any program. */
function mayStart(start: Start, file: string): boolean {
  return start === './' || !/\.\w+$/.test(posix.basename(file)) || startsOf(file, true).includes(start);
}

/** The package that a folder belongs to; empty for the project itself. */
function nearest(path: string, roots: readonly string[]): string {
  for (let folder = path; folder !== '' && folder !== '.'; folder = posix.dirname(folder))
    if (roots.includes(folder)) return folder;
  return '';
}

/** The first folder below its package, or the package itself. */
function placeOf(path: string, root: string): string {
  if (path === root) return path;
  const first = path.slice(root === '' ? 0 : root.length + 1).split('/')[0] ?? '';
  return root === '' ? first : `${root}/${first}`;
}

/** The files that the scripts and the programs of packages name: `node lib/cli.js`. */
function named(project: string, packages: readonly StarterPackage[], hasTsx: boolean): readonly NamedStart[] {
  return packages.flatMap(({ path, scripts, programs }) => {
    const texts = [...scripts.values()].flatMap((text) => [...text.matchAll(NAMED)].map((match) => match[1] ?? ''));
    return [...texts, ...programs].flatMap((text) => {
      const own = posix.normalize(text.replace(/^\.\//, ''));
      const full = path === '' ? own : `${path}/${own}`;
      if (!PLAIN_PATH.test(own) || !isPlainFile(project, full)) return [];
      if (path === '' && !own.includes('/'))
        return isTouchy(own) || runsArguments(project, own) ? [] : startsOf(own, hasTsx).map((start) => ({ place: own, start }));
      const place = own.includes('/') ? placeOf(posix.dirname(full), path) : path;
      return startsOf(own, hasTsx).map((start) => ({ place: `${place}/`, start }));
    });
  });
}

interface NamedStart {
  readonly place: string;
  readonly start: Start;
}

const NAMED =
  /(?:^|[\s;&|])(?:node|tsx|python3?|bash|sh) (?:--?[\w=.-]{1,60} ){0,4}(?:\.\/)?([\w./-]{1,200}\.\w{1,4})(?=$|[\s;&|])/g;

/** A folder within one that has the same rule needs none. */
function rulesOf(found: ReadonlyMap<string, ReadonlySet<Start>>): readonly string[] {
  const files = [...found].filter(([place]) => !place.endsWith('/'));
  const folders = [...found].filter(([place]) => place.endsWith('/'));
  const within = (place: string, start: Start) =>
    folders.some(([other, starts]) => other !== place && place.startsWith(other) && starts.has(start));
  const commands = [
    ...folders.flatMap(([place, starts]) =>
      [...starts].filter((start) => !within(place, start)).map((start) => `${start}${place}*`),
    ),
    ...files.slice(0, MOST_FILES).flatMap(([place, starts]) => [...starts].map((start) => `${start}${place} *`)),
  ];
  return commands.slice(0, MOST_RULES).map((command) => `Bash(${command})`);
}

/** Scripts in those folders that a person would want to be asked about. */
function asksOf(
  found: ReadonlyMap<string, ReadonlySet<Start>>,
  folders: readonly StarterFolder[],
  project: string,
): readonly string[] {
  const places = [...found];
  let left = MOST_LOOKED_AT;
  const files = folders.flatMap(({ path, files: names }) =>
    names.flatMap((name) => {
      const file = path === '' ? name : `${path}/${name}`;
      if (!places.some(([place]) => file === place || (place.endsWith('/') && file.startsWith(place)))) return [];
      if (takesCode(name) || (isTouchy(name) && !IS_TEST.test(name))) return [file];
      left -= 1;
      return left < 0 || runsArguments(project, file) ? [file] : [];
    }),
  );
  return files.slice(0, MOST_ASKS).flatMap((file) => {
    const starts = new Set(
      places.flatMap(([place, all]) => (file === place || (place.endsWith('/') && file.startsWith(place)) ? [...all] : [])),
    );
    return [...starts].filter((start) => mayStart(start, file)).map((start) => `Bash(${start}${file} *)`);
  });
}
