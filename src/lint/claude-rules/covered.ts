/** What rules about covered rules of settings say: one finding for each covering rule, with the number of rules below it. */
import { shown } from '../../policy/sentences.js';
import type { Fix } from '../text/finding.js';
import type { ClaudeCovering } from './coverage.js';
import type { ClaudeEntry } from './entries.js';

/** Other places that one finding names. */
export const MOST_RELATED = 5;

/** Rules that one rule covers. */
interface Covered {
  readonly outer: ClaudeEntry;
  readonly inner: readonly [ClaudeEntry, ...ClaudeEntry[]];
  /** A call that the first of them and the covering rule are about. */
  readonly witness: string;
}

/** The rules by the rule that covers them, in the order of the first of each. */
export function groupedByCover(
  entries: readonly ClaudeEntry[],
  coveringOf: (inner: ClaudeEntry) => ClaudeCovering | null,
): readonly Covered[] {
  const groups = new Map<ClaudeEntry, Map<string, { inner: [ClaudeEntry, ...ClaudeEntry[]]; witness: string }>>();
  for (const inner of entries) {
    const covering = coveringOf(inner);
    if (covering === null) continue;
    const byEffect = groups.get(covering.entry) ?? new Map<string, { inner: [ClaudeEntry, ...ClaudeEntry[]]; witness: string }>();
    groups.set(covering.entry, byEffect);
    const group = byEffect.get(inner.effect);
    if (group === undefined) byEffect.set(inner.effect, { inner: [inner], witness: covering.witness });
    else group.inner.push(inner);
  }
  return [...groups].flatMap(([outer, byEffect]) => [...byEffect.values()].map((group) => ({ outer, ...group })));
}

/** Equal for rules that differ at most in their effect and in how they say "then anything". */
export function claudeKey({ canonical, reach, text }: ClaudeEntry): string {
  if (reach.kind === 'everything') return `${canonical} everything`;
  if (reach.kind === 'unread') return text;
  const spelt = reach.kind === 'wildcard' ? /^([^*\\]+) \*$/s.exec(reach.text)?.[1] : undefined;
  return JSON.stringify([canonical, spelt === undefined ? reach : { kind: 'prefix', text: spelt }]);
}

export function sameClaudeRule(left: ClaudeEntry, right: ClaudeEntry): boolean {
  return claudeKey(left) === claudeKey(right);
}

/** The rest of a message: how many rules besides the first. */
export function alsoCovered(others: readonly ClaudeEntry[]): string {
  if (others.length === 0) return '';
  return others.length === 1 ? ' The same is true of one more rule.' : ` The same is true of ${others.length} more rules.`;
}

/** A call as an example, unless the rule itself says it already. */
export function forExample(witness: string | null, rule: string): string | null {
  return witness === null || witness === '' || rule.includes(`(${witness})`) ? null : `for example ${shown(witness)}`;
}

/** The member of a report that holds a fix. */
export function fixWith(fix: Fix | null): { readonly fix?: Fix } {
  return fix === null ? {} : { fix };
}
