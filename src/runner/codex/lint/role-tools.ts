import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

export const roleTools: LintRule = {
  id: 'codex/role-tools',
  severity: 'error',
  docs: {
    what: 'A role of Codex has a list of tools.',
    why: 'A role is a layer of configuration, in which `tools` is a table: a list makes Codex ignore the whole role (verified with 0.169).',
    bad: 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read the diff."\ntools = ["read"]\n',
    good: 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read the diff."\nsandbox_mode = "read-only"\n',
    fix: 'Remove the list; Codex has no tools by role, and the hook of policy can hold a role to what it may do.',
  },
  check: forAgents(check, 'codex'),
};

function check({ data }: AgentFile): readonly Report[] {
  const tools = data?.at('/tools');
  if (data === null || tools === undefined) return [];
  if (typeof tools === 'object' && !Array.isArray(tools)) return [];
  return [{ at: data.keySpan('/tools'), message: '`tools` has to be a table here, so Codex ignores this role.' }];
}
