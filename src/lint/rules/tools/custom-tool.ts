import { fromProblems, type LintRule } from '../../project/rule.js';

export const customTool: LintRule = {
  id: 'tools/custom-tool',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A custom tool is written wrongly or declared nowhere.',
    why: 'An undeclared tool has no tier, and the policy denies it.',
    bad: 'tools:\n  mcp: [codex_custom:my_analyzer]\n',
    good: 'tools:\n  mcp: [codex_custom:my_analyzer]\n  custom: [codex_custom:my_analyzer]\n',
    fix: 'Write prefix_custom:name and declare it under tools.custom.',
  },
  check: fromProblems('tools/custom-tool'),
};
