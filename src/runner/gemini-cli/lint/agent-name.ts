import { normalizeName } from '../../../agent/name.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const geminiAgentName: LintRule = {
  id: 'gemini/agent-name',
  severity: 'error',
  docs: {
    what: 'The name of a Gemini CLI agent has characters that Gemini CLI does not take.',
    why: 'Gemini CLI takes lower-case letters, digits, - and _; with another name it does not load the file (verified with 0.61).',
    bad: '---\nname: Code Reviewer\ndescription: Reviews changes.\n---\nRead the diff first.\n',
    good: '---\nname: code-reviewer\ndescription: Reviews changes.\n---\nRead the diff first.\n',
    fix: 'Write lower-case letters, digits, - and _ only.',
  },
  check: forAgents(check),
};

function check({ path, format, data, source }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (format !== 'gemini-cli' || data === null || typeof name !== 'string' || name.trim() === '' || /^[a-z0-9_-]+$/.test(name))
    return [];
  const at = data.valueSpan('/name');
  const report = { at, message: `Gemini CLI does not load an agent with the name ${shown(name)}.` };
  const normal = normalizeName(name);
  if (normal === '') return [report];
  const [start, end] = [source.offsetAt(at), source.offsetAt({ line: at.endLine, column: at.endColumn })];
  return [
    {
      ...report,
      help: `Write ${normal}.`,
      fix: { description: `Rename it to ${normal}`, safety: 'unsafe', edits: [{ file: path, start, end, text: normal }] },
    },
  ];
}
