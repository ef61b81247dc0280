/** The facts to gather before a command can be decided: those that its conditions ask about. */
import { posix } from 'node:path';
import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command, Condition } from '../../command/model/command.js';
import type { FoundNames, ShellWord } from '../../shell/syntax/types.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { pathReferences } from '../flow/call-references.js';
import { directoryOf, enteredKey, placedValue, topLevelQueries } from '../flow/directories.js';
import { namesToFind } from '../flow/program-names.js';
import { unpacks } from '../guards/archives.js';
import { printedSettings } from '../guards/git/credentials.js';
import { copyKey, globRoot, pathKey } from '../place/path-references.js';
import { isInside } from '../place/paths.js';
import { absolutePath, type Place } from '../place/place.js';

/** Directories whose names are needed: with everything below them, as in git's index, or without sub-folders. */
export interface NamesNeeded {
  readonly trees: readonly string[];
  readonly indexes: readonly string[];
  readonly folders: readonly string[];
}

/** Facts needed, as they are collected; see FactsNeeded. */
interface FactsFound {
  readonly paths: Set<string>;
  readonly directories: Set<string>;
  readonly names: Readonly<Record<keyof NamesNeeded, Set<string>>>;
  readonly tops: Set<string>;
  readonly credentials: Set<string>;
  readonly scripts: Set<string>;
  readonly modules: Set<string>;
  /** Names of programs; an empty string means that there are too many to look up. */
  readonly programs: Set<string>;
}

/** Adds what a command and all commands inside it need. */
export function commandFacts(command: Command, place: Place, found: FactsFound): void {
  const { paths, directories, names, tops, credentials, scripts, modules, programs } = found;
  conditionPaths(command, place, paths, modules);
  startedNames(command, place, paths, scripts, programs);
  gitDirectories(command, place, directories);
  nameDirectories(command, place, names);
  topLevelQueries(command, place, tops);
  settingsDirectories(command, place, credentials);
}

/** Adds possible places of an installed program that a command runs by name, and the files that may list a script. */
function startedNames(command: Command, place: Place, paths: Set<string>, scripts: Set<string>, programs: Set<string>): void {
  const { work, script } = command.verdict;
  const directory = work === 'installed' || script !== undefined ? directoryOf(command, place) : null;
  if (directory !== null && script !== undefined) scripts.add(`${directory}/${script.file}`);
  const name = work === 'installed' ? (command.inner[0]?.name ?? null) : null;
  if (directory !== null && name !== null) for (const path of installedPaths(name, directory, place.project)) paths.add(path);
  for (const name of namesToFind(command) ?? ['']) programs.add(name);
  for (const inner of command.inner) startedNames(inner, place, paths, scripts, programs);
}

/** Where JavaScript package managers look for a program, from a directory up to the project's top; empty outside the project. */
export function installedPaths(name: string, directory: string, project: string): readonly string[] {
  const found: string[] = [];
  for (let folder = directory; isInside(folder, project); folder = posix.dirname(folder)) {
    found.push(`${folder}/node_modules/.bin/${name}`);
    if (folder === project) break;
  }
  return found;
}

function settingsDirectories(command: Command, place: Place, into: Set<string>): void {
  if (printedSettings(command) !== null) into.add(directoryOf(command, place) ?? place.cwd);
  for (const inner of command.inner) settingsDirectories(inner, place, into);
}

function conditionPaths(command: Command, place: Place, into: Set<string>, modules: Set<string>): void {
  const base = directoryOf(command, place);
  for (const condition of command.verdict.conditions) {
    const value = condition.kind === 'project-path' ? (condition.path.value ?? placedValue(condition.path, place)) : null;
    if (condition.kind === 'no-settings') for (const path of settingsPaths(condition, base, place) ?? []) into.add(path);
    if (condition.kind === 'own-modules' && !condition.isolated && base !== null) {
      modules.add(base);
      for (const path of condition.loads.flatMap((name) => modulePaths(base, name))) into.add(path);
    }
    if (condition.kind !== 'project-path' || base === null || value === null) continue;
    const key = pathKey(base, value, condition.path.tilde, place.home);
    if (key !== null) into.add(key);
  }
  if (base !== null) into.add(base);
  const program = command.invocation.argv[0]?.value ?? '';
  if (base !== null && program.includes('/')) into.add(absolutePath(program, place.home, base));
  const entered = enteredKey(command, base ?? place.cwd, place);
  if (entered !== null) into.add(entered);
  for (const inner of command.inner) conditionPaths(inner, place, into, modules);
}

/** Possible places of the code of a module that Python loads from a folder. */
export function modulePaths(folder: string, name: string): readonly string[] {
  return [`${folder}/${name}.py`, `${folder}/${name}`, `${folder}/src/${name}`];
}

/** Where a command looks for option files; null if unknown. */
export function settingsPaths(
  { files, paths, inProject }: Condition & { readonly kind: 'no-settings' },
  base: string | null,
  place: Place,
): readonly string[] | null {
  if (base === null) return null;
  const folders = new Set<string>();
  // The search starts at a file's folder, or at the folder itself.
  const starts: (string | null)[] = [base];
  for (const { value, glob, tilde } of paths) {
    const key = value === null ? null : pathKey(base, value, tilde, place.home);
    starts.push(key === null || (glob && key.slice(globRoot(key).length + 1).includes('/')) ? null : glob ? globRoot(key) : key);
  }
  for (const start of starts) {
    if (start === null || start.includes('/../') || start.endsWith('/..')) return null;
    const top = inProject === true ? place.project : '/';
    for (let folder = posix.normalize(start); !folders.has(folder); folder = posix.dirname(folder)) {
      folders.add(folder);
      if (folder === top) break;
    }
  }
  return [...folders].flatMap((folder) => files.map((file) => posix.join(folder, file)));
}

/** Conditions about files rather than about the repository. */
const ABOUT_FILES: ReadonlySet<Condition['kind']> = new Set<Condition['kind']>([
  'project-path',
  'plain-file',
  'plain-place',
  'plain-names',
  'no-settings',
  'own-modules',
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

/** The sources of the names that a command is given: keys into `Facts.names`. */
export function nameSources({ roots, from }: FoundNames, base: string): readonly NameSource[] {
  return from.flatMap((source): readonly NameSource[] => {
    if (source === 'folder' && roots.length === 0) return [{ kind: 'folders', directory: base }];
    if (source !== 'tree' && source !== 'folder') return [{ kind: 'indexes', directory: base }];
    return roots.map((root) => ({ kind: source === 'tree' ? 'trees' : 'folders', directory: folderOf(root, base) }));
  });
}

interface NameSource {
  readonly kind: keyof NamesNeeded;
  readonly directory: string;
}

/** The folder that is a starting point, or that contains the matches of a pattern. */
function folderOf({ value, glob }: ShellWord, base: string): string {
  const key = value?.startsWith('/') ? value : `${base}/${value ?? ''}`;
  return glob ? globRoot(key) : key;
}

/** Paths and globs of a call that, if they are folders, are changed together with everything in them. */
export function replacedPaths({ lines, ...rest }: CallAnalysis, place: Place): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const commands = flatten(line.tree.commands);
    const isUnpacked = commands.some(unpacks);
    for (const { key, glob, access, names } of pathReferences({ ...rest, lines: [line] }, place)) {
      const path = key ?? glob;
      if (path !== null && (access === 'delete' || (access === 'write' && (isUnpacked || names !== null)))) found.add(path);
      for (const name of (key !== null && names) || []) found.add(copyKey(key ?? '', name));
    }
    for (const command of commands) {
      const { argv } = command.invocation;
      if (baseName(command) !== 'git' || !argv.some(({ value }) => value === 'mv' || value === 'rm')) continue;
      const base = directoryOf(command, place) ?? place.cwd;
      for (const { value, tilde } of argv) {
        const path = value === null ? null : pathKey(base, value, tilde, place.home);
        if (path !== null) found.add(path);
      }
    }
  }
  return found;
}
