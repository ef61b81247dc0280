/** Shell commands that do to named files of the project what the tools for editing do: `mkdir -p a`, `cp a b`, `sed -i s/x/y/ a`. */
import type { Action, Command, GrammarIssue } from '../command/command.js';
import { judgeInvocation } from '../command/grammar.js';
import { withOperandChanges } from '../command/operand-changes.js';
import { commandReferences } from './command-references.js';
import type { PathFact } from './facts.js';
import { isWrite } from './path-references.js';
import { type ResolvedPath, resolvePath } from './paths.js';
import type { Scope } from './scope.js';

/** What of a command is plain: options that change nothing about which files are written, and what has to be there already. */
interface Editor {
  readonly options: RegExp;
  /** The kinds that a written path may have. */
  readonly kinds: ReadonlySet<PathFact['kind']>;
}

const NEW_OR_FILE: ReadonlySet<PathFact['kind']> = new Set(['file', 'missing']);
const FILE: ReadonlySet<PathFact['kind']> = new Set(['file']);

const EDITORS: ReadonlyMap<string, Editor> = new Map([
  ['mkdir', { options: /^-[pv]+$|^--(?:parents|verbose)$/, kinds: new Set(['directory', 'missing']) }],
  ['touch', { options: /^-c$|^--no-create$/, kinds: NEW_OR_FILE }],
  ['cp', { options: /^-[fnvp]+$|^--(?:force|no-clobber|verbose)$/, kinds: NEW_OR_FILE }],
  ['mv', { options: /^-[fnv]+$|^--(?:force|no-clobber|verbose)$/, kinds: NEW_OR_FILE }],
  // Modes with which the owner can still read the file, and which give nobody the rights of another one.
  ['chmod', { options: /^-[cfv]+$/, kinds: FILE }],
  // Another suffix might make the name of another file of the old text.
  [
    'sed',
    {
      options:
        /^-[nErsuz]*i(?:\.(?:bak|orig|old|tmp|backup)|~)?$|^-[nErsuze]+$|^--(?:in-place|quiet|silent|expression|regexp-extended)$/,
      kinds: FILE,
    },
  ],
]);

const IN_PLACE = /^-[nErsuz]*i(?:[.~]\w*)?$|^--in-place$/;
const MODE = /^(?:[ugoa]*\+[xrX]+|0?[4-7][0-7]{2})$/;

/** A command with what judging it needs; see Unit. */
interface Edit {
  readonly command: Command;
  readonly paths: readonly ResolvedPath[];
  readonly issues: readonly GrammarIssue[];
  readonly scope: Scope;
}

/**
 * Proof that a command only writes, copies, renames or makes plain files and folders that its words name, none of them through a link, and
 * all of them such that `mayWrite` (and for what is read `mayRead`) says yes.
 */
export function isProvenEdit(
  edit: Edit,
  mayWrite: (path: ResolvedPath) => boolean,
  mayRead: (path: ResolvedPath) => boolean,
): boolean {
  const { command, paths, issues, scope } = withoutEmptySuffix(edit);
  const { name, verdict, invocation, wrapper, inner, appended } = command;
  const editor = name === null ? undefined : EDITORS.get(name);
  if (editor === undefined || !verdict.known || wrapper !== null || inner.length > 0 || appended) return false;
  if (verdict.conditions.length > 0 || !issues.every(({ code }) => code === 'sed/in-place')) return false;
  const words = invocation.argv.flatMap(({ value, glob, tilde }) => (glob || tilde ? [] : (value ?? [])));
  if (words.length < invocation.argv.length || words[0] !== name || !arePlain(words, editor)) return false;
  // The suffix of `sed -i.bak` writes a file beside each one that is named; a script that writes others has an issue of its own.
  const isSuffix = (action: Action) => name === 'sed' && action === 'write';
  if (verdict.effects.some(({ action, path, recursive }) => recursive || (path === null && !isSuffix(action)))) return false;
  const isTarget = ({ reference }: ResolvedPath) => invocation.redirections.some(({ target }) => target?.span === reference.span);
  return paths.every((path) => isTarget(path) || isPlain(path, editor, scope, mayWrite, mayRead));
}

/**
 * `sed -i '' s/x/y/ a` as macOS reads it: without a suffix. GNU sed takes the empty word for the script, which changes nothing, and the
 * script for the name of a file.
 */
function withoutEmptySuffix(edit: Edit): Edit {
  const { command, scope } = edit;
  const { invocation, name } = command;
  const at =
    name === 'sed'
      ? invocation.argv.findIndex(({ value }, index) => value === '' && invocation.argv[index - 1]?.value === '-i')
      : -1;
  if (at < 0) return edit;
  const read = { ...invocation, argv: invocation.argv.filter((_, index) => index !== at) };
  const verdict = withOperandChanges(judgeInvocation(read, 'sed'), read);
  const own: Command = { ...command, invocation: read, verdict };
  const paths = commandReferences(own, scope.place).map((reference) => resolvePath(reference, scope.facts));
  return { ...edit, command: own, paths, issues: verdict.issues };
}

function arePlain([name, ...words]: readonly string[], { options }: Editor): boolean {
  const dashes = words.indexOf('--');
  const given = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => /^-./.test(word));
  if (!given.every((word) => options.test(word))) return false;
  if (name === 'chmod') return MODE.test(words.find((word) => !word.startsWith('-')) ?? '');
  return name !== 'sed' || given.some((word) => IN_PLACE.test(word));
}

/** One path of the command: read, written or moved away, itself and not what a link leads to. */
function isPlain(
  path: ResolvedPath,
  { kinds }: Editor,
  { facts }: Scope,
  mayWrite: (path: ResolvedPath) => boolean,
  mayRead: (path: ResolvedPath) => boolean,
): boolean {
  const { reference, real } = path;
  const { key, access, names } = reference;
  if (key === null || real === null || reference.globRoot !== null || reference.found || reference.assumed) return false;
  const fact = Object.hasOwn(facts.paths, key) ? facts.paths[key] : undefined;
  if (fact === undefined) return false;
  // What is not there yet another command of the line may make; one that may leave a link there is asked about for that.
  if (!isWrite(reference)) return NEW_OR_FILE.has(fact.kind) && mayRead(path);
  if (path.locations[0]?.absolute !== real.absolute) return false;
  if (access === 'delete') return NEW_OR_FILE.has(fact.kind) && mayWrite(path);
  if (names === null || fact.kind !== 'directory') return kinds.has(fact.kind) && mayWrite(path);
  // In a folder every source gets its own last name.
  return (
    names.length > 0 &&
    names.every((name) => {
      const below = resolvePath({ ...reference, key: `${key}/${name}`, names: null }, facts);
      const itself = Object.hasOwn(facts.paths, `${key}/${name}`) ? facts.paths[`${key}/${name}`] : undefined;
      if (/[*?[]/.test(name) || itself === undefined || below.real === null) return false;
      return below.locations[0]?.absolute === below.real.absolute && kinds.has(itself.kind) && mayWrite(below);
    })
  );
}
