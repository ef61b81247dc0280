/** What has to be gathered before a call can be decided: paths, trees, names and repositories that its words speak of. */
import type { CallAnalysis } from './flow/analysis.js';
import { inferredReferences, pathReferences } from './flow/call-references.js';
import { triedFolders } from './flow/directories.js';
import { possiblePlaces } from './flow/entered-folders.js';
import { hookDirectories } from './guards/git/hooks.js';
import { type IncomingNeeded, incomingNeeded } from './guards/git/incoming-needed.js';
import { nestsRepositories, takesFromCommits } from './guards/git/nested-repositories.js';
import { type PrintedNeeded, printedNeeded } from './guards/git/printed-secrets.js';
import { isListedGlob } from './guards/temporary.js';
import { copyKey, followsLinks, isWrite, mayEnterPackages, treeOf } from './place/path-references.js';
import type { Place } from './place/place.js';
import { commandFacts, type NamesNeeded, replacedPaths } from './proofs/condition-facts.js';

/** What `decide` will want to know: gather exactly this into Facts first. */
export interface FactsNeeded {
  readonly paths: readonly string[];
  /** Directories to be searched for secret files. */
  readonly trees: readonly string[];
  /** Those of them in which links are followed, also those in installed packages. */
  readonly packed: readonly string[];
  /** Those of them of which it matters what files of ignored names take in. */
  readonly unhidden: readonly string[];
  /** Those of them whose search passes over what a `.gitignore` leaves out. */
  readonly ignoring: readonly string[];
  /** Directories in which a command runs that asks about its repository; empty when no git facts are needed. */
  readonly gitDirectories: readonly string[];
  /** Globs (absolute paths with wildcards) that are written to, or may be, or are read in temporary folders. */
  readonly globs: readonly string[];
  /** Paths and globs that, where they are folders, go or are filled with all that lies in them. */
  readonly replaced: readonly string[];
  /** Files whose scripts matter, as in `Facts.scripts`. */
  readonly scripts: readonly string[];
  /** Directories of which it matters what names are below them, or in git's index. */
  readonly names: NamesNeeded;
  /**
   * Directories of which the call asks git for the top level: once `Place.tops` says what it is, more may be needed. The same
   * directories are among `gitDirectories`.
   */
  readonly tops: readonly string[];
  /** Directories in which Python runs a program that may load modules from there. */
  readonly modules: readonly string[];
  /** Words that may be names of programs. */
  readonly programs: readonly string[];
  /** Directories in which a command of git prints settings, which may hold a credential. */
  readonly credentials: readonly string[];
  /** Directories of git commands that run hooks, in lines of several commands. */
  readonly hooks: readonly string[];
  /** Git commands that bring files of commits into the work tree, each with the directory that it runs in. */
  readonly incoming: readonly IncomingNeeded[];
  /** Git commands that print what files hold, each with the directory that it runs in. */
  readonly printed: readonly PrintedNeeded[];
  /** Whether repositories in the trees may become parts of another one before git looks. */
  readonly nests: boolean;
  /** Whether a path is written to, or may be: then it matters where protected links lead. */
  readonly writes: boolean;
  /** Whether it matters which variables are set: they make commands run something else. */
  readonly environment: boolean;
}

/** Of a command that copies more files than these nothing is proven. */
const MAX_COPIES = 64;

/** Folders that `cd`s may enter, of which `Place.folders` does not say yet whether they are there; by its keys. */
export function foldersNeeded({ lines }: CallAnalysis, place: Place): ReadonlyMap<string, string> {
  return new Map(lines.flatMap(({ tree }) => [...triedFolders(tree.commands, place)]));
}

export function factsNeeded(analysis: CallAnalysis, place: Place): FactsNeeded {
  const paths = new Set<string>();
  const trees = new Set<string>();
  const globs = new Set<string>();
  const unhidden = new Set<string>();
  const ignoring = new Set<string>();
  const packed = new Set<string>();
  const searched = new Set<string>();
  let writes = false;
  for (const reference of [...pathReferences(analysis, place), ...inferredReferences(analysis, place)]) {
    if (reference.key !== null) paths.add(reference.key);
    if (reference.globRoot !== null) paths.add(reference.globRoot);
    const { glob, crossing, assumed, names: copies } = reference;
    if (copies !== null && reference.key !== null && copies.length <= MAX_COPIES)
      for (const name of copies) paths.add(copyKey(reference.key, name));
    const written = assumed || isWrite(reference);
    writes ||= written && reference.key !== '/dev/null';
    if (glob !== null && !crossing && (written || mayEnterPackages(reference) || isListedGlob(reference, place))) globs.add(glob);
    const tree = treeOf(reference);
    if (tree === null || isListedGlob(reference, place)) continue;
    trees.add(tree);
    if (followsLinks(reference)) packed.add(tree);
    if (reference.filter?.unhidden === true) unhidden.add(tree);
    if (reference.filter?.ignoring === true) ignoring.add(tree);
    if (reference.filter?.tracked === true || reference.filter?.untracked === true) searched.add(tree);
  }
  const directories = new Set<string>();
  const names = { trees: new Set<string>(), indexes: searched, folders: new Set<string>() };
  const tops = new Set<string>();
  const credentials = new Set<string>();
  const scripts = new Set<string>();
  const modules = new Set<string>();
  const programs = new Set<string>();
  for (const line of [...analysis.lines, ...analysis.deletions])
    for (const command of line.tree.commands)
      commandFacts(command, place, { paths, directories, names, tops, credentials, scripts, modules, programs });
  for (const line of analysis.lines) for (const folder of possiblePlaces(line, place)) paths.add(folder);
  for (const directory of tops) directories.add(directory);
  const hooks = hookDirectories(analysis, place);
  for (const directory of hooks) directories.add(directory);
  const nests = analysis.lines.some(({ tree }) => nestsRepositories(tree.commands));
  if (nests && analysis.lines.some(({ tree }) => tree.commands.some(takesFromCommits))) trees.add(place.project);
  return {
    paths: [...paths],
    trees: [...trees],
    packed: [...packed],
    unhidden: [...unhidden],
    ignoring: [...ignoring],
    globs: [...globs],
    scripts: [...scripts],
    replaced: [...replacedPaths(analysis, place)],
    gitDirectories: [...directories],
    tops: [...tops],
    modules: [...modules],
    programs: programs.has('') ? [] : [...programs],
    credentials: [...credentials],
    hooks,
    incoming: incomingNeeded(analysis, place),
    printed: printedNeeded(analysis, place),
    nests,
    writes,
    environment: analysis.lines.length > 0,
    names: { trees: [...names.trees], indexes: [...names.indexes], folders: [...names.folders] },
  };
}
