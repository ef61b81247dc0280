import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

export const copilotMissingDescription: LintRule = {
  id: 'copilot/missing-description',
  severity: 'warning',
  docs: {
    what: 'A Copilot agent has no description.',
    why: 'It is the one field that Copilot requires (docs.github.com, custom agents configuration); by it the agent is chosen.',
    bad: '---\nname: Reviewer\n---\nRead the diff first.\n',
    good: '---\nname: Reviewer\ndescription: Reviews changes before a merge.\n---\nRead the diff first.\n',
    fix: 'Add a line description: that says when to use the agent.',
  },
  check: forAgents(check, 'copilot-cli'),
};

function check({ data, source }: AgentFile): readonly Report[] {
  if (data === null) return [];
  const description = data.at('/description');
  if (typeof description === 'string' && description.trim() !== '') return [];
  const at = description === undefined ? source.lineSpan(1) : data.keySpan('/description');
  return [{ at, message: 'There is no description, which Copilot requires of an agent.' }];
}
