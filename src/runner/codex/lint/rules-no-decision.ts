import { prefixRules } from '../../../lint/codex/rules-file.js';
import type { LintRule } from '../../../lint/project/rule.js';

export const codexRulesNoDecision: LintRule = {
  id: 'codex/rules-no-decision',
  severity: 'info',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A rule of Codex does not say what it decides, and allows.',
    why: 'Without `decision` a prefix_rule allows its commands, outside the sandbox and without a question; a reader of the file does not see it.',
    bad: '# .codex/rules/default.rules\nprefix_rule(pattern = ["npm", "test"])\n',
    good: '# .codex/rules/default.rules\nprefix_rule(pattern = ["npm", "test"], decision = "allow")\n',
    fix: 'Write the decision out: allow, prompt or forbidden.',
    source: 'developers.openai.com/codex: rules',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: (project) =>
    prefixRules(project).flatMap(({ call }) =>
      call.places.has('decision') ? [] : [{ at: call.at, message: 'This rule names no decision, so it allows its commands.' }],
    ),
};
