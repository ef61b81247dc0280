/** The rules of one tool: ask and deny rules in one set of indexes, allow rules in another. */

import type { Count } from './command-index.js';
import { type CompiledRule, type CompiledRuleData, type FieldPattern, isAboutFields } from './compiled-rule.js';
import { CoverRules, OverlapRules } from './rule-questions.js';
import { coverTrees, meetTrees, type Numbered } from './rule-trees.js';

export interface ToolRules {
  /** Rules of any effect that apply to every call. */
  readonly total: readonly CompiledRule[];
  /** True when any ask or deny rule has a pattern. */
  readonly hasPatterned: boolean;
  /** True when any rule allows a call. */
  readonly hasAllow: boolean;
  /** Ask and deny rules with a pattern. */
  readonly patterned: readonly CompiledRule[];
  /** Ask and deny rules. */
  readonly meeting: OverlapRules;
  readonly covering: CoverRules;
  /** Rules of any effect that name input fields. */
  readonly fields: readonly RuleOfFields[];
}

export interface RuleOfFields {
  readonly rule: CompiledRule;
  readonly fields: readonly FieldPattern[];
}

/** Rules in memory, indexed on first use. `count` is called for every pattern that is compared beyond the index. */
export class IndexedToolRules implements ToolRules {
  readonly total: readonly CompiledRule[];
  readonly patterned: readonly CompiledRule[];
  readonly #rules: readonly CompiledRuleData[];
  readonly #count: Count;
  #meeting: OverlapRules | null = null;
  #covering: CoverRules | null = null;

  constructor(rules: readonly CompiledRuleData[], count: Count) {
    this.#rules = rules;
    this.#count = count;
    this.total = rules.filter((rule) => rule.total);
    this.patterned = rules.filter((rule) => isMeeting(rule) && !isAboutFields(rule));
  }

  get hasPatterned(): boolean {
    return this.patterned.length > 0;
  }

  get hasAllow(): boolean {
    return this.#rules.some(({ rule }) => rule.effect === 'allow');
  }

  get meeting(): OverlapRules {
    this.#meeting ??= new OverlapRules([meetTrees(numbered(this.#rules, isMeeting))], this.#ruleOf, this.#count);
    return this.#meeting;
  }

  get covering(): CoverRules {
    this.#covering ??= new CoverRules([coverTrees(numbered(this.#rules, isCovering))], this.#ruleOf, this.#count);
    return this.#covering;
  }

  get fields(): readonly RuleOfFields[] {
    return this.#rules.flatMap((rule) => (rule.fields.length > 0 ? { rule, fields: rule.fields } : []));
  }

  readonly #ruleOf = (number: number): CompiledRule => {
    const rule = this.#rules[number];
    if (rule === undefined) throw new RangeError(`there is no rule ${number}`);
    return rule;
  };
}

/** Whether it is an ask or deny rule with a pattern. */
export function isMeeting({ total, rule }: CompiledRule): boolean {
  return !total && rule.effect !== 'allow';
}

/** Whether it is an allow rule with a pattern. */
export function isCovering({ total, rule }: CompiledRule): boolean {
  return !total && rule.effect === 'allow';
}

function numbered(rules: readonly CompiledRuleData[], wanted: (rule: CompiledRule) => boolean): Numbered[] {
  const chosen: Numbered[] = [];
  rules.forEach((rule, number) => {
    if (wanted(rule)) chosen.push([number, rule]);
  });
  return chosen;
}
