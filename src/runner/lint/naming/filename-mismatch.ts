import { fileStem, normalizeName } from '../../../agent/name.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const filenameMismatch: LintRule = {
  id: 'naming/filename-mismatch',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A definition has another name than its file.',
    why: 'People look for an agent by its file. The loader of the codex YAML format and OpenCode take the file name for the name; elsewhere it has no effect, and only auditors are told.',
    bad: '# test-runner.md\n---\nname: test-writer\ndescription: Runs the tests.\n---\n',
    good: '# test-runner.md\n---\nname: test-runner\ndescription: Runs the tests.\n---\n',
    fix: 'Give the file the name of the agent, or the agent the name of the file.',
  },
  check: forAgents(check),
};

/** Some collections prefix file names with the folder (`design-brand-guardian.md`). */
function check({ path, format, guessed, data }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  const stem = fileStem(path);
  if (format === 'copilot-cli' || guessed) return [];
  if (data === null || typeof name !== 'string' || normalizeName(name) === normalizeName(stem)) return [];
  const at = data.valueSpan('/name');
  if (format === 'opencode') {
    const message = `OpenCode calls an agent by its file, so this one is ${shown(stem)} and not ${shown(name)}.`;
    return [{ at, message, persona: 'author' }];
  }
  const message = `The agent is called ${shown(name)}, its file ${shown(stem)}.`;
  return [{ at, message, ...(format === 'codex-yaml' && { severity: 'warning', persona: 'author' }) }];
}
