/** Ask and deny rules about an input field of a call: `Bash(run_in_background:true)`, `Agent(model:opus)`. */
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import type { CallAnalysis } from '../flow/analysis.js';

/** At most this many fields, and this many characters of each value, are examined; no rule names anything longer. */
const MOST_FIELDS = 100;
const MOST_VALUE = 10_000;

/** Returns the rules that a string, number or boolean of the input matches. They allow nothing: a call is more than one of its fields. */
export function meetsParameters(rules: RuleSet, { tool, input }: CallAnalysis): readonly CompiledRule[] {
  if (!rules.hasPatterned(tool.canonical)) return NONE;
  const found: CompiledRule[] = [];
  for (const [name, value] of Object.entries(input).slice(0, MOST_FIELDS)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const text = String(value).slice(0, MOST_VALUE);
    for (const rule of rules.parameters(tool.canonical, name, text)) if (rule.rule.effect !== 'allow') found.push(rule);
  }
  return found;
}

const NONE: readonly never[] = [];
