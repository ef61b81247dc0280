import { prefixRules } from '../../../lint/codex/rules-file.js';
import type { LintRule } from '../../../lint/project/rule.js';

export const codexRulesNoExamples: LintRule = {
  id: 'codex/rules-no-examples',
  severity: 'info',
  confidence: 'low',
  persona: 'auditor',
  docs: {
    what: 'A rule of Codex that forbids or asks has no examples.',
    why: 'Codex asks `match` and `not_match` when it reads the file, so they prove that the rule is about the commands that were meant.',
    bad: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push"], decision = "prompt")\n',
    good: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push"], decision = "prompt", match = ["git push origin main"])\n',
    fix: 'Add match = [...] with a command that the rule is about.',
    source: 'developers.openai.com/codex: rules',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: (project) =>
    prefixRules(project).flatMap(({ call, decision }) =>
      decision === 'allow' || call.places.has('match') || call.places.has('not_match')
        ? []
        : [{ at: call.at, message: 'This rule has no example that proves what it is about.' }],
    ),
};
