import { canonicalTools } from '../../../call/catalogue.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const legacyGenericTool: LintRule = {
  id: 'tools/legacy-generic',
  severity: 'warning',
  docs: {
    what: 'A definition of the Codex YAML format lists a tool by its generic name, `grep` in place of `codex_grep`.',
    why: 'Names are compared exactly, so the agent may not call the tool that its server has.',
    bad: 'tools:\n  mcp: [grep, read_file]\n',
    good: 'tools:\n  mcp: [codex_grep, codex_read_file]\n',
    fix: 'Write the name with `codex_`; `policy lint --fix` does.',
    source: 'the original document on MCP tools for subagents of Codex, phase 3',
  },
  check: forAgents(check, 'codex-yaml'),
};

function check(agent: AgentFile): readonly Report[] {
  const { path, source } = agent;
  return listedTools(agent).flatMap(({ text, span }): Report[] => {
    const name = `codex_${text}`;
    if (!canonicalTools().some((tool) => tool.name === name)) return [];
    const [start, end] = [source.offsetAt(span), source.offsetAt({ line: span.endLine, column: span.endColumn })];
    const message = `${shown(text)} is a generic name; the tool is called \`${name}\`.`;
    return [{ at: span, message, fix: { description: `Rename it to ${name}`, edits: [{ file: path, start, end, text: name }] } }];
  });
}
