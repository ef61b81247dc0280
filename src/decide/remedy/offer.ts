/** Rules that are offered to a person, each with what else it allows. */
import type { CompiledRuleData } from '../../rule/index/compiled-rule.js';
import { compileNarrow, type NarrowKind } from './rule.js';
import type { OfferScope } from './types.js';

/** One rule for one command or subject. */
export interface OfferedRule {
  readonly rule: CompiledRuleData;
  readonly scope: OfferScope;
  /** What else the rule allows, in words; null where it is this call only. */
  readonly also: string | null;
}

/** Rules for one command or subject: the one that a person would say first, the narrowest last; none when nothing sensible can be written. */
export type Choice = readonly OfferedRule[];

/** The rule as an offer; none where the text would not read back as that tool and pattern. */
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
