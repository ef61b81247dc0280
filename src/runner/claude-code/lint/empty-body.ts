import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, fromProblems, type LintRule, type Report } from '../../../lint/project/rule.js';

export const emptyBody: LintRule = {
  id: 'schema/empty-body',
  severity: 'error',
  docs: {
    what: 'A definition has no instructions below its front matter.',
    why: 'The original Codex format requires them; in Claude Code the agent runs without any instruction of its own.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'Write the instructions below the closing ---.',
  },
  check: (project) => [...fromProblems('schema/empty-body')(project), ...forAgents(claudeWithoutBody, 'claude-code')(project)],
};

/** Claude Code does load such a file. */
function claudeWithoutBody({ data, definition, source }: AgentFile): readonly Report[] {
  if (data === null || definition.body !== null) return [];
  return [{ at: source.lineSpan(1), message: 'This agent has no instructions below its front matter.', severity: 'info' }];
}
