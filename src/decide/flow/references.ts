/** The paths that a command touches, as far as its words show. */

import type { Command } from '../../command/model/command.js';
import { scriptOperand } from '../../command/model/interpreters.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import type { ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { deletedFilter, enteringFilter, foundFilter, type NameFilter, searchFilter } from '../place/file-name-filters.js';
import { globRoot, type PathReference, pathKey } from '../place/path-references.js';
import type { Place } from '../place/place.js';
import { listsNamesOnly } from '../place/sensitive-paths.js';
import { directoryOf, filledWord, placedValue } from './directories.js';
import { removesTrees } from './possible-paths.js';

/** Adds the paths of a command and of all commands inside it. */
export function collectReferences(command: Command, place: Place, into: PathReference[]): void {
  for (const reference of commandReferences(command, place)) into.push(reference);
  for (const inner of command.inner) collectReferences(inner, place, into);
}

/** The paths of one command: effects from its grammar, redirections, and, for an unknown command, its operands. */
export function commandReferences(command: Command, place: Place): readonly PathReference[] {
  const references: PathReference[] = [];
  const base = directoryOf(command, place);
  const words = command.invocation.argv;
  for (const effect of command.verdict.effects) {
    if (effect.path === null) continue;
    const access =
      effect.action === 'read' ? 'read' : effect.action === 'delete' ? 'delete' : effect.action === 'write' ? 'write' : null;
    if (access === null) continue;
    if (effect.path.names !== undefined) {
      for (const one of foundReferences(effect.path, access, base, place, command, effect.enters)) references.push(one);
      if (access === 'read') continue;
    }
    const reference = wordReference(effect.path, access, base, place, command, effect.recursive, false);
    const listed = effect.listing === true ? { ...reference, listing: true } : reference;
    references.push(effect.names === undefined ? listed : { ...listed, names: effect.names });
  }
  for (const redirection of command.invocation.redirections) {
    if (redirection.target === null || redirection.direction === 'duplicate' || redirection.direction === 'here') continue;
    if (isOwnStream(redirection)) continue;
    // The command that fills the pipe is judged separately.
    if (redirection.direction === 'read' && redirection.target.origin?.source.kind === 'pipe') continue;
    if (redirection.target.names !== undefined) {
      for (const one of foundReferences(redirection.target, 'read', base, place, command)) references.push(one);
      continue;
    }
    for (const access of ACCESSES[redirection.direction])
      references.push(wordReference(redirection.target, access, base, place, command, false, false));
  }
  if ((command.wrapper === null || command.name === null) && mayReadOperands(command)) {
    const handed = deletedFrom(command);
    const script = scriptOperand(command);
    for (const [at, word] of words.slice(1).entries()) {
      const deletes = at >= handed;
      const operand = assumedOperand(filledWord(word, place)) ?? (deletes && word.value === null ? word : null);
      const access = deletes ? 'delete' : 'read';
      if (operand === null) continue;
      const reference = wordReference(operand, access, base, place, command, false, operand.value !== null);
      const isRun = operand === word && operand.value === script && !operand.glob && access === 'read';
      references.push(isRun ? { ...reference, runs: true } : reference);
    }
  }
  return readLists(references, command);
}

/** What a redirection does to its file; `<>` opens it for both. */
const ACCESSES = { read: ['read'], write: ['write'], 'read-write': ['write', 'read'] } as const;

/** `> /dev/stderr` is already open; its target was judged where it was opened, or is the runner's concern. */
export function isOwnStream({ direction, target }: ShellRedirection): boolean {
  return direction === 'write' && (target?.value === '/dev/stderr' || target?.value === '/dev/stdout');
}

/** Programs without a grammar whose only purpose is to delete their operands. */
const DELETERS: ReadonlySet<string> = new Set(['rimraf', 'trash', 'trash-put', 'srm', 'wipe', 'del', 'del-cli']);

/** The index of the first operand that a command without a grammar deletes; also when it is given a complete `rm -rf` (`shx rm -rf ..`). */
function deletedFrom({ name, verdict, invocation: { argv } }: Command): number {
  if (DELETERS.has(name ?? '')) return 0;
  const at = verdict.known ? -1 : argv.findIndex(({ value }, index) => index > 0 && value === 'rm');
  return at > 0 && removesTrees(argv.slice(at + 1)) ? at : argv.length;
}

/** An unknown command may read the files its words name; so may code that a known command runs (`node x secrets/key`). */
function mayReadOperands({ verdict }: Command): boolean {
  return !verdict.known || verdict.effects.some(({ action, path }) => action === 'execute' && path === null);
}

/** The possible path in `x`, `--opt=x` or `@x` of an unknown command. */
function assumedOperand(word: ShellWord): ShellWord | null {
  if (word.value === null) return null;
  const value = word.value.startsWith('-') ? word.value.slice(word.value.indexOf('=') + 1) : word.value;
  if (word.value.startsWith('-') && !word.value.includes('=')) return null;
  const path = value.startsWith('@') ? value.slice(1) : value;
  return path === word.value ? word : { ...word, value: path, tilde: false };
}

export function wordReference(
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
  const glob = word.glob ? key : null;
  return {
    key: word.glob ? null : key,
    text: word.text,
    access,
    recursive,
    listing: access === 'read' && listsNamesOnly(command.name ?? '') && command.inner.every(readsNothing),
    globRoot: glob === null || mayClimb(glob) ? null : globRoot(glob),
    glob,
    crossing: word.crossing === true,
    names: null,
    assumed,
    found: false,
    filter:
      recursive && access === 'read' && !assumed
        ? namedFilter(word, command)
        : access === 'delete'
          ? deletedFilter(command)
          : null,
    ...(value === null && { from: base }),
    span: word.span,
  };
}

/** `rm`, `chmod 644`: the command that find runs only changes the files and reveals nothing of them. */
function readsNothing({ verdict, inner }: Command): boolean {
  return inner.length === 0 && verdict.known && verdict.effects.every(({ action }) => action === 'write' || action === 'delete');
}

/** A file that a shell pattern matches is named explicitly, so it is read whatever its name (`rg -t ts x .e?v`); only grep skips it. */
function namedFilter(word: ShellWord, command: Command): NameFilter | null {
  const filter = searchFilter(command);
  return word.glob && filter !== null && READING_NAMED.has(command.name ?? '') ? null : filter;
}

const READING_NAMED: ReadonlySet<string> = new Set(['rg', 'gofmt']);

/** `find -files0-from FILE` prints entries that are not valid names in its error messages, so the file counts as read. */
function readLists(references: readonly PathReference[], { name, invocation: { argv } }: Command): readonly PathReference[] {
  if (!listsNamesOnly(name ?? '')) return references;
  const lists = argv.filter(({ text }, at) => LIST_OPTION.test(text) || LIST_OPTION.test(argv[at - 1]?.text ?? ''));
  if (lists.length === 0) return references;
  const spans = new Set(lists.map(({ span }) => span));
  return references.map((one) => (one.span !== null && spans.has(one.span) ? { ...one, listing: false } : one));
}

const LIST_OPTION = /^--?files0-from(?:=|$)/;

/** References to files below the starting points of another command's search: anything there may be read, and symlinks may be followed. */
function foundReferences(
  { names, span }: ShellWord,
  access: PathReference['access'],
  base: string | null,
  place: Place,
  command: Command,
  enters = false,
): readonly PathReference[] {
  if (names === undefined) return [];
  const filter = enters ? enteringFilter(names, command) : foundFilter(names);
  const found = { listing: false, found: true, span, filter, written: names.written };
  return names.roots.map((root) => ({ ...wordReference(root, access, base, place, command, true, false), ...found }));
}

/** `$PWD/x`, `"$HOME"/x`, `~+/x`: too uncertain for an allow, but certain enough for guards and for ask or deny rules. */
function knownVariable(text: string, place: Place): string | null {
  const match = /^"?(\$PWD|\$\{PWD\}|~\+|\$HOME|\$\{HOME\})"?(\/[\w./@+-]*)?"?$/.exec(text);
  if (match === null) return null;
  return `${match[1]?.includes('HOME') ? place.home : place.cwd}${match[2] ?? ''}`;
}

/** A `..` after a wildcard leaves whatever the wildcard matches; `.*` may itself match `..`. */
function mayClimb(key: string): boolean {
  const firstGlob = key.search(/[*?[]/);
  const from = key.lastIndexOf('/', firstGlob) + 1;
  return key
    .slice(from)
    .split('/')
    .some((segment) => segment === '..' || (/^\.[*?[]/.test(segment) && globMatch(withoutLists(withoutLetters(segment)), '..')));
}

/** Replaces each bracket list that cannot match a dot (`[a-z]`, `[!.]`) with a letter. */
function withoutLetters(segment: string): string {
  return segment.replace(/\[(?:[!^]\.[^\]\\[]*|(?:a-z|A-Z|0-9|[A-Za-z0-9])+)\]/g, 'x');
}
