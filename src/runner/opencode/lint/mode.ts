import { type OpenCodeAgent, openCodeAgents } from '../../../lint/opencode/agents.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { meant } from '../../../lint/text/suggest.js';
import { nearestWord } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';

const MODES = ['primary', 'subagent', 'all'];

export const opencodeMode: LintRule = {
  id: 'opencode/mode',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'An OpenCode agent has a mode that OpenCode does not know.',
    why: 'The mode says whether a person or another agent may start the agent: primary, subagent or all (opencode.ai/docs/agents).',
    bad: '---\ndescription: Reviews changes.\nmode: sub-agent\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\nmode: subagent\n---\nRead the diff first.\n',
    fix: 'Write primary, subagent or all.',
  },
  check: (project) => openCodeAgents(project).flatMap(check),
};

function check({ data, pointer }: OpenCodeAgent): readonly Report[] {
  const mode = data.at(`${pointer}/mode`);
  if (mode === undefined || (typeof mode === 'string' && MODES.includes(mode))) return [];
  const near = typeof mode === 'string' ? nearestWord(mode, MODES) : null;
  const message = `OpenCode knows the modes ${MODES.join(', ')}, not ${shown(mode)}${meant(near)}`;
  return [{ at: data.valueSpan(`${pointer}/mode`), message }];
}
