/** rules/unknown-tool: a permission rule names a tool that no runner has. */
import { canonicalTools, describeTool, toolsCovered } from '../../call/catalogue.js';
import { nearestWord } from '../../policy/nearest.js';
import { shown } from '../../policy/sentences.js';
import type { LintProject, RuleInFile } from '../project.js';
import { forRuleFiles, type LintRule, type Report } from '../rule.js';

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
  check: forRuleFiles((rules, project) => rules.flatMap((rule) => check(rule, project))),
};

/** A restriction that never matches is an error. */
function check({ rule, span, file }: RuleInFile, project: LintProject): readonly Report[] {
  const { tool, effect } = rule;
  if (tool.startsWith('mcp__') || describeTool(tool).known || project.declaredTools.has(tool)) return [];
  if (tool.includes('*') && canonicalTools().some(({ name }) => toolsCovered(tool, effect)(name))) return [];
  const near = nearestWord(
    tool,
    canonicalTools().flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
  );
  const start = file.source.offsetAt(span);
  return [
    {
      at: file.source.span(start, start + tool.length),
      message: `No runner has a tool ${shown(tool)}${near === null ? '.' : `; did you mean ${near}?`}`,
      ...(effect === 'allow' ? {} : { severity: 'error' as const }),
      ...(near === null ? {} : { help: `Write ${near}.` }),
    },
  ];
}
