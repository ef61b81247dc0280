/** What has to be gathered before a call can be decided: paths, trees, names and repositories that its words speak of. */
import { posix } from 'node:path';
import type { Command, Condition } from '../command/command.js';
import type { FoundNames, ShellWord } from '../shell/command-line.js';
import type { CallAnalysis } from './analysis.js';
import { globRoot, pathKey, pathReferences, treeOf } from './path-references.js';
import { askedTops, directoryOf, type Place, placedValue } from './place.js';

/** What `decide` will want to know: gather exactly this into Facts first. */
export interface FactsNeeded {
  readonly paths: readonly string[];
  /** Directories to be searched for secret files. */
  readonly trees: readonly string[];
  /** Directories in which a command runs that asks about its repository; empty when no git facts are needed. */
  readonly gitDirectories: readonly string[];
  /** Directories of which it matters what names are below them, or in git's index. */
  readonly names: NamesNeeded;
  /**
   * Directories of which the call asks git for the top level: once `Place.tops` says what it is, more may be needed. The same
   * directories are among `gitDirectories`.
   */
  readonly tops: readonly string[];
}

/** Directories with all that is below them, as git's index has them, and alone. */
export interface NamesNeeded {
  readonly trees: readonly string[];
  readonly indexes: readonly string[];
  readonly folders: readonly string[];
}

/** The facts that a decision on this call needs. */
export function factsNeeded(analysis: CallAnalysis, place: Place): FactsNeeded {
  const paths = new Set<string>();
  const trees = new Set<string>();
  for (const reference of pathReferences(analysis, place)) {
    if (reference.key !== null) paths.add(reference.key);
    if (reference.globRoot !== null) paths.add(reference.globRoot);
    const tree = treeOf(reference);
    if (tree !== null) trees.add(tree);
  }
  for (const line of analysis.lines) for (const command of line.tree.commands) conditionPaths(command, place, paths);
  const directories = new Set<string>();
  const names = { trees: new Set<string>(), indexes: new Set<string>(), folders: new Set<string>() };
  const tops = new Set<string>();
  for (const line of analysis.lines)
    for (const command of line.tree.commands) {
      gitDirectories(command, place, directories);
      nameDirectories(command, place, names);
      askedTops(command, place, tops);
    }
  for (const directory of tops) directories.add(directory);
  return {
    paths: [...paths],
    trees: [...trees],
    gitDirectories: [...directories],
    tops: [...tops],
    names: { trees: [...names.trees], indexes: [...names.indexes], folders: [...names.folders] },
  };
}

function conditionPaths(command: Command, place: Place, into: Set<string>): void {
  const base = directoryOf(command, place);
  for (const condition of command.verdict.conditions) {
    const value = condition.kind === 'project-path' ? (condition.path.value ?? placedValue(condition.path, place)) : null;
    if (condition.kind === 'no-settings') for (const path of settingsPaths(condition, base, place) ?? []) into.add(path);
    if (condition.kind !== 'project-path' || base === null || value === null) continue;
    const key = pathKey(base, value, condition.path.tilde, place.home);
    if (key !== null) into.add(key);
  }
  if (base !== null) into.add(base);
  for (const inner of command.inner) conditionPaths(inner, place, into);
}

/** Where a command looks for files of options: null when that cannot be told. */
export function settingsPaths(
  { files, paths }: Condition & { readonly kind: 'no-settings' },
  base: string | null,
  place: Place,
): readonly string[] | null {
  if (base === null) return null;
  const folders = new Set<string>();
  // A file is searched from its folder on, a folder from itself on.
  const starts: (string | null)[] = [base];
  for (const { value, glob, tilde } of paths) {
    const key = value === null ? null : pathKey(base, value, tilde, place.home);
    starts.push(key === null || (glob && key.slice(globRoot(key).length + 1).includes('/')) ? null : glob ? globRoot(key) : key);
  }
  for (const start of starts) {
    if (start === null || start.includes('/../') || start.endsWith('/..')) return null;
    for (let folder = posix.normalize(start); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return [...folders].flatMap((folder) => files.map((file) => posix.join(folder, file)));
}

/** Conditions that are about files, not about the repository. */
const ABOUT_FILES: ReadonlySet<Condition['kind']> = new Set<Condition['kind']>([
  'project-path',
  'plain-place',
  'plain-names',
  'no-settings',
]);

function gitDirectories(command: Command, place: Place, into: Set<string>): void {
  if (command.verdict.conditions.some(({ kind }) => !ABOUT_FILES.has(kind))) into.add(directoryOf(command, place) ?? place.cwd);
  for (const inner of command.inner) gitDirectories(inner, place, into);
}

function nameDirectories(command: Command, place: Place, into: Readonly<Record<keyof NamesNeeded, Set<string>>>): void {
  const base = directoryOf(command, place);
  for (const condition of base === null ? [] : command.verdict.conditions) {
    if (condition.kind !== 'plain-names' || base === null) continue;
    for (const { kind, directory } of nameSources(condition.names, base)) into[kind].add(directory);
  }
  for (const inner of command.inner) nameDirectories(inner, place, into);
}

/** Where the names that a command is given were found: keys into `Facts.names`. */
export function nameSources({ roots, from }: FoundNames, base: string): readonly NameSource[] {
  return from.flatMap((source): readonly NameSource[] => {
    if (source === 'folder') return [{ kind: 'folders', directory: base }];
    if (source !== 'tree') return [{ kind: 'indexes', directory: base }];
    return roots.map((root) => ({ kind: 'trees', directory: folderOf(root, base) }));
  });
}

interface NameSource {
  readonly kind: keyof NamesNeeded;
  readonly directory: string;
}

/** The folder that a starting point is, or that holds what a pattern stands for. */
function folderOf({ value, glob }: ShellWord, base: string): string {
  const key = value?.startsWith('/') ? value : `${base}/${value ?? ''}`;
  return glob ? globRoot(key) : key;
}
