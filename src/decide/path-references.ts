/** The paths that a call touches, as far as words tell: of its tool's input and of its commands. */
import type { PathAccess, Subject } from '../call/tool-call.js';
import type { Command } from '../command/command.js';
import type { ShellRedirection, ShellWord, Span } from '../shell/command-line.js';
import type { CallAnalysis } from './analysis.js';
import { directoryOf, expandTilde, type Place, placedValue } from './place.js';
import { listsNamesOnly } from './sensitive-paths.js';

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
  /** Git expands the glob: its wildcards also stand for slashes and leading dots. */
  readonly crossing: boolean;
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
    crossing: false,
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
    for (const access of ACCESSES[redirection.direction])
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

/** What a redirection does to its file; `<>` opens it for both. */
const ACCESSES = { read: ['read'], write: ['write'], 'read-write': ['write', 'read'] } as const;

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
    crossing: word.crossing === true,
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
export function globRoot(key: string): string {
  const firstGlob = key.search(/[*?[]/);
  const slash = key.lastIndexOf('/', firstGlob < 0 ? key.length : firstGlob);
  return slash <= 0 ? '/' : key.slice(0, slash);
}

/** The directory whose secrets matter to a reference that may read many files; null when it reads at most one. */
export function treeOf(reference: PathReference): string | null {
  if (reference.access !== 'read' && reference.access !== 'search') return null;
  if (reference.listing) return null;
  if (reference.globRoot !== null) return reference.globRoot;
  return reference.recursive ? reference.key : null;
}
