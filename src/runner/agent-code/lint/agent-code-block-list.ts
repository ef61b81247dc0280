import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const agentCodeBlockList: LintRule = {
  id: 'dialect/agent-code-block-list',
  severity: 'warning',
  docs: {
    what: 'A list of an agent-code definition is written over several lines.',
    why: 'agent-code reads only lists in brackets on one line; of a list with hyphens it reads nothing, so a deny is lost there.',
    bad: 'deny:\n  - Bash(rm *)\n',
    good: 'deny: ["Bash(rm *)"]\n',
    fix: 'Write the list in brackets on the line of its key.',
  },
  check: forAgents(check, 'agent-code'),
};

const LISTS = ['allow', 'deny', 'ask', 'include_tools', 'exclude_tools'];

/** A lost deny, ask or exclusion is an error. */
function check({ data, source }: AgentFile): readonly Report[] {
  if (data === null) return [];
  return LISTS.flatMap((key): Report[] => {
    const value = data.at(`/${key}`);
    if (!Array.isArray(value) || value.length === 0) return [];
    const at = data.keySpan(`/${key}`);
    const line = source.lines[at.line - 1] ?? '';
    if (/:\s*\[.*\]\s*(?:#.*)?$/.test(line)) return [];
    const message = `agent-code reads lists on one line only, so it reads nothing under ${shown(key)}.`;
    return [{ at, message, ...(key === 'allow' || key === 'include_tools' ? {} : { severity: 'error' }) }];
  });
}
