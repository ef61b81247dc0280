/** tools/duplicate: a tool is listed twice. */
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files.js';
import { listedTools } from '../../project.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';

export const duplicateTool: LintRule = {
  id: 'tools/duplicate',
  severity: 'info',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A tool is listed twice.',
    why: 'It counts once; often the second one was meant to be another tool.',
    bad: 'tools: Read, Grep, Read\n',
    good: 'tools: Read, Grep\n',
    fix: 'Remove the second entry.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  const seen = new Set<string>();
  return listedTools(agent).flatMap(({ text, span }) => {
    if (seen.has(text)) return [{ at: span, message: `${shown(text)} is already listed.` }];
    seen.add(text);
    return [];
  });
}
