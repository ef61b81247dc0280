/** What a simple command as a whole does to the shell: its name, what it evaluates or sets, and the directory after it. */

import { takesData } from '../expand/data-words.js';
import { readTargets } from '../scope/assigned-names.js';
import { effectiveWords, inspectBuiltin, isBuiltinOfInterest } from '../scope/builtins.js';
import type { Place, Reading } from '../scope/context.js';
import { type Move, moveOf } from '../scope/cwd.js';
import { assignedName, isOwnVariable, movesDirectory } from '../scope/variables.js';
import type { Command } from '../syntax/parser.js';
import type { Invocation, ShellWord } from '../syntax/types.js';

const STAY: Move = { kind: 'stay' };

/** Notes every reason that the command as a whole gives, and follows the changes it makes. */
export function noteCommandMeaning(reading: Reading, place: Place, invocation: Invocation, node: Command): void {
  const { argv, redirections, assignments } = invocation;
  const name = argv[0];
  if (name === undefined) {
    // zsh runs a pager or `cat` for a bare redirection.
    if (redirections.length > 0 && assignments.length === 0 && reading.shell !== 'bash')
      reading.note('shell-dialect', place, node.pos, node.end);
    reading.directory.apply(STAY);
    for (const { name, value, append, source } of assignments) {
      // If a redirection fails, bash does not assign.
      if (append || redirections.length > 0) reading.bindings.forget(name);
      else reading.bindings.assign(name, value, source);
    }
    return;
  }
  flagDynamicCommandName(reading, place, name, node);
  if (name.value !== null && !isBuiltinOfInterest(name.value)) {
    reading.directory.apply(STAY);
    return;
  }
  concludeBuiltin(reading, place, invocation, node);
}

/** Notes the name of a command that is not one static word. */
function flagDynamicCommandName(reading: Reading, place: Place, name: ShellWord, node: Command): void {
  const { pos, end } = node.name ?? node;
  // `%1` as a command name is a job.
  if (name.value === null || name.tilde || name.text.includes('$') || name.value.startsWith('%'))
    reading.note('dynamic-command', place, pos, end);
  if (name.glob) reading.note('glob-command', place, pos, end);
  // zsh reads `{echo a; }` as the start of a group.
  if (name.text.startsWith('{')) reading.compounds = true;
}

function concludeBuiltin(reading: Reading, place: Place, invocation: Invocation, node: Command): void {
  const { directory, shell } = reading;
  const { pos, end } = node;
  if (invocation.argv[0]?.value === 'read') receiveNames(reading, place, invocation, node);
  const words = effectiveWords(invocation.argv, shell);
  if (words === null) {
    reading.note('dynamic-command', place, pos, end);
    directory.apply({ kind: 'unknown' });
    return;
  }
  const move = moveOf(invocation, words[0]?.value ?? '');
  const moveIsKnown = move.kind === 'to' || move.kind === 'place' || (move.kind === 'back' && directory.mayReturn());
  if (move.kind !== 'place') flagUnknownArguments(reading, place, words, node);
  const findings = inspectBuiltin(words, shell, moveIsKnown);
  if (shell !== 'bash' && words !== invocation.argv)
    for (const modifier of inspectBuiltin(invocation.argv, shell, true)) reading.note(modifier.code, place, pos, end);
  for (const { code, evaluates } of findings) {
    reading.note(code, place, pos, end);
    for (const text of evaluates) directory.inSubshell(() => reading.readEvaluated(text, place, pos, end));
  }
  if (words.slice(1).some((word) => movesDirectory(assignedName(word.value ?? word.text)))) {
    directory.lose();
    return;
  }
  // Directory changes in evaluated code are not followed.
  const evaluated = findings.some(({ code }) => code === 'eval' || code === 'dynamic-script' || code === 'alias-definition');
  directory.apply(evaluated ? { kind: 'unknown' } : move);
}

/** Binds the names of `read` to the words of a line; lowercase names that are not the line's own have a meaning in zsh. */
function receiveNames(reading: Reading, place: Place, { argv, redirections }: Invocation, { pos, end }: Command): void {
  for (const name of readTargets(argv.slice(1).map(({ text }) => text)) ?? []) {
    if (!isOwnVariable(name) && /^[a-z_]/.test(name)) reading.note('special-variable', place, pos, end);
    else if (redirections.length === 0) reading.bindings.receive(name);
    else reading.bindings.forget(name);
  }
}

/** Builtins evaluate names, numbers and formats: few of them accept an unknown string safely, and only in few positions. */
function flagUnknownArguments(reading: Reading, place: Place, words: readonly ShellWord[], node: Command): void {
  if (words.some(({ data }) => data !== undefined) && !takesData(words, reading.shell))
    reading.note('parameter-expansion', place, node.pos, node.end);
}
