import type { RuleInFile } from '../../../lint/project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { RuleCoverage } from '../../../lint/project/rule-coverage.js';
import { shown } from '../../../policy/sentences.js';

export const firstMatch: LintRule = {
  id: 'rules/first-match',
  severity: 'warning',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A rule of an agent-code definition loses to an allow rule where the first match decides.',
    why: 'agent-code once took the first rule that matched, allow before deny before ask; policy takes the strictest. Under such a version the deny does not hold.',
    bad: 'allow: ["Bash(git *)"]\ndeny: ["Bash(git push *)"]\n',
    good: 'allow: ["Bash(git log *)"]\ndeny: ["Bash(git push *)"]\n',
    fix: 'Make the allow rule so narrow that it leaves out what the other rule is about.',
  },
  check: forRuleFiles(check),
};

/** Assumes the evaluation of the first versions: the first rule that matches decides. */
function check(rules: readonly RuleInFile[]): readonly Report[] {
  const ofAgentCode = rules.filter(({ file }) => file.kind === 'agent' && file.format === 'agent-code');
  const allows = new RuleCoverage(ofAgentCode.filter(({ rule }) => rule.effect === 'allow'));
  return ofAgentCode.flatMap((inner) => {
    const outer = inner.rule.effect === 'allow' ? undefined : allows.covering(inner)?.rule;
    if (outer === undefined) return [];
    const { file, line, column } = outer.span;
    const message = `Where the first match decides, ${shown(outer.rule.text)} allows what ${shown(inner.rule.text)} is to ${inner.rule.effect}.`;
    return [{ at: inner.span, message, related: [{ message: 'this allow rule', file, line, column }] }];
  });
}
