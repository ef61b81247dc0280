/** The facts that matter to a plain git command in a repository, read from its files; git itself is never run. */
import { resolve } from 'node:path';
import { secretPath } from '../../decide/place/sensitive-paths.js';
import type { GitFacts } from '../../decide/ruling/facts.js';
import { member } from '../../generated/data.js';
import { globMatch } from '../../rule/pattern/wildcard.js';
import { isInside, pathIn } from '../inside.js';
import { readText } from '../read.js';
import { statOf } from '../stat-of.js';
import { type ConfigEntry, readConfig } from './config.js';
import { gitDirectory, type Hazard, isExecutable, type Located, locateRepository, realOrSelf } from './directory.js';
import { linkHazards } from './links.js';
import { localRemotes } from './local-remotes.js';
import { type NestedFound, nestedRepositories } from './nested-repositories.js';
import { submodules } from './submodules.js';

interface HazardData {
  readonly keys: readonly string[];
  readonly harmless: Readonly<Record<string, readonly string[]>>;
}

/** Settings that name a remote: a configured remote is harmless, a place (or a folder that happens to have the same name) is not. */
const REMOTE_NAMES = ['branch.*.remote', 'branch.*.pushremote', 'remote.pushdefault'];
/**
 * Hooks run by commands that only read: refreshing the index (status, diff) and moving references (fetch). The others
 * (pre-commit, pre-push, …) belong to commands that change something and are the project's own checks, so they are not hazards.
 */
const HOOKS = ['post-index-change', 'reference-transaction'];
/** Names the file of commits that `git blame` ignores; git prints its first line that is not the name of a commit. */
const IGNORED_COMMITS = 'blame.ignorerevsfile';

/**
 * Returns facts about the repository of `start` (a real path); null if git would find no repository there or in any of the directories.
 * @param directories every directory in which a git command of the call would run
 * @param project its real path
 * @param checkouts the other checkouts of its repository
 */
export function gitFacts(
  start: string,
  directories: readonly string[],
  project: string,
  checkouts: readonly string[] = [],
): GitFacts | null {
  const located = locateRepository(start);
  if (located === null) return factsWithout(start, directories, project);
  const { top } = located;
  const own = checkoutFacts(top, located.sound);
  const tops = topsOf(directories, new Map([[start, located]]), project);
  const isOurs = (one: string | null): one is string => one !== null && (one === project || checkouts.includes(one));
  const entered = isOurs(top) ? [...new Set(Object.values(tops.tops))].filter(isOurs).filter((one) => one !== top) : [];
  const others = entered.map((one) => [one, checkoutFacts(one, false)] as const);
  return {
    top,
    ...own.facts,
    hazards: [located.hazards, tops.hazards, own.hazards, ...others.map(([, { hazards }]) => hazards)].flat(),
    directories: tops.tops,
    astray: tops.astray,
    ...(others.length > 0 && { checkouts: Object.fromEntries(others.map(([one, { facts }]) => [one, facts])) }),
  };
}

/** Returns the facts about one checkout. */
function checkoutFacts(top: string, sound: boolean) {
  const directory = gitDirectory(top, sound);
  const own = readFolders(directory.folders);
  const branch = currentBranch(directory.folders[0] ?? '');
  const local = localRemotes(own.entries, branch);
  return {
    facts: {
      remotes: remotesOf(own.entries),
      branch,
      upstream: upstreamOf(own.entries, branch),
      ...(local !== null && { local }),
    },
    hazards: [
      ...directory.hazards,
      ...own.hazards,
      ...hazardsOf(own.entries, ({ key, value }) => key === IGNORED_COMMITS && isOwnFile(resolve(top, value), top)),
      ...directory.folders.flatMap(linkHazards),
      ...ignoredCommits(top),
      ...hooksOf(top, directory.folders, own.entries),
      ...submoduleHazards(top, directory.folders, own.entries),
    ],
  };
}

/** Returns the facts, extended with the hazards of repositories in the work tree, which become parts of this one. */
export function withNested(git: GitFacts | null, found: NestedFound): GitFacts | null {
  if (git === null || git.top === null) return git;
  const { folders, hazards } = nestedRepositories(found, git.top);
  return { ...git, hazards: [...git.hazards, ...hazards, ...folderHazards(folders, git.top)] };
}

/** For a call outside of any repository: a directory that it changes to may be in one, and obey its configuration. */
function factsWithout(start: string, directories: readonly string[], project: string): GitFacts | null {
  const { tops, hazards, astray } = topsOf(directories, new Map([[start, null]]), project);
  if (astray.length === 0 && Object.values(tops).every((top) => top === null)) return null;
  return { top: null, remotes: [], branch: null, upstream: null, hazards, directories: tops, astray };
}

/** @param known repositories located before, by the real path where the search started */
function topsOf(
  directories: readonly string[],
  known: Map<string, Located | null>,
  project: string,
): Pick<GitFacts, 'hazards' | 'astray'> & { readonly tops: Record<string, string | null> } {
  const tops: [string, string | null][] = [];
  const hazards: Hazard[] = [];
  const astray: string[] = [];
  for (const directory of directories) {
    const start = realOrSelf(directory);
    const found = known.has(start) ? (known.get(start) ?? null) : locateRepository(start);
    known.set(start, found);
    tops.push([directory, found?.top ?? null]);
    if (found === null && !isInside(start, project)) astray.push(directory);
    hazards.push(...(found?.hazards ?? []));
  }
  return { tops: Object.fromEntries(tops), hazards, astray };
}

/** Reads the configuration of git directories; a file that exists and cannot be read or parsed is itself a hazard. */
function readFolders(folders: readonly string[]): { readonly entries: ConfigEntry[]; readonly hazards: Hazard[] } {
  const entries: ConfigEntry[] = [];
  const hazards: Hazard[] = [];
  for (const file of folders.flatMap((folder) => [pathIn(folder, 'config'), pathIn(folder, 'config.worktree')])) {
    const read = readConfig(file);
    if (read.ok) entries.push(...read.entries);
    else hazards.push({ key: read.problem, file, line: read.line });
  }
  return { entries, hazards };
}

/** Returns the entries that make git run something or contact another place. */
function hazardsOf(entries: readonly ConfigEntry[], excused: (entry: ConfigEntry) => boolean): Hazard[] {
  const remotes = new Set(remotesOf(entries));
  const counts = (entry: ConfigEntry) => isHazard(entry) || namesPlace(entry, remotes);
  return entries.filter((entry) => counts(entry) && !excused(entry)).map(({ key, file, line }) => ({ key, file, line }));
}

function isHazard(entry: ConfigEntry): boolean {
  const key = entry.key.toLowerCase();
  // No pattern has a wildcard in its section, and sections are the keys of this table.
  const hazards = member('#hazards', key.slice(0, Math.max(0, key.indexOf('.')))) as HazardData | undefined;
  if (!hazards?.keys.some((pattern) => globMatch(pattern, key))) return false;
  const harmless = Object.entries(hazards.harmless).find(([pattern]) => globMatch(pattern, key));
  return harmless === undefined || !harmless[1].includes(entry.value);
}

/** Reports a link with the usual name of that file: users set that name for all their repositories. */
function ignoredCommits(top: string): Hazard[] {
  const file = pathIn(top, '.git-blame-ignore-revs');
  if (statOf(file) === undefined || isOwnFile(file, top)) return [];
  return [{ key: IGNORED_COMMITS, file, line: 1 }];
}

/** Whether a path is a file of the repository itself, and not a secret one. */
function isOwnFile(file: string, top: string): boolean {
  return isInside(file, top) && realOrSelf(file) === file && secretPath(file, '/') === null;
}

/** Git treats a remote that is not configured as a URL or a path, and a repository at that path runs its own hooks. */
function namesPlace(entry: ConfigEntry, remotes: ReadonlySet<string>): boolean {
  if (!REMOTE_NAMES.some((pattern) => globMatch(pattern, entry.key))) return false;
  return entry.value !== '.' && (/[/:\\]/.test(entry.value) || !remotes.has(entry.value));
}

/** Returns the executable hooks of the common directory, and of a harmless `core.hookspath`. */
function hooksOf(top: string, folders: readonly string[], entries: readonly ConfigEntry[]): Hazard[] {
  const moved = entries.filter(({ key }) => key === 'core.hookspath').map(({ value }) => resolve(top, value));
  const places = [...folders.map((folder) => pathIn(folder, 'hooks')), ...moved];
  return places.flatMap((place) =>
    HOOKS.filter((name) => isExecutable(pathIn(place, name))).map((name) => ({
      key: `hook ${name}`,
      file: pathIn(place, name),
      line: 1,
    })),
  );
}

/** Returns the hazards of the submodules' git directories; each names its own work tree, which is no hazard if it is below the top. */
function submoduleHazards(top: string, folders: readonly string[], own: readonly ConfigEntry[]): Hazard[] {
  const common = folders.at(-1) ?? pathIn(top, '.git');
  const found = submodules(top, common, { folder: folders[0] ?? common, entries: own });
  return [...found.hazards, ...folderHazards(found.folders, top)];
}

function folderHazards(folders: readonly string[], top: string): Hazard[] {
  return folders.flatMap((folder) => {
    const { entries, hazards } = readFolders([folder]);
    const ownTree = ({ key, value }: ConfigEntry) => key === 'core.worktree' && isInside(resolve(folder, value), top);
    return [...hazards, ...hazardsOf(entries, ownTree), ...hooksOf(folder, [folder], []), ...linkHazards(folder)];
  });
}

function currentBranch(folder: string): string | null {
  const head = readText(pathIn(folder, 'HEAD'), { limit: 4096 });
  return (head.ok ? /^ref: refs\/heads\/(.+?)\s*$/.exec(head.text)?.[1] : undefined) ?? null;
}

function remotesOf(entries: readonly ConfigEntry[]): string[] {
  const names = entries.flatMap(({ key }) => (isRemoteUrl(key) ? [key.slice('remote.'.length, -'.url'.length)] : []));
  return [...new Set(names)];
}

/** Whether a key is `remote.NAME.url`; a name with line breaks is not accepted. */
function isRemoteUrl(key: string): boolean {
  return (
    key.startsWith('remote.') && key.endsWith('.url') && key.length > 'remote..url'.length && !/[\n\r\u2028\u2029]/.test(key)
  );
}

function upstreamOf(entries: readonly ConfigEntry[], branch: string | null): GitFacts['upstream'] {
  if (branch === null) return null;
  const setting = (name: string) => entries.findLast((entry) => entry.key === `branch.${branch}.${name}`)?.value;
  const remote = setting('remote');
  const merge = setting('merge')?.replace(/^refs\/heads\//, '');
  return remote === undefined || merge === undefined ? null : { remote, branch: merge };
}
