import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import { excludedTools, listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const allowDenyConflict: LintRule = {
  id: 'tools/allow-deny-conflict',
  severity: 'warning',
  docs: {
    what: 'A tool is both listed and excluded.',
    why: 'The exclusion wins, so the entry in the list only misleads.',
    bad: 'tools: Read, Bash\ndisallowedTools: Bash\n',
    good: 'tools: Read\n',
    fix: 'Remove the tool from one of the two lists.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  const excluded = new Map(excludedTools(agent).map((item) => [item.text, item.span]));
  if (excluded.size === 0) return [];
  // Only the places of reported entries are looked up.
  return listedTools(agent).flatMap((item) => {
    const { text } = item;
    const other = excluded.get(text);
    if (other === undefined) return [];
    const related = [{ message: 'excluded here', file: other.file, line: other.line, column: other.column }];
    return [{ at: item.span, message: `${shown(text)} is listed and excluded, so the agent does not have it.`, related }];
  });
}
