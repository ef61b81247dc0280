import { canonicalTools, describeTool } from '../../../call/catalogue.js';
import { editDistance } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, partSpan, replacing } from '../../claude-rules/entries.js';
import { DROPPED_TOOLS } from '../../claude-rules/known-tools.js';
import { claudeToolNames } from '../../claude-rules/tools.js';
import type { LintProject, RuleInFile } from '../../project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';
import { meant, type Suggest, suggester } from '../../text/suggest.js';

export const rulesUnknownTool: LintRule = {
  id: 'rules/unknown-tool',
  severity: 'warning',
  docs: {
    what: 'A permission rule names a tool that no runner has.',
    why: 'The rule never matches: what it should deny stays possible, what it should allow keeps asking.',
    bad: 'deny:\n  - Bahs(rm *)\n',
    good: 'deny:\n  - Bash(rm *)\n',
    fix: 'Write the name of a tool (policy tools list), or declare it under custom_tools.',
  },
  check: (project) => [
    ...forRuleFiles((rules) => {
      const suggest = suggester();
      return rules.flatMap((rule) => check(rule, project, suggest));
    })(project),
    ...forClaudeRules((entries) => {
      const suggest = suggester();
      return entries.flatMap((entry) => checkClaude(entry, suggest));
    })(project),
  ],
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

/** Claude Code compares names case-sensitively. A name without an explanation may come from a version that lint does not know. */
function checkClaude(entry: ClaudeEntry, suggest: Suggest): readonly Report[] {
  const { reach, tool, effect } = entry;
  if (reach.kind !== 'nothing' || reach.code !== 'unknown-tool') return [];
  const near = reach.instead === null ? spelledAlike(tool, suggest) : null;
  const help = reach.instead ?? near;
  const certain = effect !== 'allow' && help !== null;
  return [
    {
      at: partSpan(entry, 0, tool.length),
      message: `Claude Code has no tool ${shown(tool)}, so this rule ${NOTHING[effect]}${help === null ? '.' : `; did you mean ${shown(help)}?`}`,
      ...(certain ? { severity: 'error' as const } : {}),
      ...(help === null ? {} : { help: `Write ${help}.` }),
      ...fixWith(replacing(entry, reach.instead)),
    },
  ];
}

/** Returns a current tool of which the name is a misspelling: one or two edits in a long word, one in a short one. */
function spelledAlike(tool: string, suggest: Suggest): string | null {
  const near = suggest(
    tool,
    [...claudeToolNames()].filter((name) => !DROPPED_TOOLS.has(name)),
  );
  return near !== null && editDistance(tool, near) <= Math.max(1, Math.floor(tool.length / 3)) ? near : null;
}

const NOTHING = { allow: 'allows nothing', ask: 'asks about nothing', deny: 'denies nothing' } as const;
