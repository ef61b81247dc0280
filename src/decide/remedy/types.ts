/** The remedy for an ask or a deny: rules that are offered, or the sentence why none is. */

/** How far an offer reaches, the narrowest first. */
export const OFFER_SCOPES = ['exact', 'file', 'script', 'arguments', 'folder', 'host', 'server', 'tool'] as const;
export type OfferScope = (typeof OFFER_SCOPES)[number];

/** Allow rules that make a call pass together, tried out on it. */
export interface Offer {
  readonly rules: readonly string[];
  /** How far the widest of them reaches. */
  readonly scope: OfferScope;
  /** What they allow besides the call, in words; empty where they allow nothing else. */
  readonly alsoAllows: readonly string[];
}

/** `rules`: offers, the one that a person would take first at the front. `sentence`: why no rule of the user can allow it, and what to do instead. */
export type Remedy =
  | { readonly kind: 'rules'; readonly offers: readonly [Offer, ...Offer[]] }
  | { readonly kind: 'sentence'; readonly sentence: string };

/** An offer as a command to paste into a terminal, or the sentence. */
export interface RemedyLine {
  readonly line: string;
  /** What it allows besides the call. */
  readonly also: readonly string[];
}
