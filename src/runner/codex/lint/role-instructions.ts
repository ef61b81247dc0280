import { declaredRoles } from '../../../lint/agents/codex-roles.js';
import type { AgentFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const roleInstructions: LintRule = {
  id: 'codex/role-instructions',
  severity: 'error',
  docs: {
    what: 'A role of Codex has no developer_instructions.',
    why: 'Codex ignores the file as a malformed role (verified with 0.169); the run goes on without the agent.',
    bad: 'name = "reviewer"\ndescription = "Reviews changes."\n',
    good: 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read the diff first."\n',
    fix: 'Add developer_instructions with what the agent has to do.',
  },
  check: (project) => {
    const roles = declaredRoles(project);
    return project.agents.flatMap((agent) => check(agent, roles));
  },
};

/** A role file that `[agents.NAME]` of a configuration points to is a layer of settings and needs no instructions. */
function check({ path, format, data, source }: AgentFile, roles: ReadonlySet<string>): readonly Report[] {
  if (format !== 'codex' || data === null || roles.has(path)) return [];
  const value = data.at('/developer_instructions');
  if (typeof value === 'string' && value.trim() !== '') return [];
  const at = value === undefined ? source.lineSpan(1) : data.keySpan('/developer_instructions');
  return [{ at, message: 'There are no developer_instructions, so Codex ignores this role.' }];
}
