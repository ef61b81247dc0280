import { isKebabCase, normalizeName } from '../../../agent/name.js';
import { lookalikeIn } from '../../../lint/agents/lookalike.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const kebabCase: LintRule = {
  id: 'naming/kebab-case',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A name is not in kebab-case.',
    why: 'Lookups normalise names, so that Code Reviewer and code_reviewer are the same agent; one spelling keeps them from colliding. The original formats require it; other runners load any name, and only auditors are told.',
    bad: '---\nname: Code Reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: code-reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Write lower-case letters and digits with single hyphens between words.',
  },
  check: forAgents(check),
};

/** Formats in which the file name is the agent's name and `name` is only shown to people, or whose runner has a rule of its own. */
const SHOWN_NAMES: ReadonlySet<AgentFile['format']> = new Set(['copilot-cli', 'opencode', 'codex', 'gemini-cli', 'qwen-code']);

/** For auditors where the runner accepts any name; an error in the Codex formats. */
function check({ path, format, data, source }: AgentFile): readonly Report[] {
  if (SHOWN_NAMES.has(format)) return [];
  const name = data?.at('/name');
  const strict = format === 'codex-markdown' || format === 'codex-yaml';
  if (data === null || typeof name !== 'string' || name.trim() === '' || lookalikeIn(name) !== null) return [];
  // Nobody takes the dot in a version (`powershell-5.1-expert`) for another name.
  if (isKebabCase(strict ? name : name.replace(/(\d)\.(?=\d)/g, '$1'))) return [];
  const at = data.valueSpan('/name');
  const normal = normalizeName(name).slice(0, 64).replace(/-$/, '');
  const report = {
    at,
    message: `The name ${shown(name)} is not in kebab-case.`,
    ...(strict && { severity: 'error' as const, persona: 'author' as const }),
  };
  if (!isKebabCase(normal)) return [report];
  const [start, end] = [source.offsetAt(at), source.offsetAt({ line: at.endLine, column: at.endColumn })];
  const fix = {
    description: `Rename it to ${normal}`,
    safety: 'unsafe' as const,
    edits: [{ file: path, start, end, text: normal }],
  };
  return [{ ...report, help: `Write ${normal}, and rename what refers to it.`, fix }];
}
