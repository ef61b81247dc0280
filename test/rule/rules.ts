/** Rules for the tests of this folder, written as text. */
import { parseEntry } from '../../src/rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import type { CompiledRule, ToolCoverage } from '../../src/rule/rule-set.js';

/** Reads `Tool(pattern)`; throws for a mistake, so that no test checks a rule that does not exist. */
export function rule(effect: Effect, text: string): PermissionRule {
  const entry = parseEntry(text);
  if (!entry.ok) throw new Error(`${text}: ${entry.message}`);
  return {
    effect,
    tool: entry.tool,
    pattern: entry.pattern,
    text,
    layer: 'project',
    source: { file: 'policy.yaml', line: 1, column: 1 },
  };
}

/** A tool name stands for itself, `*` for all, a trailing `*` for what begins so. */
export const sameName: ToolCoverage = (ruleTool) => {
  if (ruleTool.endsWith('*')) return (tool) => tool.startsWith(ruleTool.slice(0, -1));
  return (tool) => tool === ruleTool;
};

/** The texts of the rules that a question found. */
export function texts(found: readonly CompiledRule[]): string[] {
  return found.map(({ rule: one }) => one.text);
}
