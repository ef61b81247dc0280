/** A call, read: its tool, its subjects, and for every command subject the commands in it. Computed once per decision. */
import { posix } from 'node:path';
import type { ToolDescription } from '../call/catalogue.js';
import { type CallSubjects, subjectsOf } from '../call/subject.js';
import type { PathAccess, Subject, ToolCall } from '../call/tool-call.js';
import type { Command, CommandTree, Condition } from '../command/command.js';
import { readCommands } from '../command/tree.js';
import type { FoundNames, ShellRedirection, ShellWord, Span } from '../shell/command-line.js';
import { readCommandLine } from '../shell/read.js';
import { askedTops, directoryOf, expandTilde, type Place, placedValue } from './place.js';
import { listsNamesOnly } from './sensitive-paths.js';

/** A command subject with the commands found in it. */
export interface ReadLine {
  readonly subject: Subject;
  readonly tree: CommandTree;
}

export interface CallAnalysis {
  readonly tool: ToolDescription;
  readonly subjects: CallSubjects;
  readonly lines: readonly ReadLine[];
}

/** Reads a call's subjects and command lines; pure, never throws. */
export function analyse(call: ToolCall): CallAnalysis {
  const subjects = subjectsOf(call);
  const lines: ReadLine[] = [];
  for (const subject of subjects.subjects) {
    if (subject.kind === 'command')
      lines.push({ subject, tree: readCommands(readCommandLine(subject.value, call.shell), call.shell) });
  }
  return { tool: subjects.tool, subjects, lines };
}

/** A file or directory that a call touches, as far as words tell. */
export interface PathReference {
  /** Key into Facts.paths: absolute, the operand NOT collapsed (`a/../b` depends on where `a` leads); null when unknowable. */
  readonly key: string | null;
  readonly text: string;
  readonly access: PathAccess | 'delete';
  readonly recursive: boolean;
  /** Walks names only (`ls -R`): contents stay unread. */
  readonly listing: boolean;
  /** An unquoted glob: stands for any number of paths below `globRoot`, all matched by `glob` (a key with wildcards). */
  readonly globRoot: string | null;
  readonly glob: string | null;
  /** The names that a copying command's sources would get below it, if it is a folder; null for all other references. */
  readonly names: readonly string[] | null;
  /** Only assumed to be a path, since nothing is known of the command. */
  readonly assumed: boolean;
  /** Stands for names that a command of the line found below it. */
  readonly found: boolean;
  readonly span: Span | null;
}

/** Facts key of an operand in a directory; null for `~user` and empty operands. */
export function pathKey(base: string, operand: string, tilde: boolean, home: string): string | null {
  const text = expandTilde(operand, tilde, home);
  if (text === null || text === '') return null;
  return text.startsWith('/') ? text : `${base}/${text}`;
}

/** Every path that a call's tool input names, then every path that its commands touch. */
export function pathReferences(analysis: CallAnalysis, place: Place): PathReference[] {
  const references: PathReference[] = [];
  for (const subject of analysis.subjects.subjects)
    if (subject.kind === 'path') references.push(subjectReference(subject, place));
  for (const line of analysis.lines) for (const command of line.tree.commands) collect(command, place, references);
  return references;
}

/** The reference of a path subject: a tool's own path field. */
export function subjectReference(subject: Subject, place: Place): PathReference {
  const access = subject.access ?? 'write';
  return {
    key: pathKey(place.cwd, subject.value, subject.value.startsWith('~'), place.home),
    text: subject.value,
    access,
    recursive: access === 'search',
    listing: false,
    globRoot: null,
    glob: null,
    names: null,
    assumed: false,
    found: false,
    span: null,
  };
}

function collect(command: Command, place: Place, into: PathReference[]): void {
  for (const reference of commandReferences(command, place)) into.push(reference);
  for (const inner of command.inner) collect(inner, place, into);
}

/** The paths of one command: effects of its grammar, redirections, and for an unknown command its operands. */
export function commandReferences(command: Command, place: Place): readonly PathReference[] {
  const references: PathReference[] = [];
  const base = directoryOf(command, place);
  const words = command.invocation.argv;
  for (const effect of command.verdict.effects) {
    if (effect.path === null) continue;
    const access =
      effect.action === 'read' ? 'read' : effect.action === 'delete' ? 'delete' : effect.action === 'write' ? 'write' : null;
    if (access === null) continue;
    if (effect.path.names !== undefined && access === 'read') {
      for (const root of effect.path.names.roots) references.push(foundReference(root, effect.path.span, base, place, command));
      continue;
    }
    const reference = wordReference(effect.path, access, base, place, command, effect.recursive, false);
    references.push(effect.names === undefined ? reference : { ...reference, names: effect.names });
  }
  for (const redirection of command.invocation.redirections) {
    if (redirection.target === null || redirection.direction === 'duplicate' || redirection.direction === 'here') continue;
    if (isOwnStream(redirection)) continue;
    // What fills a pipe is judged by itself.
    if (redirection.direction === 'read' && redirection.target.origin?.source.kind === 'pipe') continue;
    const access = redirection.direction === 'read' ? 'read' : 'write';
    references.push(wordReference(redirection.target, access, base, place, command, false, false));
  }
  if (command.wrapper === null && mayReadOperands(command)) {
    for (const word of words.slice(1)) {
      const operand = assumedOperand(word);
      if (operand !== null) references.push(wordReference(operand, 'read', base, place, command, false, true));
    }
  }
  return references;
}

/** `> /dev/stderr`: what is open already; where it leads was judged where it was opened, or is the runner's concern. */
export function isOwnStream({ direction, target }: ShellRedirection): boolean {
  return direction === 'write' && (target?.value === '/dev/stderr' || target?.value === '/dev/stdout');
}

/** A command that nothing is known of may read what its words name, and so may the code that a known one runs (`node x secrets/key`). */
function mayReadOperands({ verdict }: Command): boolean {
  return !verdict.known || verdict.effects.some(({ action, path }) => action === 'execute' && path === null);
}

/** `x`, `--opt=x`, `@x` of an unknown command, taken as a path in case it is one. */
function assumedOperand(word: ShellWord): ShellWord | null {
  if (word.value === null) return null;
  const value = word.value.startsWith('-') ? word.value.slice(word.value.indexOf('=') + 1) : word.value;
  if (word.value.startsWith('-') && !word.value.includes('=')) return null;
  const path = value.startsWith('@') ? value.slice(1) : value;
  return path === word.value ? word : { ...word, value: path, tilde: false };
}

function wordReference(
  word: ShellWord,
  access: PathReference['access'],
  base: string | null,
  place: Place,
  command: Command,
  recursive: boolean,
  assumed: boolean,
): PathReference {
  const value = word.value ?? (word.origin === undefined ? knownVariable(word.text, place) : placedValue(word, place));
  const usable = value !== null && (base !== null || value.startsWith('/') || word.tilde);
  const key = usable ? pathKey(base ?? '/', value, word.tilde, place.home) : null;
  const glob = word.glob && key !== null && !mayClimb(key) ? key : null;
  return {
    key: word.glob ? null : key,
    text: word.text,
    access,
    recursive,
    listing: access === 'read' && command.inner.length === 0 && listsNamesOnly(command.name ?? ''),
    globRoot: glob === null ? null : globRoot(glob),
    glob,
    names: null,
    assumed,
    found: false,
    span: word.span,
  };
}

/** Files below a starting point that another command found: all that is there may be read, and links be followed. */
function foundReference(root: ShellWord, span: Span, base: string | null, place: Place, command: Command): PathReference {
  return { ...wordReference(root, 'read', base, place, command, true, false), listing: false, found: true, span };
}

/** `$PWD/x`, `"$HOME"/x`, `~+/x`: opaque to an allow, but plain enough to meet guards and ask or deny rules. */
function knownVariable(text: string, place: Place): string | null {
  const match = /^"?(\$PWD|\$\{PWD\}|~\+|\$HOME|\$\{HOME\})"?(\/[\w./@+-]*)?"?$/.exec(text);
  if (match === null) return null;
  return `${match[1]?.includes('HOME') ? place.home : place.cwd}${match[2] ?? ''}`;
}

/** A `..` behind a wildcard leaves whatever the wildcard stands for; `.*` may itself be `..`. */
function mayClimb(key: string): boolean {
  const firstGlob = key.search(/[*?[]/);
  const from = key.lastIndexOf('/', firstGlob) + 1;
  return key
    .slice(from)
    .split('/')
    .some((segment) => segment === '..' || /^\.[*?[]/.test(segment));
}

/** The directory below which everything that a glob can name must lie. */
function globRoot(key: string): string {
  const firstGlob = key.search(/[*?[]/);
  const slash = key.lastIndexOf('/', firstGlob < 0 ? key.length : firstGlob);
  return slash <= 0 ? '/' : key.slice(0, slash);
}

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

/** The directory whose secrets matter to a reference that may read many files; null when it reads at most one. */
export function treeOf(reference: PathReference): string | null {
  if (reference.access !== 'read' && reference.access !== 'search') return null;
  if (reference.listing) return null;
  if (reference.globRoot !== null) return reference.globRoot;
  return reference.recursive ? reference.key : null;
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
