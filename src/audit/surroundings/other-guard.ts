/**
 * A hook of the project before calls, such as a team's guard: it may rewrite a call, so a person has to accept it with a rule that names
 * its command. A preset or a wide rule is not enough: `cat answer.json` only reads, and yet answers in place of the policy.
 */
import type { Workspace } from '../../project/workspace.js';
import type { OtherHook } from '../doctor/found/other-hook.js';
import { allowLine, isNamedByRule, startedCall, startedCommand } from './started-command.js';

interface Guard {
  readonly accepted: boolean;
  /** The command line that accepts it; null if no rule can. */
  readonly accept: string | null;
}

export const OPEN: Guard = { accepted: false, accept: null };

export function guardOf({ what, form }: OtherHook, workspace: Workspace | null): Guard {
  const call = workspace === null || form !== 'command' ? null : startedCall(what, workspace.surroundings.project);
  if (workspace === null || call === null) return OPEN;
  const { level, offer, decision } = startedCommand(workspace, call);
  if (isNamedByRule(decision)) return { accepted: true, accept: null };
  if (offer !== null) return { accepted: false, accept: allowLine(offer, workspace) };
  const command = String(call.input.command);
  const isPlain = level === 'allowed' && /^[\w@%+=:,./ -]{1,300}$/.test(command);
  const named = { rules: [`Bash(${command})`], scope: 'exact', alsoAllows: [] } as const;
  return { accepted: false, accept: isPlain ? allowLine(named, workspace) : null };
}
