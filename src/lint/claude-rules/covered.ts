/** The wording of rules about covered settings rules: one finding for each covering rule, with the number of rules that it covers. */
import { shown } from '../../policy/sentences.js';
import type { Fix } from '../text/finding.js';
import type { ClaudeCovering } from './coverage.js';
import type { ClaudeEntry } from './entries.js';

/** At most this many other places are named in one finding. */
export const MOST_RELATED = 5;

/** The rules that one rule covers. */
interface Covered {
  readonly outer: ClaudeEntry;
  readonly inner: readonly [ClaudeEntry, ...ClaudeEntry[]];
  /** A call that the first covered rule and the covering rule are about. */
  readonly witness: string;
}

/** Returns the rules grouped by the rule that covers them, in the order of the first covered rule. */
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

/** Returns equal keys for rules that differ at most in their effect and in their notation of "then anything". */
export function claudeKey({ canonical, reach, text }: ClaudeEntry): string {
  if (reach.kind === 'everything') return `${canonical} everything`;
  if (reach.kind === 'unread') return text;
  const spelt = reach.kind === 'wildcard' ? /^([^*\\]+) \*$/s.exec(reach.text)?.[1] : undefined;
  return JSON.stringify([canonical, spelt === undefined ? reach : { kind: 'prefix', text: spelt }]);
}

export function sameClaudeRule(left: ClaudeEntry, right: ClaudeEntry): boolean {
  return claudeKey(left) === claudeKey(right);
}

/** Returns the rest of a message: the number of rules besides the first. */
export function alsoCovered(others: readonly ClaudeEntry[]): string {
  if (others.length === 0) return '';
  return others.length === 1 ? ' The same is true of one more rule.' : ` The same is true of ${others.length} more rules.`;
}

/** Returns a call as an example, unless the rule already contains it. */
export function forExample(witness: string | null, rule: string): string | null {
  return witness === null || witness === '' || rule.includes(`(${witness})`) ? null : `for example ${shown(witness)}`;
}

/** Returns the member of a report that contains a fix. */
export function fixWith(fix: Fix | null): { readonly fix?: Fix } {
  return fix === null ? {} : { fix };
}
