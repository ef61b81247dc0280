import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

export const hiddenAgent: LintRule = {
  id: 'discovery/hidden-agent',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A definition lies in a hidden file or folder.',
    why: 'Claude Code loads it as any other, and whoever lists the folder does not see it.',
    bad: '.claude/agents/.reviewer.md',
    good: '.claude/agents/reviewer.md',
    fix: 'Rename the file so that it is seen, or move it out of the folder of agents.',
  },
  check: forAgents(check, 'claude-code'),
};

/** Verified with Claude Code 2.1.197; not known for other runners. */
function check({ path, guessed, data, source }: AgentFile): readonly Report[] {
  const below = /^(?:.*\/)?\.claude\/agents\/(.+)$/.exec(path)?.[1];
  if (guessed || below === undefined || data === null || !/(?:^|\/)\./.test(below)) return [];
  return [{ at: source.lineSpan(1), message: 'This file is hidden, and Claude Code loads the agent all the same.' }];
}
