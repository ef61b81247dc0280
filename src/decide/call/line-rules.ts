/** Rules about the command lines in the fields of an MCP tool, compared as rules for Bash are: every command of a line, in any spelling. */
import type { Subject } from '../../call/tool-call.js';
import { indexRules } from '../../rule/index/rule-index.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import type { ReadLine } from '../flow/analysis.js';
import { judgeLine } from '../line/line.js';
import { subjectReference } from '../place/path-references.js';
import { pathAllowance } from '../place/path-rules.js';
import { resolvePath } from '../place/paths.js';
import type { Scope } from '../policy/scope.js';
import { NO_RESTRICTIONS, restrictionsByName, restrictionsFrom } from '../policy/spellings.js';
import type { Ruling } from '../ruling/combine.js';
import type { FieldComparison } from './fields.js';

const NOTHING = indexRules([], () => () => false);

/** The rules of a tool about command lines, as if they were for Bash. */
function asBash(rules: RuleSet, tool: string): RuleSet {
  return {
    ...NOTHING,
    hasPatterned: () => rules.hasPatterned(tool),
    meetsCommand: (_, words) => rules.meetsCommand(tool, words),
    meetsText: (_, kind, text) => (kind === 'command' ? rules.meetsText(tool, kind, text) : []),
    coversCommand: (_, words, issues) => rules.coversCommand(tool, words, issues),
  };
}

/** Judges a line by these rules and nothing else: what they do not name is asked about without a rule. */
function judgeBy(rules: RuleSet, line: ReadLine, scope: Scope, restricting: readonly PermissionRule[]) {
  const named = restrictionsByName(
    restricting.map((rule) => ({ ...rule, tool: 'Bash' })),
    (rule) => rule,
  );
  return judgeLine(line, {
    ...scope,
    rules,
    bodies: [rules],
    restricting: restricting.length === 0 ? [] : [rules],
    restrictions: named.size === 0 ? NO_RESTRICTIONS : restrictionsFrom((name) => named.get(name)),
    preset: null,
    guard: null,
    fallback: () => UNNAMED,
  });
}

const UNNAMED: Ruling = { effect: 'ask', rule: null, reason: { code: 'default/ask', message: 'no rule covers it' } };

/** The rulings of ask and deny rules of an MCP tool that a command of the line meets. */
export function meetsLine(rules: RuleSet, subject: Subject, scope: Scope): readonly Ruling[] {
  const { tool, lines } = scope.analysis;
  const line = lines.find((one) => one.subject === subject);
  if (tool.mcp === null || line === undefined || !rules.hasPatterned(tool.canonical)) return [];
  const restricting = rules.patterned(tool.canonical).map(({ rule }) => rule);
  const { decision, rule, reasons } = judgeBy(asBash(rules, tool.canonical), line, scope, restricting);
  return rule === null ? [] : reasons.map((reason) => ({ effect: decision, rule, reason }));
}

/** The rule of an MCP tool that covers every command of the line; null if none does. */
export function coveredLine(rules: RuleSet, subject: Subject, scope: Scope): CompiledRule | null {
  const { tool, lines } = scope.analysis;
  const line = lines.find((one) => one.subject === subject);
  if (tool.mcp === null || line === undefined) return null;
  const { decision, rule } = judgeBy(asBash(rules, tool.canonical), line, scope, []);
  return decision === 'allow' && rule !== null ? { rule, total: false } : null;
}

/** Compares the paths and lines of a call in a scope. */
export function fieldComparison(scope: Scope): FieldComparison {
  return {
    path: (values, subject, effect) => {
      const path = resolvePath(subjectReference(subject, scope.place, scope.analysis.filter), scope.facts);
      if (effect === 'allow') return pathAllowance(path, subject.field, values, new Set()) !== null;
      return path.locations.length === 0 || values.meetsPath(subject.field, path.locations).length > 0;
    },
    line: (values, line, effect) => {
      const { decision, rule } = judgeBy(asBash(values, 'Bash'), line, scope, effect === 'allow' ? [] : ruleOf(values));
      return effect === 'allow' ? decision === 'allow' : decision !== 'allow' && rule !== null;
    },
    isInProject: (subject) => resolvePath(subjectReference(subject, scope.place, scope.analysis.filter), scope.facts).inProject,
  };
}

function ruleOf(values: RuleSet): readonly PermissionRule[] {
  return values.patterned('Bash').map(({ rule }) => rule);
}
