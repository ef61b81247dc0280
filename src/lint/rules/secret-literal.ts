/** secrets/literal: a definition or policy holds a credential. */
import type { LintFile } from '../files.js';
import type { LintProject } from '../project.js';
import type { LintRule, Report } from '../rule.js';
import { findSecrets } from '../secret-text.js';

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
function check({ source, rules }: LintFile): readonly Report[] {
  const inRules = rules.map(
    ({ span }) => [source.offsetAt(span), source.offsetAt({ line: span.endLine, column: span.endColumn })] as const,
  );
  return findSecrets(source.text)
    .filter((secret) => !inRules.some(([start, end]) => secret.start < end && start < secret.end))
    .map(({ what, start, end }) => ({ at: source.span(start, end), message: `This file holds ${what}.` }));
}
