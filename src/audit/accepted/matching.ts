/** Matching the items of one audit with those of another. */
import { grouped } from '../model/grouped.js';
import type { ClaimResult, ControlResult, Evidence } from '../model/report.js';

/**
 * Pairs each of `items` with the first unused item of `others` that has the same key; in their order, and without items that have
 * no partner.
 */
export function partnersOf<Item>(
  items: Iterable<Item>,
  others: Iterable<Item>,
  keyOf: (item: Item) => string,
): ReadonlyMap<Item, Item> {
  const waiting = new Map([...grouped([...others], keyOf)].map(([key, alike]) => [key, [...alike]]));
  const partners = new Map<Item, Item>();
  for (const item of items) {
    const partner = waiting.get(keyOf(item))?.shift();
    if (partner !== undefined) partners.set(item, partner);
  }
  return partners;
}

/** Returns the claim with this id about this coding agent. */
export function claimIn({ claims }: ControlResult, id: string | null, runner: string | null): ClaimResult | undefined {
  return claims.find((one) => one.id === id && one.runner === runner);
}

export function evidenceOf({ evidence }: ControlResult, claim: ClaimResult | undefined): readonly Evidence[] {
  const ids = new Set(claim?.evidence ?? []);
  return evidence.filter(({ id }) => ids.has(id));
}
