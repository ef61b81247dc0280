/** The facts to gather before a call can be decided: the paths, trees, names and repositories that its words mention. */
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

/** The facts that `decide` will need: gather exactly these into Facts first. */
export interface FactsNeeded {
  readonly paths: readonly string[];
  /** Directories to search for secret files. */
  readonly trees: readonly string[];
  /** Trees in which symlinks are followed, including those in installed packages. */
  readonly packed: readonly string[];
  /** Trees for which it matters which hidden names ignore files include again. */
  readonly unhidden: readonly string[];
  /** Trees whose search skips files that a `.gitignore` excludes. */
  readonly ignoring: readonly string[];
  /** Directories in which a command runs that asks about its repository; empty if no git facts are needed. */
  readonly gitDirectories: readonly string[];
  /** Globs (absolute paths with wildcards) that are or may be written to, or that are read in temporary folders. */
  readonly globs: readonly string[];
  /** Paths and globs that, if they are folders, are removed or filled with their whole content. */
  readonly replaced: readonly string[];
  /** Files whose scripts matter, as in `Facts.scripts`. */
  readonly scripts: readonly string[];
  /** Directories for which the names below them, or in git's index, matter. */
  readonly names: NamesNeeded;
  /**
   * Directories for which the call asks git for the top level. Once `Place.tops` has the answer, more facts may be needed. Also
   * contained in `gitDirectories`.
   */
  readonly tops: readonly string[];
  /** Directories in which Python runs a program that may load modules from there. */
  readonly modules: readonly string[];
  /** Words that may be program names. */
  readonly programs: readonly string[];
  /** Directories in which a git command prints settings, which may contain a credential. */
  readonly credentials: readonly string[];
  /** Directories of git commands that run hooks, in lines with several commands. */
  readonly hooks: readonly string[];
  /** Git commands that bring committed files into the work tree, each with its directory. */
  readonly incoming: readonly IncomingNeeded[];
  /** Git commands that print file contents, each with its directory. */
  readonly printed: readonly PrintedNeeded[];
  /** Whether repositories in the trees may become part of another repository before git looks at them. */
  readonly nests: boolean;
  /** Whether a path is or may be written to: then the targets of protected symlinks matter. */
  readonly writes: boolean;
  /** Whether the set environment variables matter: they can make commands run something else. */
  readonly environment: boolean;
}

/** The maximum number of files that a command may copy; beyond it, nothing is proven. */
const MAX_COPIES = 64;

/** Folders that `cd`s may enter and that `Place.folders` does not know yet, by their keys. */
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
