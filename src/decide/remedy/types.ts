/** The remedy for an ask or a denial: offered rules, or a sentence that explains why there are none. */

/** How much an offer allows, the narrowest first. */
export const OFFER_SCOPES = ['exact', 'file', 'script', 'arguments', 'folder', 'host', 'server', 'tool'] as const;
export type OfferScope = (typeof OFFER_SCOPES)[number];

/** Allow rules that together let a call pass, tried on that call. */
export interface Offer {
  readonly rules: readonly string[];
  /** The scope of the widest of them. */
  readonly scope: OfferScope;
  /** What they allow besides the call, in words; empty if nothing else. */
  readonly alsoAllows: readonly string[];
}

/** `rules`: offers, the most natural one first. `sentence`: why no rule of the user can allow the call, and what to do instead. */
export type Remedy =
  | { readonly kind: 'rules'; readonly offers: readonly [Offer, ...Offer[]] }
  | { readonly kind: 'sentence'; readonly sentence: string };

/** An offer as a command to paste into a terminal, or the sentence. */
export interface RemedyLine {
  readonly line: string;
  /** What it allows besides the call. */
  readonly also: readonly string[];
}
