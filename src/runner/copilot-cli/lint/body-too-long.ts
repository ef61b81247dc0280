import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

const LONGEST = 30_000;

export const bodyTooLong: LintRule = {
  id: 'schema/body-too-long',
  severity: 'warning',
  docs: {
    what: 'The instructions of a Copilot agent are longer than its runner takes.',
    why: 'Copilot takes at most 30,000 characters below the front matter (docs.github.com, custom agents configuration).',
    bad: 'an agent of 40,000 characters',
    good: 'an agent that refers to files for its details',
    fix: 'Move details into files that the agent reads when it needs them.',
  },
  check: forAgents(check, 'copilot-cli'),
};

function check({ definition, source, bodyStart }: AgentFile): readonly Report[] {
  const length = definition.body?.length ?? 0;
  if (length <= LONGEST) return [];
  const { line } = source.placeOf(bodyStart);
  return [
    { at: source.lineSpan(line), message: `The instructions have ${length} characters; Copilot takes at most ${LONGEST}.` },
  ];
}
