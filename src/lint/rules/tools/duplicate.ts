import { shown } from '../../../policy/sentences.js';
import { reportTogether } from '../../agents/several.js';
import type { AgentFile } from '../../files/files.js';
import { listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const duplicateTool: LintRule = {
  id: 'tools/duplicate',
  severity: 'info',
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
  const again = listedTools(agent).filter(({ text }) => {
    const isAgain = seen.has(text);
    seen.add(text);
    return isAgain;
  });
  const report = reportTogether(
    again,
    ({ text }) => `${shown(text)} is already listed.`,
    (count, list) => `${count} are already listed: ${list}.`,
  );
  return report === null ? [] : [report];
}
