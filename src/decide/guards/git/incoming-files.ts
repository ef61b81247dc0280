/**
 * `git merge x` may replace protected files: then it asks, whatever the rules say, because no rule names the files of a commit.
 * If the incoming files cannot be known (`git pull`), an explicit rule about the command decides. Pure.
 */

import { bringsCommits, incomingOf, readsIndex } from '../../../command/git/incoming.js';
import type { Command } from '../../../command/model/command.js';
import { locate } from '../../../rule/path/location.js';
import type { LineContext } from '../../policy/command-context.js';
import { mayMoveCommits } from '../../policy/git-moves.js';
import type { Scope } from '../../policy/scope.js';
import type { Ruling } from '../../ruling/combine.js';
import type { IncomingFacts } from '../../ruling/facts.js';
import { incomingKey } from './incoming-needed.js';

/** Adds a question if a git command would bring in protected files, or if that is unknown. */
export function incomingRulings(
  command: Command,
  directory: string | null,
  scope: Scope,
  { commands, possible }: LineContext,
  into: Ruling[],
): void {
  const incoming = incomingOf(command);
  if (incoming === null) return;
  const { name, source } = incoming;
  // For a line that is allowed unchecked, only known facts ask.
  const unknown = (code: string, message: string, yields = false) => {
    if (possible === null) into.push({ ...question(command, code, message), ...(yields && { yields }) });
  };
  const facts = source === null || directory === null ? null : factsOf(scope, incomingKey({ directory, source }));
  const message = facts === null ? null : protectedChange(facts, name, scope);
  if (message !== null) {
    into.push(question(command, 'protected/incoming', message));
    return;
  }
  const isCommits = source !== null && bringsCommits(source);
  const alsoIndex = source !== null && readsIndex(source, facts?.isRevision === true);
  if (facts === null && !isCommits) unknown('protected/unknown-incoming', `${name} does not say which files it changes`);
  else if (source?.kind !== 'remote' && commands.some((other) => mayMoveCommits(other, command, alsoIndex)))
    unknown('git/moved', `another command in this line may change what ${name} brings; run ${name} in a separate call`);
  else if (facts === null) unknown('git/incoming', `${name} may change any file; which ones is known only afterwards`, true);
}

function factsOf({ facts: { incoming } }: Scope, key: string): IncomingFacts | null {
  return incoming !== undefined && Object.hasOwn(incoming, key) ? (incoming[key] ?? null) : null;
}

function question({ invocation }: Command, code: string, message: string): Ruling {
  return { effect: 'ask', rule: null, reason: { code, message, span: invocation.span } };
}

/** A sentence about the first protected file among those that change; null if there is none. */
function protectedChange({ top, files }: IncomingFacts, name: string, { facts, guard }: Scope): string | null {
  const except = guard?.except ?? null;
  for (const { path, pattern } of files) {
    if (except !== null && except.coversPath('*', locate(`${top}/${path}`, facts)).length > 0) continue;
    return `${name} changes ${path}, which is protected${pattern === path ? '' : ` (${pattern})`}`;
  }
  return null;
}
