import { shown } from '../../../policy/sentences.js';
import type { CommentedRule } from '../../files/suppress.js';
import type { LintRule, Report } from '../../project/rule.js';
import { meant, type Suggest } from '../../text/suggest.js';

/** Called by run.ts once it is known which comments were used; on its own it finds nothing. */
interface SuppressionRule extends LintRule {
  readonly report: (comment: CommentedRule, ruleIds: readonly string[], suggest: Suggest) => Report;
}

export const unusedSuppression: SuppressionRule = {
  id: 'policy/unused-suppression',
  severity: 'warning',
  docs: {
    what: 'A comment accepts a finding that there is none of.',
    why: 'It will hide the next mistake on that line.',
    bad: '# policy-disable-next-line naming/kebab-case\nname: reviewer\n',
    good: 'name: reviewer\n',
    fix: 'Remove the comment, or correct the name of the rule in it.',
  },
  check: () => [],
  report,
};

function report({ ruleId, at }: CommentedRule, ruleIds: readonly string[], suggest: Suggest): Report {
  if (ruleIds.includes(ruleId)) return { at, message: `There is no finding of ${ruleId} on the next line.` };
  return { at, message: `There is no rule ${shown(ruleId)}${meant(suggest(ruleId, ruleIds))}` };
}
