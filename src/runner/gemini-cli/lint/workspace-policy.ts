import type { LintRule } from '../../../lint/project/rule.js';

export const workspacePolicy: LintRule = {
  id: 'gemini/workspace-policy',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A policy of Gemini CLI stands in a project, where it is not read.',
    why: 'Gemini CLI 0.61 reads policies of the user, of extensions and of administrators; those of a workspace are switched off (issue 18186). What this file denies is not denied.',
    bad: '.gemini/policies/team.toml in a repository',
    good: '~/.gemini/policies/team.toml',
    fix: 'Put the file into ~/.gemini/policies, or enforce it with policy.',
  },
  check: ({ configs }) =>
    configs
      .filter(({ config, path }) => config === 'gemini-policy' && !path.startsWith('~') && !path.includes('extensions/'))
      .map(({ source }) => ({
        at: source.lineSpan(1),
        message: 'Gemini CLI does not read policies of a project; this file decides nothing.',
      })),
};
