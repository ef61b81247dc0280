/** naming/kebab-case: a name is not in kebab-case. */
import { isKebabCase, normalizeName } from '../../../agent/name.js';
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';

export const kebabCase: LintRule = {
  id: 'naming/kebab-case',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A name is not in kebab-case.',
    why: 'Lookups normalise names, so that Code Reviewer and code_reviewer are the same agent; one spelling keeps them from colliding. The original formats require it.',
    bad: '---\nname: Code Reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: code-reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Write lower-case letters and digits with single hyphens between words.',
  },
  check: forAgents(check),
};

/** A warning for Claude Code and agent-code, which take any name; an error in the Codex formats. */
function check({ path, dialect, data, source }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (data === null || typeof name !== 'string' || name.trim() === '' || isKebabCase(name)) return [];
  const at = data.valueSpan('/name');
  const normal = normalizeName(name).slice(0, 64).replace(/-$/, '');
  const strict = dialect === 'codex-markdown' || dialect === 'codex-yaml';
  const report = {
    at,
    message: `The name ${shown(name)} is not in kebab-case.`,
    ...(strict ? { severity: 'error' as const } : {}),
  };
  if (!isKebabCase(normal)) return [report];
  const [start, end] = [source.offsetAt(at), source.offsetAt({ line: at.endLine, column: at.endColumn })];
  const fix = { description: `Rename it to ${normal}`, edits: [{ file: path, start, end, text: normal }] };
  return [{ ...report, help: `Write ${normal}, and rename what refers to it.`, fix }];
}
