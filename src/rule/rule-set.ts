/** From parsed rules to a rule set: compiles each pattern for the subjects of its tool, then indexes the rules. */
import { type Compilation, compileRule } from './compile-rule.js';
import type { CompiledRuleData } from './index/compiled-rule.js';
import { indexRules, type RuleSet, type ToolCoverage } from './index/rule-index.js';
import { PATTERN_KINDS, type PatternKind, type PermissionRule } from './pattern/permission-rule.js';

export type { CompiledRule } from './index/compiled-rule.js';
export type { RuleSet, ToolCoverage } from './index/rule-index.js';

/** Canonical tools that determine the kinds of a rule's patterns: a rule that covers `Bash` has command patterns. */
const TOOLS_BY_KIND: Readonly<Record<PatternKind, readonly string[]>> = {
  command: ['Bash', 'PowerShell', 'Monitor'],
  path: ['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'ApplyPatch', 'Glob', 'Grep', 'LS'],
  url: ['WebFetch'],
  name: ['Agent', 'Skill', 'WebSearch', 'ToolSearch'],
};

/**
 * Compiles and indexes rules. `covers` determines which canonical tools a rule's tool name stands for. A pattern that cannot be
 * compiled makes an allow cover nothing and an ask or deny meet everything; `patternMistakes` returns the mistake.
 */
export function compileRules(rules: readonly PermissionRule[], covers: ToolCoverage): RuleSet {
  return indexRules(compileAll(rules, covers), covers);
}

/** The compiled data of the rules, in their order: a snapshot stores it, and `indexRules` takes it. */
export function compileAll(rules: readonly PermissionRule[], covers: ToolCoverage): CompiledRuleData[] {
  return rules.map((rule) => compilationOf(rule, covers).data());
}

/** The mistakes in a rule's pattern, for lint and for loading a policy; empty when it compiles. */
export function patternMistakes(rule: PermissionRule, covers: ToolCoverage): Compilation['mistakes'] {
  return compilationOf(rule, covers).mistakes;
}

/** A rule is checked for mistakes, tested with its examples and compiled: one compilation serves all three, since rules never change. */
function compilationOf(rule: PermissionRule, covers: ToolCoverage): Compilation {
  const before = compilations.get(rule);
  if (before !== undefined && before.covers === covers) return before.compilation;
  const compilation = compileRule(rule, patternKinds(rule, covers));
  compilations.set(rule, { covers, compilation });
  return compilation;
}

const compilations = new WeakMap<PermissionRule, { readonly covers: ToolCoverage; readonly compilation: Compilation }>();

/** The kinds of subject that a rule's pattern may be about; all of them when its tool is unknown. */
export function patternKinds({ tool, effect }: PermissionRule, covers: ToolCoverage): readonly PatternKind[] {
  if (covers !== last.covers || last.kinds.size >= MAX_TOOLS) last = { covers, kinds: new Map() };
  const key = `${effect} ${tool}`;
  const before = last.kinds.get(key);
  if (before !== undefined) return before;
  const covered = covers(tool, effect);
  const known = PATTERN_KINDS.filter((kind) => TOOLS_BY_KIND[kind].some(covered));
  const kinds = known.length === 0 ? PATTERN_KINDS : known;
  last.kinds.set(key, kinds);
  return kinds;
}

/** Whether a rule is about a tool that runs commands; one with an unknown name is not. */
export function isAboutCommands({ tool, effect }: PermissionRule, covers: ToolCoverage): boolean {
  return TOOLS_BY_KIND.command.some(covers(tool, effect));
}

/** Thousands of rules for one tool ask the same question. */
let last: { readonly covers: ToolCoverage | null; readonly kinds: Map<string, readonly PatternKind[]> } = {
  covers: null,
  kinds: new Map(),
};
const MAX_TOOLS = 1000;
