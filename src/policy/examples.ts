/** The examples of rules: `match` must match, `notMatch` must not. */
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import type { PolicyProblem } from './policy.js';
import { shown } from './sentences.js';

/**
 * Checks every example with the engine's own matching, passed in by the caller (`true`: the rule matches that subject of its
 * tool). One problem for each example that fails, at the rule's place. Source: design "The policy file".
 */
export function verifyRuleExamples(
  rules: readonly PermissionRule[],
  matches: (rule: PermissionRule, example: string) => boolean,
): PolicyProblem[] {
  return rules.flatMap((rule) => [
    ...(rule.match ?? [])
      .filter((example) => !matches(rule, example))
      .map((example) => failed(rule, 'policy/example-not-matched', `has to match ${shown(example)}, but does not`)),
    ...(rule.notMatch ?? [])
      .filter((example) => matches(rule, example))
      .map((example) => failed(rule, 'policy/example-matched', `must not match ${shown(example)}, but does`)),
  ]);
}

function failed(rule: PermissionRule, code: string, what: string): PolicyProblem {
  return { code, message: `The rule ${shown(rule.text)} ${what}; change the rule or the example.`, source: rule.source };
}
