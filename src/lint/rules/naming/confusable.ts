import { shown } from '../../../policy/sentences.js';
import { lookalikeIn } from '../../agents/lookalike.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const confusableName: LintRule = {
  id: 'naming/confusable',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A name mixes letters of alphabets that look alike.',
    why: 'With a Cyrillic е in it, rеviewer looks like reviewer and is another agent.',
    bad: '---\nname: r\u0435viewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Write the name in one alphabet.',
  },
  check: forAgents(check),
};

function check({ data }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (data === null || typeof name !== 'string') return [];
  const letter = lookalikeIn(name);
  if (letter === null) return [];
  const code = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `The name ${shown(name)} mixes alphabets: its ${shown(letter)} (${code}) is no Latin letter.`;
  return [{ at: data.valueSpan('/name'), message }];
}
