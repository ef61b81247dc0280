import { isFields } from '../../../call/fields.js';
import { type OpenCodeAgent, openCodeAgents } from '../../../lint/opencode/agents.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const opencodeToolsDeprecated: LintRule = {
  id: 'opencode/tools-deprecated',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'An OpenCode agent switches tools in the map `tools`.',
    why: 'It is deprecated (opencode.ai/docs/agents), and still works, so that only auditors are told; `permission` says the same, and can ask.',
    bad: '---\ndescription: Reviews changes.\nmode: subagent\ntools: {bash: false}\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\npermission: {bash: deny}\n---\nRead the diff first.\n',
    fix: 'Write permission: {bash: deny, edit: deny} in the place of tools: {bash: false, edit: false}.',
  },
  check: (project) => openCodeAgents(project).flatMap(check),
};

function check({ data, pointer }: OpenCodeAgent): readonly Report[] {
  if (!isFields(data.at(`${pointer}/tools`))) return [];
  const message = 'The map `tools` is deprecated; OpenCode has `permission` for this.';
  return [{ at: data.keySpan(`${pointer}/tools`), message }];
}
