/** rules/unknown-tool: a permission rule names a tool that no runner has. */
import { canonicalTools, describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/tool-coverage.js';
import type { LintProject, RuleInFile } from '../../project.js';
import { forRuleFiles, type LintRule, type Report } from '../../rule.js';
import { meant, type Suggest, suggester } from '../../suggest.js';

export const rulesUnknownTool: LintRule = {
  id: 'rules/unknown-tool',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A permission rule names a tool that no runner has.',
    why: 'The rule never matches: what it should deny stays possible, what it should allow keeps asking.',
    bad: 'deny:\n  - Bahs(rm *)\n',
    good: 'deny:\n  - Bash(rm *)\n',
    fix: 'Write the name of a tool (policy tools list), or declare it under custom_tools.',
  },
  check: forRuleFiles((rules, project) => {
    const suggest = suggester();
    return rules.flatMap((rule) => check(rule, project, suggest));
  }),
};

/** A restriction that never matches is an error. */
function check({ rule, span, file }: RuleInFile, project: LintProject, suggest: Suggest): readonly Report[] {
  const { tool, effect } = rule;
  if (tool.startsWith('mcp__') || describeTool(tool).known || project.declaredTools.has(tool)) return [];
  if (tool.includes('*') && canonicalTools().some(({ name }) => toolsCovered(tool, effect)(name))) return [];
  const near = suggest(
    tool,
    canonicalTools().flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
  );
  const start = file.source.offsetAt(span);
  return [
    {
      at: file.source.span(start, start + tool.length),
      message: `No runner has a tool ${shown(tool)}${meant(near)}`,
      ...(effect === 'allow' ? {} : { severity: 'error' as const }),
      ...(near === null ? {} : { help: `Write ${near}.` }),
    },
  ];
}
