/** What a hook tells the agent and the person: one line, escaped, with the id under which the log has the whole story. */
import type { Decision } from '../decide/decision.js';
import { escapeText } from './escape.js';

const LONGEST = 1_200;
const VERBS = { allow: 'allowed', ask: 'asks about', deny: 'denied' } as const;

/**
 * `policy denied Bash: why; try instead: …; a person can settle it: … (decision ID)`.
 * @param settling the command that would settle it, or the sentence why none would
 */
export function hookLine(decision: Decision, id: string, settling: string | null): string {
  const { message, suggestion, call, reasons } = decision;
  const settled = settling?.startsWith('policy ') ? `a person can settle it in a terminal: ${settling}` : settling;
  // Where nobody can be asked the question itself comes first; that it was therefore denied must not go unsaid.
  const settledBefore = reasons.find(({ code }, at) => at > 0 && /^(?:ask\/|on-ask\/deny$)/.test(code));
  const parts = [
    `policy ${VERBS[decision.decision]} ${cut(call.tool, 100)}: ${cut(message, LONGEST)}`,
    ...(settledBefore === undefined ? [] : [settledBefore.message]),
    ...(suggestion === null || settled?.includes(suggestion) === true ? [] : [`try instead: ${cut(suggestion, 300)}`]),
    ...(settled === null ? [] : [cut(settled, 400)]),
  ];
  return escapeText(`${joined(parts)} (decision ${id})`);
}

/** The line for a call that could not be judged; `why` is a sentence with what to do. */
export function failureLine(why: string): string {
  return escapeText(`policy denied this call: ${cut(why, LONGEST)}`);
}

/** Behind a full stop a new sentence begins; parts without one are put together to one. */
function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) =>
    text.endsWith('.') ? `${text} ${part.charAt(0).toUpperCase()}${part.slice(1)}` : `${text}; ${part}`,
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
