/** Compiled rules, indexed by tool and by the beginning of their patterns; the part of this layer that runs per call. */
import type { SubjectKind } from '../../call/tool-call.js';
import type { PathLocation } from '../path/location.js';
import type { WordIssue } from '../pattern/command-pattern.js';
import type { Effect } from '../pattern/permission-rule.js';
import type { CompiledRule, CompiledRuleData, FieldPattern } from './compiled-rule.js';
import { IndexedToolRules, type RuleOfFields, type ToolRules } from './tool-rules.js';

/** At most this many tools are kept ready; MCP makes the tool names an open set. */
const MAX_TOOLS = 1000;

/** Determines which canonical tools a rule's tool name stands for, depending on the effect. */
export type ToolCoverage = (ruleTool: string, effect: Effect) => (canonicalTool: string) => boolean;

/**
 * All questions that a decision asks of rules. `tool` is always a canonical name. `meets…` return ask and deny rules, `covers…`
 * allow rules; only `total` returns total rules. Results are in rule order, each rule once.
 */
export interface RuleSet {
  /** Rules of any effect that apply to every call of the tool. */
  total(tool: string): readonly CompiledRule[];
  /** Ask and deny rules with a pattern: when a subject is missing, all of them meet. */
  patterned(tool: string): readonly CompiledRule[];
  /** True if `patterned` returns any rule. */
  hasPatterned(tool: string): boolean;
  /** True if any rule allows a call of the tool. */
  hasAllow(tool: string): boolean;
  /** Null is a dynamic word, which may be any number of words. */
  meetsCommand(tool: string, words: readonly (string | null)[]): readonly CompiledRule[];
  /** For a whole text of that kind: a raw command line, a query, a name. */
  meetsText(tool: string, kind: SubjectKind, text: string): readonly CompiledRule[];
  /** A match at any of the locations (as written, and its real path) is enough. */
  meetsPath(tool: string, locations: readonly PathLocation[]): readonly CompiledRule[];
  meetsUrl(tool: string, url: string): readonly CompiledRule[];
  /** For a command whose words are all certain. `issues` are what `*` does not cover: the rule must have written them out. */
  coversCommand(tool: string, words: readonly string[], issues: readonly WordIssue[]): readonly CompiledRule[];
  /** For names, queries and other texts; never a command, path or URL, each of which has its own question. */
  coversText(tool: string, kind: SubjectKind, text: string): readonly CompiledRule[];
  coversPath(tool: string, location: PathLocation): readonly CompiledRule[];
  coversUrl(tool: string, url: string): readonly CompiledRule[];
  /** Rules of any effect about input fields of the tool: `Bash(run_in_background:true)`. */
  fields(tool: string): readonly FieldRule[];
  /** How many patterns were compared beyond the index since the set was built: shows that a lookup does not grow with the rules. */
  comparisons(): number;
}

export interface FieldRule {
  readonly rule: CompiledRule;
  /** Each with a set of one rule, which has the pattern of the value and holds for every tool. */
  readonly fields: readonly (FieldPattern & { readonly values: RuleSet })[];
}

/** Indexes compiled rules. The rules for a tool are determined on its first use. */
export function indexRules(data: readonly CompiledRuleData[], covers: ToolCoverage): RuleSet {
  let compared = 0;
  const count = () => {
    compared++;
  };
  return ruleSet(toolRulesBy(data, covers, count), () => compared);
}

export function ruleSet(toolRules: (tool: string) => ToolRules, comparisons: () => number): RuleSet {
  const fieldRules = new WeakMap<ToolRules, readonly FieldRule[]>();
  return {
    total: (tool) => toolRules(tool).total,
    patterned: (tool) => toolRules(tool).patterned,
    hasPatterned: (tool) => toolRules(tool).hasPatterned,
    hasAllow: (tool) => toolRules(tool).hasAllow,
    meetsCommand: (tool, words) => toolRules(tool).meeting.command(words),
    meetsText: (tool, kind, text) => toolRules(tool).meeting.text(kind, text),
    meetsPath: (tool, locations) => toolRules(tool).meeting.path(locations),
    meetsUrl: (tool, url) => toolRules(tool).meeting.url(url),
    coversCommand: (tool, words, issues) => toolRules(tool).covering.command(words, issues),
    coversText: (tool, kind, text) => toolRules(tool).covering.text(kind, text),
    coversPath: (tool, location) => toolRules(tool).covering.path(location),
    coversUrl: (tool, url) => toolRules(tool).covering.url(url),
    fields: (tool) => {
      const rules = toolRules(tool);
      const found = fieldRules.get(rules) ?? rules.fields.map(withValues);
      fieldRules.set(rules, found);
      return found;
    },
    comparisons,
  };
}

function withValues({ rule, fields }: RuleOfFields): FieldRule {
  return { rule, fields: fields.map((field) => ({ ...field, values: indexRules([field.value], () => () => true) })) };
}

/** The rules written with the same tool name and effect. */
interface Group {
  readonly covers: (canonicalTool: string) => boolean;
  readonly members: number[];
}

/** A lookup of the rules of one canonical tool; tools covered by the same groups share one index. */
function toolRulesBy(data: readonly CompiledRuleData[], covers: ToolCoverage, count: () => void): (tool: string) => ToolRules {
  const groups = [...groupsOf(data, covers).values()];
  const byTool = new Map<string, ToolRules>();
  const bySelection = new Map<string, ToolRules>();

  const build = (tool: string): ToolRules => {
    const selected = groups.flatMap((group, at) => (group.covers(tool) ? at : []));
    const key = selected.join();
    let rules = bySelection.get(key);
    if (rules === undefined) {
      const members = selected.flatMap((at) => groups[at]?.members ?? []).sort((left, right) => left - right);
      rules = new IndexedToolRules(
        members.flatMap((member) => data[member] ?? []),
        count,
      );
      keep(bySelection, key, rules);
    }
    keep(byTool, tool, rules);
    return rules;
  };
  return (tool) => byTool.get(tool) ?? build(tool);
}

function groupsOf(data: readonly CompiledRuleData[], covers: ToolCoverage): Map<string, Group> {
  const groups = new Map<string, Group>();
  data.forEach(({ rule }, at) => {
    const key = `${rule.effect} ${rule.tool}`;
    const group = groups.get(key);
    if (group) group.members.push(at);
    else groups.set(key, { covers: covers(rule.tool, rule.effect), members: [at] });
  });
  return groups;
}

/** Remembers a value; a full memory is cleared, since names of tools come from outside. */
export function keep<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  if (memory.size >= MAX_TOOLS) memory.clear();
  memory.set(key, value);
}
