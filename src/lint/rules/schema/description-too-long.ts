import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

const LONGEST = 1024;

export const descriptionTooLong: LintRule = {
  id: 'schema/description-too-long',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A description is longer than 1024 characters.',
    why: 'Every description is part of the main agent’s prompt, in every turn. Runners load it whole, so that only auditors are told.',
    bad: 'description: (two pages)',
    good: 'description: Reviews changes before a merge.',
    fix: 'Say in one or two sentences when to use the agent; move the rest into the body.',
  },
  check: forAgents(check),
};

function check({ data }: AgentFile): readonly Report[] {
  const description = data?.at('/description');
  if (data === null || typeof description !== 'string' || description.length <= LONGEST) return [];
  const message = `The description has ${description.length} characters, more than ${LONGEST}.`;
  return [{ at: data.keySpan('/description'), message }];
}
