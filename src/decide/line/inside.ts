/**
 * Commands that run on another machine or in a container, as a rule names them: for `ssh HOST 'grep x y | tail'` these are `ssh
 * HOST grep x y` and `ssh HOST tail`. Paths in them are paths of the other machine.
 */
import type { Command, GrammarIssue } from '../../command/model/command.js';
import type { WordIssue } from '../../rule/pattern/command-pattern.js';

export interface InsideCommand {
  readonly command: Command;
  /** The words of the wrappers before it. */
  readonly before: readonly string[];
  readonly words: readonly string[];
  readonly issues: readonly WordIssue[];
}

/** A command, the issues that a wildcard does not cover, and the commands that it runs. */
interface Judged {
  readonly command: Command;
  readonly issues: readonly GrammarIssue[];
  readonly inner: readonly Judged[];
}

/**
 * The commands that need an allow: those that open files or do more than print their input. Null if nothing runs elsewhere, or if
 * that is uncertain.
 */
export function commandsInside({ command, issues, inner }: Judged): readonly InsideCommand[] | null {
  const found = command.wrapper?.kind === 'privilege' ? within({ command, issues, inner }, [], []) : null;
  const opening = found?.filter(opensMore) ?? [];
  return opening.length > 0 ? opening : found;
}

/** Like `commandsInside`, for a command that has not been judged. */
export function readInside(command: Command): readonly InsideCommand[] | null {
  const read = (one: Command): Judged => ({ command: one, issues: one.verdict.issues, inner: one.inner.map(read) });
  return commandsInside(read(command));
}

function within(judged: Judged, before: readonly string[], outer: readonly WordIssue[]): readonly InsideCommand[] | null {
  const { command, issues, inner } = judged;
  const { argv, assignments, redirections } = command.invocation;
  const words = argv.flatMap(({ value, glob, tilde }) => (value === null || glob || tilde ? [] : [value]));
  if (command.appended || command.guessed === true || assignments.length > 0 || words.length < argv.length) return null;
  // Shells treat a backslash before a quote differently, and it is unknown which shell reads the text there.
  if (words.some((word) => /\\['"]/.test(word))) return null;
  const isOutermost = before.length === 0;
  if (!isOutermost && !redirections.every(isQuiet)) return null;
  const shifted = [...outer, ...issues.map((issue) => (issue.word < 0 ? issue : { ...issue, word: issue.word + before.length }))];
  if (inner.length === 0) return isOutermost ? null : [{ command, before, words: [...before, ...words], issues: shifted }];
  const passesOn = command.wrapper?.kind === 'interpreter' || command.wrapper?.kind === 'transparent';
  if (passesOn && issues.length > 0) return null;
  const first = inner[0]?.command.invocation.argv[0]?.span.start ?? 0;
  const at = passesOn ? 0 : argv.findIndex(({ span }) => span.start >= first);
  // A word that has an issue of the wrapper must come before the command.
  if (!passesOn && (at < 1 || issues.some(({ word }) => word >= at))) return null;
  const found = inner.map((one) =>
    passesOn ? within(one, before, outer) : within(one, [...before, ...words.slice(0, at)], shifted),
  );
  return found.some((one) => one === null) ? null : found.flatMap((one) => one ?? []);
}

/** Whether it is `2>&1` or `2>/dev/null`; any other redirection opens a file there. */
function isQuiet({ direction, target }: Command['invocation']['redirections'][number]): boolean {
  if (direction === 'duplicate') return /^(?:\d+-?|-)$/.test(target?.value ?? '');
  return target?.value === '/dev/null';
}

function opensMore({ command: { verdict }, issues, before }: InsideCommand): boolean {
  return !verdict.known || verdict.effects.length > 0 || issues.some(({ word }) => word < 0 || word >= before.length);
}
