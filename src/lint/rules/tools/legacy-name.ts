/** tools/legacy-name: an entry names a tool that Claude Code has renamed or removed. */
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files.js';
import { retiredTool } from '../../known-tools.js';
import { listedTools } from '../../project.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';

export const legacyName: LintRule = {
  id: 'tools/legacy-name',
  severity: 'info',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'An entry names a tool that Claude Code has renamed or removed.',
    why: 'Some old names still work and some grant nothing; new versions drop more of them.',
    bad: 'tools: Read, MultiEdit\n',
    good: 'tools: Read, Edit\n',
    fix: 'Write the name that the tool has today.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  if (agent.dialect !== 'claude-code') return [];
  return listedTools(agent).flatMap(({ text, span }) => {
    const retired = retiredTool(text);
    if (retired === null) return [];
    const instead = retired.instead === null ? 'it is gone' : `today it is ${retired.instead}`;
    return [{ at: span, message: `${shown(text)} is an old name; ${instead}.` }];
  });
}
