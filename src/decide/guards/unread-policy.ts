/**
 * A policy in a folder below the project that cannot be used: it is unknown what it forbids for calls made there, so every call
 * is asked about except those that only leave the folder. Pure.
 */
import type { CallAnalysis } from '../flow/analysis.js';
import type { CompiledPolicy } from '../policy/policy-data.js';
import type { Ruling } from '../ruling/combine.js';

/** The question about a call while such a policy is unread; null if there is none, or if the call only changes the directory. */
export function unreadPolicyRuling({ policy }: CompiledPolicy, analysis: CallAnalysis): Ruling | null {
  if (policy.unread === undefined || onlyMoves(analysis)) return null;
  const message = `${policy.unread}; to work elsewhere, cd there first`;
  return { effect: 'ask', rule: null, reason: { code: 'policy/unread', message } };
}

function onlyMoves({ lines }: CallAnalysis): boolean {
  return lines.length > 0 && lines.every(({ tree }) => tree.opaque.length === 0 && tree.commands.every(isMove));
}

function isMove({ name, invocation }: CallAnalysis['lines'][number]['tree']['commands'][number]): boolean {
  return name === 'cd' && invocation.redirections.length === 0 && invocation.assignments.length === 0;
}
