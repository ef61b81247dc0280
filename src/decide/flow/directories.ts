/** The directories in which the commands of a line run, and the folders that the shell and git name. */
import { posix } from 'node:path';
import type { Command } from '../../command/model/command.js';
import { TO_TOP, TRIED, triedStep } from '../../shell/scope/cwd.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { expandTilde, type Place } from '../place/place.js';
import { cwdPaths } from './cwd-paths.js';

/** The directory that a command runs in, as the shell names it; null if unknown. */
export function directoryOf(command: Command, place: Place): string | null {
  return directoryAt(command.invocation.directory, place);
}

/** The directory that a series of `cd` steps leads to; null if unknown. */
function directoryAt(steps: readonly string[] | null, place: Place): string | null {
  if (steps === null) return null;
  if (steps.length === 0) return place.cwd;
  return walk(steps, place);
}

/** `link/../x`: where `..` leads depends on whether the segment before it is a symlink. */
export function mayLeaveLink(path: string): boolean {
  return path.includes('..') && /[^/.][^/]*\/+\.\.(?:\/|$)/.test(path);
}

/**
 * Prefix of a step to a folder that a word names relative to another one: `cd "$(dirname "$PWD")"`. For questions, never for a permission.
 */
export const NAMED = '\0named ';

/** The maximum length of a path in a system call. A longer path is unknown. */
const LONGEST = 4_096;

function walk(steps: readonly string[], place: Place): string | null {
  let current: string | null = place.cwd;
  // The value of `$OLDPWD`.
  let left = place.cwd;
  for (const step of steps) {
    const from: string | null = current;
    if (step === TO_TOP || step.startsWith(NAMED)) {
      const named: string | null =
        step === TO_TOP ? from && topOf(from, place) : namedFolder(step.slice(NAMED.length), from, left, place);
      if (named === null) return null;
      current = named;
      left = from ?? left;
      continue;
    }
    const tried = triedStep(step);
    const operand = tried?.operand ?? step;
    const expanded = expandTilde(operand, operand.startsWith('~'), place.home);
    // `cd link/../x`: the shell first tries x beside the link, then x beside the link's target.
    if (expanded === null || mayLeaveLink(expanded)) return null;
    const target: string | null = targetOf(expanded, from);
    if (tried === null) current = target;
    else if (target === null) return null;
    // A missing folder may be created before the line runs, so the result is unknown.
    else if (isFolder(`${tried.offset} ${target}`, place) !== true) return null;
    else current = target;
    left = from ?? left;
  }
  return current;
}

function targetOf(operand: string, from: string | null): string | null {
  if (operand.startsWith('/')) return normalized(operand);
  return from === null || from.length > LONGEST ? null : normalized(`${from}/${operand}`);
}

/** Whether the folder that a `cd` enters exists, if the facts include it; otherwise null. */
function isFolder(key: string, { folders }: Place): boolean | null {
  return (folders !== undefined && Object.hasOwn(folders, key) ? folders[key] : null) ?? null;
}

/**
 * The folders that `cd`s of a line try to enter and whose existence the facts do not include yet, by the keys of `Place.folders`.
 * Existence can be established only if the `cd` certainly runs and no command before it changes anything.
 */
export function triedFolders(commands: readonly Command[], place: Place): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { invocation } of commands) {
    const steps = invocation.directory ?? [];
    const at = steps.findIndex((step, index) => step.startsWith(TRIED) && directoryAt(steps.slice(0, index + 1), place) === null);
    const tried = at < 0 ? null : triedStep(steps[at] ?? '');
    const from = at < 0 ? null : directoryAt(steps.slice(0, at), place);
    if (tried === null || from === null) continue;
    const expanded = expandTilde(tried.operand, tried.operand.startsWith('~'), place.home);
    if (expanded === null || mayLeaveLink(expanded)) continue;
    const target = targetOf(expanded, from);
    if (target !== null && isFirstToChange(commands, tried.offset)) found.set(`${tried.offset} ${target}`, target);
  }
  return found;
}

/** Whether the `cd` at this offset runs once, and every command before it only reads. */
function isFirstToChange(commands: readonly Command[], offset: number): boolean {
  const before = commands.filter(({ invocation }) => invocation.span.start <= offset);
  return (
    before.length > 0 &&
    before.every(isQuiet) &&
    before.some(({ name, invocation }) => name === 'cd' && invocation.span.start === offset)
  );
}

function isQuiet({ verdict, invocation, inner, name }: Command): boolean {
  if (invocation.background || invocation.enclosures.some((one) => one !== 'group')) return false;
  if (!invocation.redirections.every(({ direction, target }) => direction === 'duplicate' || target?.value === '/dev/null'))
    return false;
  return name === 'cd' || (inner.length === 0 && verdict.known && verdict.effects.every(({ action }) => action === 'read'));
}

function namedFolder(word: string, from: string | null, left: string, place: Place): string | null {
  return cwdPaths(word, from, { ...place, cwd: left })[0] ?? null;
}

/** Where a `cd` with a known operand leads from a directory; null for any other command. */
export function enteredKey({ invocation: { argv, assignments } }: Command, from: string, place: Place): string | null {
  if (argv[0]?.value !== 'cd' || assignments.length > 0) return null;
  const [operand, more] = argv.slice(argv[1]?.value === '--' ? 2 : 1);
  if (operand === undefined) return place.home;
  const value = operand.value ?? placedValue(operand, place);
  if (more !== undefined || operand.glob || value === null || /^(?:$|[-+])/.test(value) || mayLeaveLink(value)) return null;
  const path = expandTilde(value, operand.tilde, place.home);
  return path === null ? null : normalized(path.startsWith('/') ? path : `${from}/${path}`);
}

/** The top level that git reports for a directory; null if there is none or the facts do not include it yet. */
function topOf(directory: string, { tops }: Place): string | null {
  return (tops !== undefined && Object.hasOwn(tops, directory) ? tops[directory] : null) ?? null;
}

/** Adds the directories for which a line asks git for the top level. */
export function topLevelQueries(command: Command, place: Place, into: Set<string>): void {
  const { argv, directory } = command.invocation;
  for (const { origin } of argv) askedTop(origin, place, into);
  for (const { path } of command.verdict.effects) askedTop(path?.origin, place, into);
  for (const condition of command.verdict.conditions)
    if (condition.kind === 'project-path') askedTop(condition.path.origin, place, into);
  const step = directory?.lastIndexOf(TO_TOP) ?? -1;
  const before = step < 0 ? null : directoryAt(directory?.slice(0, step) ?? null, place);
  if (before !== null) into.add(before);
  for (const inner of command.inner) topLevelQueries(inner, place, into);
}

function askedTop(origin: ShellWord['origin'], place: Place, into: Set<string>): void {
  if (origin?.source.kind !== 'top') return;
  const asked = directoryAt(origin.source.directory, place);
  if (asked !== null) into.add(asked);
}

/** The folder that a word begins with (`$HOME/x`, `"$(git rev-parse --show-toplevel)"/x`); null if there is none or it is unknown. */
export function placeIn({ origin }: ShellWord, place: Place): string | null {
  if (origin?.before !== '') return null;
  const { source } = origin;
  switch (source.kind) {
    case 'home':
      return place.home;
    case 'here':
      return directoryAt(source.directory, place);
    case 'top': {
      const directory = directoryAt(source.directory, place);
      return directory === null ? null : topOf(directory, place);
    }
    default:
      return null;
  }
}

/** The path that such a word expands to; null if unknown. */
export function placedValue(word: ShellWord, place: Place): string | null {
  const start = placeIn(word, place);
  return start?.startsWith('/') ? `${start}${word.origin?.after ?? ''}` : null;
}

/** Expands the folder in a word (`$PWD/x`, `--out=$(pwd)/x`), for callers that look for names in words. */
export function filledWord(word: ShellWord, place: Place): ShellWord {
  const { value, origin } = word;
  if (value !== null || origin === undefined) return word;
  const start = placeIn({ ...word, origin: { ...origin, before: '' } }, place);
  return start === null ? word : { ...word, value: `${origin.before}${start}${origin.after}`, tilde: false };
}

/** Like `posix.normalize`, with a shortcut for absolute paths that are already normalised. */
function normalized(path: string): string {
  return path.startsWith('/') && !path.includes('/.') && !path.includes('//') ? path : posix.normalize(path);
}
