/** Rules offered to a person, each with a description of what else it allows. */
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import { compileNarrow, type NarrowKind } from './rule.js';
import type { OfferScope } from './types.js';

/** One rule for one command or subject. */
export interface OfferedRule {
  readonly rule: CompiledRuleData;
  readonly scope: OfferScope;
  /** What else the rule allows, in words; null if it allows only this call. */
  readonly also: string | null;
}

/** Rules for one command or subject: the most natural one first, the narrowest last; empty if no sensible rule can be written. */
export type Choice = readonly OfferedRule[];

/** The rule as an offer; empty if its text would not parse back into the same tool and pattern. */
export function offered(
  tool: string,
  pattern: string | null,
  kind: NarrowKind,
  scope: OfferScope,
  also: string | null,
): readonly OfferedRule[] {
  const rule = compileNarrow(tool, pattern, kind);
  return rule === null ? [] : [{ rule, scope, also }];
}
