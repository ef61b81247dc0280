/** policy/unused-suppression: a comment accepts a finding that there is none of. */
import { nearestWord } from '../../policy/nearest.js';
import { shown } from '../../policy/sentences.js';
import type { LintRule, Report } from '../rule.js';
import type { CommentedRule } from '../suppress.js';

/** Asked by run.ts, once it is known which comments were of use; alone it finds nothing. */
interface SuppressionRule extends LintRule {
  readonly report: (comment: CommentedRule, rules: readonly LintRule[]) => Report;
}

export const unusedSuppression: SuppressionRule = {
  id: 'policy/unused-suppression',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A comment accepts a finding that there is none of.',
    why: 'It will hide the next mistake on that line, which nobody has looked at.',
    bad: '# policy-disable-next-line naming/kebab-case\nname: reviewer\n',
    good: 'name: reviewer\n',
    fix: 'Remove the comment, or correct the name of the rule in it.',
  },
  check: () => [],
  report,
};

function report({ ruleId, at }: CommentedRule, rules: readonly LintRule[]): Report {
  const ids = rules.map(({ id }) => id);
  if (ids.includes(ruleId)) return { at, message: `There is no finding of ${ruleId} on the next line.` };
  const near = nearestWord(ruleId, ids);
  return { at, message: `There is no rule ${shown(ruleId)}${near === null ? '.' : `; did you mean ${near}?`}` };
}
