/** What a hook tells the agent and the person: one line, escaped, with the id under which the log has the whole story. */
import type { Decision } from '../decide/decision.js';
import { escapeText } from './escape.js';

const LONGEST = 1_200;

/** `policy denied Bash: why; try: suggestion (decision ID)`. `settle` is what would settle it, null when nothing would. */
export function hookLine(decision: Decision, id: string, settle: string | null): string {
  const verb = { allow: 'allowed', ask: 'asks about', deny: 'denied' }[decision.decision];
  const parts = [
    `policy ${verb} ${cut(decision.call.tool, 100)}: ${cut(decision.message, LONGEST)}`,
    ...(decision.suggestion === null ? [] : [`try instead: ${cut(decision.suggestion, 300)}`]),
    ...(settle === null ? [] : [cut(settle, 400)]),
  ];
  return escapeText(`${parts.join('; ')} (decision ${id})`);
}

/** The line for a call that could not be judged; `why` is a sentence with what to do. */
export function failureLine(why: string): string {
  return escapeText(`policy denied this call: ${cut(why, LONGEST)}`);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
