/**
 * The input that a line feeds to its own commands: `ls | xargs rm` does the same as `rm $(ls)`, and `ls | while read f` sets `$f`
 * to `$(ls)`.
 */

import { baseName, findCommand } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { certainSteps } from '../../shell/scope/cwd.js';
import { listerBefore } from './listings.js';

/** Longer texts are not made into a line. */
const LONGEST_TEXT = 8_192;
/** The placeholder is replaced at most this many times; the rest of the line is dropped. */
const MOST_FILLED = 4;
/** Pipelines are followed across at most this many commands. */
const MOST_PIPED = 16;

const APPENDING: ReadonlySet<string> = new Set(['xargs', 'parallel']);
const READING: ReadonlyMap<string, string> = new Map([
  ['read', 'REPLY'],
  ['mapfile', 'MAPFILE'],
  ['readarray', 'MAPFILE'],
]);

/** The word that represents the standard input of the command at `at`; null if the line does not determine it. */
export function stdinAsWord(commands: readonly Command[], at: number): string | null {
  const redirected = commands
    .slice(at, at + 1)
    .concat(loopInput(commands, at))
    .flatMap(wordsFromRedirection);
  if (redirected[0] !== undefined) return redirected[0];
  const given = commands[at]?.invocation.argv.find(({ text }) => text.startsWith('<(') || text.startsWith('--arg-file=<('));
  if (given !== undefined && namedFile(commands[at])) return `$${given.text.slice(given.text.indexOf('('))}`;
  const lister = commands[at]?.invocation.piped ? listerBefore(commands, at) : null;
  if (lister === null || at - lister.at > MOST_PIPED) return null;
  const piped = commands.slice(lister.at, at).map(wordsOf).join(' | ');
  return piped.length > LONGEST_TEXT ? null : `$(${piped})`;
}

/** `xargs -a <(find /)`. */
function namedFile(command: Command | undefined): boolean {
  return (
    command !== undefined && appends(command) && command.invocation.argv.some(({ text }) => /^(?:-a$|--arg-file)/.test(text))
  );
}

/** `done < <(find /)`: a loop's redirections follow it, on a command without words. */
function loopInput(commands: readonly Command[], at: number): readonly Command[] {
  const own = commands[at]?.invocation;
  if (own === undefined || own.piped || !own.enclosures.includes('loop')) return [];
  const end = commands.findIndex(({ invocation }, index) => index > at && !invocation.enclosures.includes('loop'));
  const behind = commands[end];
  return behind?.invocation.argv.length === 0 ? [behind] : [];
}

/** The words that a command reads from its redirections, as substitutions: `$(find /)` for `< <(find /)` and for `<<< "$(find /)"`. */
function wordsFromRedirection({ invocation }: Command): readonly string[] {
  return invocation.redirections.flatMap(({ direction, operator, target }) => {
    if (operator === '<<<' && target !== null) return [target.text];
    const isFile = direction === 'read' && target?.text.startsWith('<(') === true;
    return isFile ? [`$${target.text.slice(1)}`] : [];
  });
}

export function wordsOf({ invocation }: Command): string {
  return invocation.argv.map(({ text }) => text).join(' ');
}

/** Whether the command is xargs or parallel, or runs it. */
export function appends(command: Command): boolean {
  return findCommand([command], isAppending) !== null;
}

function isAppending(command: Command): boolean {
  return command.inner.length > 0 && APPENDING.has(baseName(command) ?? '');
}

/** The line that xargs builds from its standard input, such as `rm -rf $(find /)`; null for a command that appends nothing. */
export function lineWith(command: Command, fed: string): string | null {
  const outer = findCommand([command], isAppending);
  const inner = outer?.inner[0];
  if (outer === null || inner === undefined) return null;
  const own = wordsOf(inner).slice(0, LONGEST_TEXT);
  const pieces = own.split(placeholderOf(outer.invocation.argv.map(({ text }) => text)), MOST_FILLED + 1);
  return pieces.length === 1 ? `${own} ${fed}` : pieces.join(fed);
}

/** Whether this text is new for this folder: the same text in the same folder has the same effect each time. */
export function isNew(text: string, { invocation: { directory } }: Command, seen: Set<string>): boolean {
  const key = `${directory === null ? '' : `${directory.join('\0')}\0`}\n${text}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** The inner command as if it ran in place of the outer one. */
export function standingFor(command: Command, outer: Command): Command {
  const { directory, span } = outer.invocation;
  const own = certainSteps(command.invocation.directory);
  const steps = directory === null || own === null ? null : [...directory, ...own];
  return {
    ...command,
    invocation: { ...command.invocation, directory: steps, span },
    inner: command.inner.map((one) => standingFor(one, outer)),
  };
}

/** The placeholder of `-I X`, `-IX` or `--replace=X`; otherwise `{}`. */
function placeholderOf(words: readonly string[]): string {
  for (const [at, word] of words.entries()) {
    const value = word === '-I' ? words[at + 1] : /^(?:-I|--replace=)(.+)$/s.exec(word)?.[1];
    if (value !== undefined) return value;
  }
  return '{}';
}

/** The variables that a command sets from its input. */
export function namesRead(command: Command): readonly string[] {
  const otherwise = READING.get(baseName(command) ?? '');
  if (otherwise === undefined) return [];
  const names = command.invocation.argv
    .slice(1)
    .flatMap(({ value }) => (value !== null && /^[A-Za-z_]\w*$/.test(value) ? [value] : []));
  return names.length === 0 ? [otherwise] : names;
}
