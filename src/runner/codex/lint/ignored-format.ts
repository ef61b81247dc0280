import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

export const ignoredFormat: LintRule = {
  id: 'codex/ignored-format',
  severity: 'info',
  docs: {
    what: 'A definition in .codex/agents is in a format that Codex itself does not load.',
    why: 'Codex reads roles in TOML. Markdown and YAML there are read by this program, which holds the agent to them, and by orchestrators; in a plain session of Codex the agent does not exist.',
    bad: '# .codex/agents/reviewer.md\n---\nname: reviewer\ndescription: Reviews changes.\ntools: [Read]\n---\n',
    good: '# .codex/agents/reviewer.toml\nname = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read the diff first."\n',
    fix: 'Write a role in TOML as well, where sessions of Codex should have the agent.',
  },
  check: forAgents(check),
};

function check({ format, guessed, path, source, data }: AgentFile): readonly Report[] {
  if ((format !== 'codex-markdown' && format !== 'codex-yaml') || guessed || !path.includes('.codex/agents/')) return [];
  const at = data?.keys.includes('name') ? data.keySpan('/name') : source.lineSpan(1);
  return [{ at, message: 'Codex itself loads roles in TOML only; it does not know this agent.' }];
}
