/** Shell commands that do to named files of the project what the tools for editing do: `mkdir -p a`, `cp a b`, `sed -i s/x/y/ a`. */
import type { Command, GrammarIssue } from '../command/command.js';
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
  // A suffix, which would name another file, is no such option.
  ['sed', { options: /^-[nErsuz]*i$|^-[nErsuze]+$|^--(?:in-place|quiet|silent|expression|regexp-extended)$/, kinds: FILE }],
]);

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
  { command, paths, issues, scope }: Edit,
  mayWrite: (path: ResolvedPath) => boolean,
  mayRead: (path: ResolvedPath) => boolean,
): boolean {
  const { name, verdict, invocation, wrapper, inner, appended } = command;
  const editor = name === null ? undefined : EDITORS.get(name);
  if (editor === undefined || !verdict.known || wrapper !== null || inner.length > 0 || appended) return false;
  if (verdict.conditions.length > 0 || !issues.every(({ code }) => code === 'sed/in-place')) return false;
  const words = invocation.argv.flatMap(({ value, glob, tilde }) => (glob || tilde ? [] : (value ?? [])));
  if (words.length < invocation.argv.length || words[0] !== name || !arePlain(words, editor)) return false;
  if (verdict.effects.some(({ path, recursive }) => path === null || recursive)) return false;
  const isTarget = ({ reference }: ResolvedPath) => invocation.redirections.some(({ target }) => target?.span === reference.span);
  return paths.every((path) => isTarget(path) || isPlain(path, editor, scope, mayWrite, mayRead));
}

function arePlain([name, ...words]: readonly string[], { options }: Editor): boolean {
  const dashes = words.indexOf('--');
  const given = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => /^-./.test(word));
  if (!given.every((word) => options.test(word))) return false;
  if (name === 'chmod') return MODE.test(words.find((word) => !word.startsWith('-')) ?? '');
  return name !== 'sed' || given.some((word) => /^-[a-zA-Z]*i$|^--in-place$/.test(word));
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
  if (!isWrite(reference)) return fact.kind === 'file' && mayRead(path);
  if (path.locations[0]?.absolute !== real.absolute) return false;
  if (access === 'delete') return fact.kind === 'file' && mayWrite(path);
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
