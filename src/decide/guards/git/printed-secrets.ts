/** `git diff` prints tracked files that changed, which may include secrets: then it asks, whatever the rules say. Pure. */

import { type Printed, printedBy } from '../../../command/git/printed.js';
import type { Command } from '../../../command/model/command.js';
import type { CallAnalysis } from '../../flow/analysis.js';
import { directoryOf } from '../../flow/directories.js';
import type { Place } from '../../place/place.js';
import type { LineContext } from '../../policy/command-context.js';
import { changesCommits } from '../../policy/git-moves.js';
import type { Ruling } from '../../ruling/combine.js';
import type { Facts } from '../../ruling/facts.js';

/** A look-up to make in a repository. */
export interface PrintedNeeded {
  /** The directory that git runs in. */
  readonly directory: string;
  readonly printed: Printed;
}

/** The key of its facts. */
export function printedKey({ directory, printed }: PrintedNeeded): string {
  return JSON.stringify([directory, printed]);
}

/** The commands of a call, including wrapped ones, that print file contents. */
export function printedNeeded({ lines }: CallAnalysis, place: Place): readonly PrintedNeeded[] {
  let found: PrintedNeeded[] | null = null;
  const look = (command: Command) => {
    const printed = command.name === 'git' ? printedBy(command) : null;
    const directory = printed === null ? null : directoryOf(command, place);
    if (printed !== null && directory !== null) {
      found ??= [];
      found.push({ directory, printed });
    }
    command.inner.forEach(look);
  };
  for (const { tree } of lines) tree.commands.forEach(look);
  return found ?? NONE;
}

const NONE: readonly PrintedNeeded[] = [];

/** Subcommands that take pathspecs, which can exclude a file. */
const LEAVES_OUT: ReadonlySet<string> = new Set(['diff', 'show', 'log', 'grep']);

/** Adds a question if git would print a secret file, or if that is unknown. */
export function printedRulings(
  command: Command,
  directory: string | null,
  facts: Facts,
  { commands, possible }: LineContext,
  into: Ruling[],
): void {
  const printed = printedBy(command);
  if (printed === null) return;
  const [, subcommand = '', action = ''] = command.verdict.words;
  const name = subcommand === 'stash' ? `git stash ${action}` : `git ${subcommand}`;
  const key = directory === null ? null : printedKey({ directory, printed });
  const known = key !== null && facts.printed !== undefined && Object.hasOwn(facts.printed, key) ? facts.printed[key] : null;
  const [first] = known?.secrets ?? [];
  if (first !== undefined) {
    const instead = LEAVES_OUT.has(subcommand) ? `; leave it out: ${name} … -- . ':!${first}'` : '';
    into.push(question(command, `${name} can print ${first}, which may hold secrets${instead}`));
    return;
  }
  // For a line that is allowed unchecked, only known facts ask.
  if (possible !== null) return;
  if (known === null || known === undefined) into.push(question(command, `${name} may print secrets`));
  else if (known.tracked.length > 0 && commands.some((other) => changesCommits(other, command, known.tracked)))
    into.push(
      question(command, `another command in this line may change what ${name} prints, and git tracks files with secrets here`),
    );
}

function question({ invocation }: Command, message: string): Ruling {
  return { effect: 'ask', rule: null, reason: { code: 'secret/printed', message, span: invocation.span } };
}
