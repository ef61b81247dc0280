/** One decision as evidence: the decision, its rules, and its reason. */
import type { Decision, RuleReference } from '../../decide/ruling/decision.js';
import { excerptOf } from '../model/digest.js';
import type { PermissionAnswer, PermissionRuleAt } from '../model/table.js';

/** The maximum number of characters of a rule, a path or a reason in the report. */
const MOST = 200;

/** Shortens and masks a text for the report. */
type Excerpt = (text: string) => string;

/** Returns a function that makes the answer to a call. The same texts occur again and again, and are searched for secrets only once. */
export function answering(): (call: string, decision: Decision) => PermissionAnswer {
  const known = new Map<string, string>();
  const excerpt: Excerpt = (text) => {
    const shown = known.get(text) ?? excerptOf(text, MOST);
    known.set(text, shown);
    return shown;
  };
  return (call, decision) => ({
    call,
    decision: decision.decision,
    rules: rulesOf(decision, excerpt),
    why: excerpt(whyOf(decision)),
  });
}

/** Returns the rules behind the decision: of the policy, then of the agent; each once. */
function rulesOf({ decision, stages, commands }: Decision, excerpt: Excerpt): readonly PermissionRuleAt[] {
  const named = [
    ...['policy', 'agent'].map((stage) => stages.find((one) => one.stage === stage)?.rule ?? null),
    ...commands.map(({ rule }) => rule),
  ];
  const saying = named.filter((rule) => rule !== null).filter(({ effect }) => effect === decision);
  const once = saying.filter((rule, at) => saying.findIndex((other) => isSame(rule, other)) === at);
  return once.map(({ text, layer, file, line }) => ({ text: excerpt(text), layer, file: excerpt(file), line }));
}

function isSame(left: RuleReference, right: RuleReference): boolean {
  return left.text === right.text && left.file === right.file && left.line === right.line;
}

/** An allow rests on the policy: an agent's part only means that the agent is not restricted. */
function whyOf({ decision, message, stages }: Decision): string {
  const policy = stages.find(({ stage }) => stage === 'policy');
  if (decision !== 'allow' || policy?.decision !== 'allow') return message;
  return policy.reasons[0]?.message ?? message;
}
