import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, fromProblems, type LintRule, type Report } from '../../../lint/project/rule.js';

export const illegalName: LintRule = {
  id: 'naming/illegal-name',
  severity: 'error',
  docs: {
    what: 'A name has characters that runners do not take or take literally.',
    why: 'A leading hyphen keeps the agent from loading, a colon does so in newer versions, and a control character is put raw into the system message.',
    bad: '---\nname: -reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Name the agent with lower-case letters, digits and single hyphens, at most 64 characters.',
  },
  check: (project) => [...fromProblems('naming/illegal-name')(project), ...forAgents(oddCharacters)(project)],
};

/** The zero-width joiner within an emoji (👩‍💻) is no hidden character. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069]|(?<!\p{Emoji}\ufe0f?)\u200d/u;
const LONGEST = 64;

/** Other runners are not known to object to such characters. */
function oddCharacters({ format, data }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (data === null || typeof name !== 'string') return [];
  const isClaude = format === 'claude-code';
  if (!CONTROL.test(name) && !name.includes(':') && name.length <= LONGEST) return [];
  const at = data.valueSpan('/name');
  if (CONTROL.test(name)) {
    const then = isClaude ? '; Claude Code puts it raw into the system message.' : ', which a person does not see.';
    return [{ at, message: `The name holds a control character${then}`, ...(isClaude ? {} : { severity: 'warning' as const }) }];
  }
  if (!isClaude && !format.startsWith('codex-')) return [];
  if (name.includes(':'))
    return [{ at, message: 'The name holds a colon; Claude Code skips such a definition since 2.1.218.', severity: 'warning' }];
  if (name.length <= LONGEST) return [];
  return [
    { at, message: `The name has ${name.length} characters; more than ${LONGEST} fit in no log line.`, severity: 'warning' },
  ];
}
