/**
 * Programs that take commands from later typing, under a runner whose agent may type without being asked (Codex: `write_stdin`
 * runs no hook). Such a program is denied unless its line already contains everything that it will do.
 */
import { calledAs, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { isOperand, keystrokes, TERMINAL, waits } from '../../command/model/interpreters.js';
import { member } from '../../generated/data.js';
import type { ShellRedirection } from '../../shell/syntax/types.js';
import type { CallAnalysis } from '../flow/analysis.js';
import type { Ruling } from '../ruling/combine.js';

/** The denial of the first program that would read typed input; null if there is none, or if the runner's agent cannot type. */
export function keystrokeRuling(runner: string | undefined, { lines, tool }: CallAnalysis): Ruling | null {
  if (runner === undefined || tool.mcp !== null || lines.length === 0 || member('#keystrokes', runner) === undefined) return null;
  for (const { tree } of lines) {
    for (const [at, command] of tree.commands.entries()) {
      const waiting = flatten([command]).find((one) => waits(one));
      if (waiting !== undefined && !hasPipedInput(tree.commands, at, waiting)) return denial(waiting);
    }
  }
  return null;
}

function denial({ invocation }: Command): Ruling {
  const name = invocation.argv[0]?.text ?? 'this program';
  const message = `${name} would wait for typed input, which no hook sees; give it all its input in the line or in a file`;
  return { effect: 'deny', rule: null, reason: { code: 'keystrokes/unseen', message, span: invocation.span } };
}

/** Whether its standard input is a file, or comes from a command that does not read typed input either. */
function hasPipedInput(commands: readonly Command[], at: number, waiting: Command): boolean {
  const outer = commands[at];
  if (
    outer === undefined ||
    waiting.invocation.argv.some(({ value }) => value !== null && TERMINAL.test(value) && value.startsWith('/'))
  )
    return false;
  if ([...waiting.invocation.redirections, ...outer.invocation.redirections].some(givesInput)) return true;
  let first = at;
  while (first > 0 && commands[first]?.invocation.piped === true) first -= 1;
  const source = commands[first];
  return first < at && source !== undefined && feeds(source);
}

function givesInput({ direction, descriptor, target }: ShellRedirection): boolean {
  if (descriptor !== null && descriptor !== 0) return false;
  if (direction === 'here') return true;
  return direction === 'read' && target !== null && target.value !== null && !TERMINAL.test(target.value);
}

function feeds(command: Command): boolean {
  const { feeders, files } = keystrokes();
  const name = calledAs(command) ?? '';
  const { argv, redirections } = command.invocation;
  if (feeders.has(name) || redirections.some(givesInput)) return true;
  // The first operand of grep, sed, awk and jq is not a file.
  const needed = /^(?:grep|rg|sed|awk|jq)$/.test(name) ? 2 : 1;
  return files.has(name) && argv.slice(1).filter(isOperand).length >= needed;
}
