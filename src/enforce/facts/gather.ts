/** Gathers the facts of a call from the file system and the environment: exactly those that `factsNeeded` names, within limits. */
import { accessSync, constants } from 'node:fs';
import { posix } from 'node:path';
import { factsNeeded, foldersNeeded } from '../../decide/facts-needed.js';
import type { CallAnalysis } from '../../decide/flow/analysis.js';
import { type IncomingNeeded, incomingKey } from '../../decide/guards/git/incoming-needed.js';
import { printedKey } from '../../decide/guards/git/printed-secrets.js';
import { TEMPORARY } from '../../decide/guards/temporary.js';
import { holdsProject, isOwn } from '../../decide/place/paths.js';
import type { Place } from '../../decide/place/place.js';
import type { Facts, GitFacts, IncomingFacts, PathFact } from '../../decide/ruling/facts.js';
import { AskingTime } from '../../disk/git/ask.js';
import { otherCheckouts } from '../../disk/git/checkouts.js';
import { gitCredentials } from '../../disk/git/credentials.js';
import { repositoryTop } from '../../disk/git/directory.js';
import { enabledHooks } from '../../disk/git/hooks.js';
import { incomingFiles } from '../../disk/git/incoming-files.js';
import { printedSecrets } from '../../disk/git/printed-secrets.js';
import { gitFacts, withNested } from '../../disk/git/repository.js';
import { isInside } from '../../disk/inside.js';
import { pathFact, realPath } from '../../disk/real-path.js';
import { statOf } from '../../disk/stat-of.js';
import { hookPrograms } from '../../program/hook-programs.js';
import { isThere, linkedSettings } from '../../project/linked-places.js';
import type { Surroundings } from '../../project/surroundings.js';
import { credentialFileTest } from './credential-files.js';
import { hazardousVariables } from './environment.js';
import { folderNames, indexNames, treeNames } from './file-names.js';
import { globPaths } from './glob-paths.js';
import { inclusionReader } from './ignore-patterns.js';
import { ignoredReader } from './ignored-secrets.js';
import { packedLinks } from './packed-links.js';
import { programReader } from './programs.js';
import { moduleReader } from './python-modules.js';
import { scriptsOf } from './scripts.js';
import { secretTreeReader } from './secret-trees.js';
import { holdsNoSecret } from './secretless-files.js';
import { settingsReader } from './settings-below.js';
import { startedFiles } from './started-files.js';
import { temporaryReader } from './temporary.js';

/** At most this many matches of a pattern in a temporary folder are examined. */
const MOST_LISTED = 64;

/** Maximum number of rounds, since one `cd` may depend on the folder that another one enters. */
const MOST_FOLDERS = 8;

/** Returns the place of a call, with what is known about the folders that its `cd`s may enter. */
function placed(analysis: CallAnalysis, place: Place): Place {
  let known = place;
  for (let count = 0; count < MOST_FOLDERS; count += 1) {
    const asked = foldersNeeded(analysis, known);
    if (asked.size === 0) break;
    const folders: Record<string, boolean | null> = { ...known.folders };
    for (const [key, path] of asked) if (!Object.hasOwn(folders, key)) folders[key] = isEnterable(path);
    if (Object.keys(folders).length === Object.keys(known.folders ?? {}).length) break;
    known = { ...known, folders };
  }
  return known;
}

/** Whether a `cd` can enter a folder; null if that cannot be determined. */
function isEnterable(path: string): boolean | null {
  try {
    if (statOf(path)?.isDirectory() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return null;
  }
}

/** Returns the facts of one call made in `cwd`. */
export function gatherFacts(analysis: CallAnalysis, cwd: string, around: Surroundings): Facts {
  const start = realPath(cwd) ?? cwd;
  const place = placed(analysis, { cwd, home: around.home, project: around.project });
  const asked = factsNeeded(analysis, place);
  const checkouts = otherCheckouts(around.project);
  const git = asked.gitDirectories.length > 0 ? repositoryFacts(start, asked.gitDirectories, around, checkouts) : null;
  // Which other facts are needed depends on where git's top level is.
  const needed = asked.tops.length > 0 && git !== null ? factsNeeded(analysis, { ...place, tops: git.directories }) : asked;
  const paths: Record<string, PathFact> = {};
  const holdsCredential = credentialFileTest(around.project, around.home);
  const withTemporary = temporaryReader(around, checkouts);
  const told = (fact: PathFact, path: string): PathFact => {
    if (fact.kind !== 'file') return fact;
    if (holdsCredential(fact.real, path)) return { ...fact, credential: true };
    return fact.real === path && holdsNoSecret(path) ? { ...fact, harmless: true } : fact;
  };
  for (const path of needed.paths) {
    const found = pathFact(path);
    if (found === null) continue;
    const fact = withTemporary(path, found);
    paths[path] = isNested(fact, around.project, checkouts) ? { ...told(fact, path), nested: true } : told(fact, path);
  }
  const { platform } = around;
  const nested = needed.nests ? { trees: new Set<string>(), packed: new Set<string>() } : undefined;
  const secretTrees = answers(needed.trees, () => secretTreeReader(around.home, around.project, undefined, nested));
  const globs = answers(needed.globs, globPaths);
  for (const path of needed.globs.flatMap((glob) => (TEMPORARY.test(glob) ? (globs[glob] ?? []).slice(0, MOST_LISTED) : []))) {
    const fact = pathFact(path);
    if (fact !== null) paths[path] ??= withTemporary(path, fact);
  }
  const asking = { ...around, time: new AskingTime(() => performance.now(), around.gitTime, around.moment?.answers) };
  const own = needed === asked ? git : repositoryFacts(start, needed.gitDirectories, around, checkouts);
  return {
    project: around.project,
    ...(checkouts.length > 0 && { checkouts }),
    ...(place.folders !== undefined && { folders: place.folders }),
    cwd: start,
    elsewhere: isElsewhere(start, around.project, checkouts),
    home: around.home,
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    paths,
    secretTrees,
    packedLinks: answers(needed.packed, () => packedLinks(around.home, around.project)),
    takenIn: answers(needed.unhidden, () => inclusionReader(secretTrees, around)),
    ...(needed.ignoring.length === 0
      ? undefined
      : { ignored: answers(needed.ignoring, () => ignoredReader(secretTrees, around)) }),
    names: {
      trees: answers(needed.names.trees, treeNames),
      indexes: answers(needed.names.indexes, () => (directory) => indexNames(directory, around.home)),
      folders: answers(needed.names.folders, () => folderNames),
    },
    ...(needed.modules.length === 0 ? undefined : { modules: answers(needed.modules, () => moduleReader(around.environment)) }),
    globs,
    ...(needed.scripts.length === 0
      ? undefined
      : { scripts: answers(needed.scripts, () => (file) => scriptsOf(file, around.project)) }),
    ...(needed.programs.length === 0 ? undefined : { programs: answers(needed.programs, () => programReader(around, start)) }),
    ...belowFolders(needed.replaced, globs, { home: around.home, project: around.project, checkouts }),
    git: nested === undefined ? own : withNested(own, nested),
    ...(needed.credentials.length === 0
      ? undefined
      : { credentials: answers(needed.credentials, () => (directory) => gitCredentials(directory, around)) }),
    ...(needed.hooks.length === 0 ? undefined : { hooks: answers(needed.hooks, () => enabledHooks) }),
    ...(needed.printed.length === 0
      ? undefined
      : { printed: Object.fromEntries(needed.printed.map((one) => [printedKey(one), printedSecrets(one, asking)])) }),
    ...(needed.incoming.length === 0
      ? undefined
      : { incoming: Object.fromEntries(needed.incoming.map((one) => [incomingKey(one), incoming(one, asking)])) }),
    environment: needed.environment ? hazardousVariables(around.environment, platform) : [],
    budget: around.budget,
    ownDirectories: needed.writes ? ownPlaces(around) : around.ownDirectories,
    ...(needed.writes && platform !== 'win32' && hookProgramsAmong(paths, around, start)),
    ...(needed.writes && startedBy(around)),
  };
}

/** Returns the facts about the repository of `start`, remembered in `moment` if there is one. */
function repositoryFacts(
  start: string,
  directories: readonly string[],
  { project, moment }: Pick<Surroundings, 'project' | 'moment'>,
  checkouts: readonly string[],
): GitFacts | null {
  if (moment === undefined) return gitFacts(start, directories, project, checkouts);
  const key = JSON.stringify([start, directories, project, checkouts]);
  const known = moment.repositories.get(key);
  if (known !== undefined) return known;
  const found = gitFacts(start, directories, project, checkouts);
  moment.repositories.set(key, found);
  return found;
}

/** Whether a folder or file of the project is in a repository of its own, whatever kind of entry its `.git` is. */
function isNested({ real, kind }: PathFact, project: string, checkouts: readonly string[]): boolean {
  if (kind !== 'directory' && kind !== 'file') return false;
  const folder = kind === 'directory' ? real : posix.dirname(real);
  for (let at = folder; at.length > project.length && isInside(at, project); at = posix.dirname(at)) {
    if (checkouts.includes(at)) return false;
    if (isThere(`${at}/.git`)) return true;
  }
  return false;
}

/** Returns the fact about programs that the installed hook line uses, if the call names files that may be one of them. */
function hookProgramsAmong(paths: Facts['paths'], { environment }: Surroundings, cwd: string): Pick<Facts, 'hookPrograms'> {
  const named = Object.entries(paths).flatMap(([path, { real }]) => (path === real ? [real] : [path, real]));
  const programs = hookPrograms(named, environment.PATH, cwd);
  return programs.length === 0 ? {} : { hookPrograms: programs };
}

/** Returns what git would change. In a moment, only an answer is remembered; without one in time, git is asked again. */
function incoming(needed: IncomingNeeded, around: Surroundings & { readonly time: AskingTime }): IncomingFacts | null {
  const { moment, project, ownDirectories, trustedFiles } = around;
  if (moment === undefined) return incomingFiles(needed, around);
  const key = JSON.stringify([needed, project, ownDirectories, trustedFiles]);
  const found = moment.incoming.get(key) ?? incomingFiles(needed, around);
  if (found !== null) moment.incoming.set(key, found);
  return found;
}

function startedBy({ project, moment }: Surroundings): Pick<Facts, 'started'> {
  const started = moment?.started.get(project) ?? startedFiles(project);
  moment?.started.set(project, started);
  return started.length === 0 ? {} : { started };
}

function ownPlaces({ ownDirectories, runner, home, project }: Surroundings): readonly string[] {
  const linked = runner === undefined ? [] : linkedSettings(runner, { home, project });
  return linked.length === 0 ? ownDirectories : [...ownDirectories, ...linked];
}

/** Returns the fact about folders of the project that are removed or filled, with the protected paths below them. */
function belowFolders(
  replaced: readonly string[],
  globs: Readonly<Record<string, readonly string[] | null>>,
  { home, ...around }: Pick<Facts, 'home' | 'project' | 'checkouts'>,
): Pick<Facts, 'settingsBelow'> {
  const read = settingsReader(home);
  const found: Record<string, readonly string[] | null> = {};
  for (const path of replaced.flatMap((one) => globs[one] ?? [posix.normalize(one).replace(/(?<=.)\/$/, '')])) {
    const fact = isOwn(path, around) ? pathFact(path) : null;
    if (fact?.kind !== 'directory' || !isOwn(fact.real, around) || holdsProject(fact.real, around)) continue;
    const below = read(fact.real);
    if (below?.length !== 0) for (const name of [path, fact.real]) found[name] = below;
  }
  return Object.keys(found).length === 0 ? {} : { settingsBelow: found };
}

/** Returns the reader's result for each path. The reader is created only if there are paths, since few calls need any of these readers. */
function answers<Answer>(paths: readonly string[], reader: () => (path: string) => Answer): Readonly<Record<string, Answer>> {
  if (paths.length === 0) return {};
  const read = reader();
  return Object.fromEntries(paths.map((path) => [path, read(path)]));
}

/** Whether a directory belongs to another project: it is outside of this one, or its nearest repository is another. */
function isElsewhere(cwd: string, project: string, checkouts: readonly string[]): boolean {
  if (cwd === project) return false;
  const top = repositoryTop(cwd);
  if (top !== null && checkouts.includes(top)) return false;
  return !isInside(cwd, project) || ![null, project].includes(top);
}
