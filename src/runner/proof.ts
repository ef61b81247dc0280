/**
 * The codes by which the hook proves that it was the hook that ended (`--proof line`). An empty program in its place ends with 0,
 * a broken one with 2 and no word, which most clients take for consent.
 */
export const PROOF = { passed: 90, denied: 91 } as const;
