import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const caseCollision: LintRule = {
  id: 'discovery/case-collision',
  severity: 'warning',
  docs: {
    what: 'Two definitions have paths that differ in case only.',
    why: 'On macOS and Windows they are one file: a checkout there keeps only one of them, and which one is chance.',
    bad: '.claude/agents/Reviewer.md and .claude/agents/reviewer.md',
    good: '.claude/agents/reviewer.md and .claude/agents/test-reviewer.md',
    fix: 'Rename one of the files.',
  },
  check,
};

function check({ agents }: LintProject): readonly Report[] {
  const first = new Map<string, AgentFile>();
  return agents.flatMap((agent) => {
    const key = agent.path.normalize('NFC').toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, agent);
      return [];
    }
    const related = [{ message: 'the other file', file: other.path, line: 1, column: 1 }];
    const message = `Only the case of letters tells this file from ${shown(other.path)}; on macOS and Windows they are one file.`;
    return [{ at: agent.source.lineSpan(1), message, related }];
  });
}
