/** The message of a hook to the agent and the person: one escaped line, with the id of the complete record in the log. */
import { type Decision, joined, type RuleReference, told } from '../decide/ruling/decision.js';
import { agentLabel, escapeText } from '../report/printing/escape.js';

const LONGEST = 1_200;
/** The length that every runner shows; some cut longer lines. */
const TWO_LINES = 180;
const VERBS = { allow: 'allowed', ask: 'asks about', deny: 'denied' } as const;

/**
 * `policy denied Bash: why; what can be done instead; where to change it (decision ID)`. A runner may show only two lines, so the
 * most important part comes first.
 * @param remedy the command that would allow the call, or a sentence why none would
 * @param model of the caller
 */
export function hookLine(decision: Decision, id: string, remedy: string | null, model: string | null = null): string {
  const { suggestion, call, reasons } = decision;
  const rule = writtenRule(decision);
  const { first, more, then } = told(reasons);
  const why = `${cut(rule === null ? first : ruleSays(rule, decision), LONGEST)}${more}`;
  const lineWith = (help: string | null): string =>
    joined([
      `policy ${VERBS[decision.decision]} ${cut(call.tool, 100)}: ${why}`,
      // If nobody can be asked, the message must say that the call was denied for that reason.
      ...(then === null ? [] : [then]),
      ...(suggestion === null || help?.includes(suggestion) === true ? [] : [`try instead: ${cut(suggestion, 300)}`]),
      ...(help === null ? [] : [cut(help, 400)]),
    ]);
  const whole = lineWith(rule === null ? remedyText(remedy, decision) : whereOf(rule, decision));
  const line = rule === null && whole.length > TWO_LINES ? lineWith(remedyText(remedy, decision, true)) : whole;
  const who = call.agent === null ? '' : `${cut(agentLabel(call.agent, model), 200)}; `;
  return escapeText(`${line} (${who}decision ${id})`);
}

/** The rule that decided, if a person wrote it; null for rules of a preset or of an agent's definition, and where it is not the news. */
function writtenRule({ stage, rule, decision, reasons }: Decision): RuleReference | null {
  if (reasons[0]?.code === 'mcp/redefined') return null;
  return stage === 'policy' && rule !== null && rule.effect !== 'allow' && rule.layer !== 'preset' && decision !== 'allow'
    ? rule
    : null;
}

/** The reason given by the rule's author, or otherwise the rule itself. */
function ruleSays({ text, effect, reason }: RuleReference, { reasons }: Decision): string {
  if (reasons.some(({ code }) => code === 'rule/uncertain'))
    return `it may match ${text}, which ${effect === 'deny' ? 'denies' : 'asks'}${reason === undefined ? '' : `: ${reason}`}`;
  return reason ?? `${text} ${effect === 'deny' ? 'denies' : 'asks about'} it`;
}

/** What to do about a rule that no allow rule overrides, and where that rule is. */
function whereOf({ text, effect, reason, file, line }: RuleReference, { decision, suggestion }: Decision): string {
  const place = `${reason === undefined ? '' : `${text} `}in ${file}${line > 0 ? `:${line}` : ''}`;
  if (decision === 'ask' || suggestion !== null) return `the rule is ${place}`;
  return effect === 'ask'
    ? `let a person run it in a terminal; the rule is ${place}`
    : `go on without it, or ask the person to change the rule ${place}`;
}

/** The remedy with the advice first, then that no rule would help, then why, if there is room and other reasons remain. */
function remedyText(remedy: string | null, { decision, reasons }: Decision, short = false): string | null {
  if (remedy?.startsWith('policy '))
    return decision === 'ask' ? `to always allow it, a person runs: ${remedy}` : `to allow it, a person runs: ${remedy}`;
  const found = /^(no [^:;,]*)((?:: |, and )[^;]*)?; (.*)$/s.exec(remedy ?? '');
  if (found === null) return remedy;
  const [, none = '', because = '', advice = ''] = found;
  return `${advice}; ${none}${reasons.length > 1 && !short ? because : ''}`;
}

/** The line for a call that could not be judged; `why` is a sentence that includes what to do. */
export function failureLine(why: string): string {
  return escapeText(`policy denied this call: ${cut(why, LONGEST)}`);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
