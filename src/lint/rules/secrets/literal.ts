import type { LintFile } from '../../files/files.js';
import { ruleAt } from '../../files/rule-places.js';
import { serverSecrets } from '../../mcp/server-secrets.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';
import { findSecrets } from '../../secrets/secret-text.js';

export const secretLiteral: LintRule = {
  id: 'secrets/literal',
  severity: 'error',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A file for coding agents holds a credential.',
    why: 'Definitions, skills and instructions are part of prompts: the credential is sent to the model provider in every session. Settings are committed and copied.',
    bad: 'Use the token ghp_… to open the pull request.',
    good: 'Use the token in $GITHUB_TOKEN to open the pull request.',
    fix: 'Remove it from the file, take it from the environment, and change the credential: it has been seen.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Secrets in permission rules and MCP servers have rules of their own. */
function check(file: LintFile): readonly Report[] {
  const { text, secrets } = file.source;
  if (secrets.length === 0) return [];
  const isInRule = ruleAt(file, () => true);
  const ofServers = new Set(file.kind === 'config' ? serverSecrets(file).map(({ start }) => start) : []);
  const surroundings = file.kind === 'config' || file.kind === 'policy' ? 'settings' : 'prose';
  return findSecrets(text, surroundings, secrets)
    .filter(({ start }) => !isInRule(start) && !ofServers.has(start))
    .map(({ what, proof, start, end }): Report => {
      const at = file.source.span(start, end);
      const why = proof === null ? '' : `: ${proof}`;
      if (proof !== null || surroundings === 'settings') return { at, message: `This file holds ${what}${why}.` };
      return { at, message: `This may be ${what}: its place and its look say so.`, severity: 'info', persona: 'auditor' };
    });
}
