/** secrets/literal: a definition or policy holds a credential. */
import type { LintFile } from '../../files.js';
import type { LintProject } from '../../project.js';
import type { LintRule, Report } from '../../rule.js';
import { ruleAt } from '../../rule-places.js';
import { findSecrets } from '../../secret-text.js';

export const secretLiteral: LintRule = {
  id: 'secrets/literal',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A definition or policy holds a credential.',
    why: 'Definitions are part of prompts: the credential is sent to the model provider in every session.',
    bad: 'Use the token ghp_… to open the pull request.',
    good: 'Use the token in $GITHUB_TOKEN to open the pull request.',
    fix: 'Remove it from the file, take it from the environment, and change the credential: it has been seen.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Secrets inside rules have a rule of their own. */
function check(file: LintFile): readonly Report[] {
  const isInRule = ruleAt(file, () => true);
  return findSecrets(file.source.text)
    .filter(({ start }) => !isInRule(start))
    .map(({ what, start, end }) => ({ at: file.source.span(start, end), message: `This file holds ${what}.` }));
}
