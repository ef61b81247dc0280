import { type RuleInFile, writtenRulesOf } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';
import { findSecrets } from '../../secrets/secret-text.js';

export const secretInRule: LintRule = {
  id: 'secrets/in-rule',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A permission rule holds a credential.',
    why: 'Rules are committed, copied into logs and shown in every decision.',
    bad: 'allow:\n  - Bash(PGPASSWORD=hunter2hunter2 psql *)\n',
    good: 'allow:\n  - Bash(psql *)\n',
    fix: 'Remove it from the rule, and change the credential: it has been seen.',
  },
  check: (project) => writtenRulesOf(project).flatMap(check),
};

function check({ rule, span, file }: RuleInFile): readonly Report[] {
  const start = file.source.offsetAt(span);
  return findSecrets(rule.text, 'rule').map((secret) => ({
    at: file.source.span(start + secret.start, start + secret.end),
    message: `This ${rule.effect} rule holds ${secret.what}.`,
  }));
}
