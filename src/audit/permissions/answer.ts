/** One decision as evidence: what was decided, by which rules, and why. */
import type { Decision, RuleReference } from '../../decide/ruling/decision.js';
import { excerptOf } from '../model/digest.js';
import type { PermissionAnswer, PermissionRuleAt } from '../model/table.js';

/** Characters of a rule, a path or a reason that the report holds. */
const MOST = 200;

/** What becomes of a text in the report. */
type Excerpt = (text: string) => string;

/** Gives the answer to a call. The same texts come again and again, and are searched for secrets once. */
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

/** Rules that say what was decided: of the policy, then of the agent; each once. */
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

/** An allow rests on the policy: of an agent it says only that it is not held back. */
function whyOf({ decision, message, stages }: Decision): string {
  const policy = stages.find(({ stage }) => stage === 'policy');
  if (decision !== 'allow' || policy?.decision !== 'allow') return message;
  return policy.reasons[0]?.message ?? message;
}
