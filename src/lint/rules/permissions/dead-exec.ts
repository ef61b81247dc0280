import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const deadExec: LintRule = {
  id: 'permissions/dead-exec',
  severity: 'warning',
  docs: {
    what: 'An entry of tools.shell.exec has more than one word.',
    why: 'Entries are compared with the first word of a command, so "npm audit" matches nothing.',
    bad: 'tools:\n  shell:\n    exec: [npm audit]\n',
    good: 'tools:\n  shell:\n    exec: [npm]\npolicy:\n  ask: [Bash(npm *)]\n  allow: [Bash(npm audit)]\n',
    fix: 'List the program alone, and narrow it by rules under policy:.',
  },
  check: forAgents(check, 'codex-yaml'),
};

function check({ data }: AgentFile): readonly Report[] {
  if (data === null) return [];
  return [...data.items('/tools/shell', ','), ...data.items('/tools/shell/exec', ',')]
    .filter(({ text }) => /\s/.test(text))
    .map(({ text, span }) => ({
      at: span,
      message: `${shown(text)} is compared with the first word of a command and matches none.`,
    }));
}
