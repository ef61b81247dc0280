/**
 * The codes by which the hook proves that it was the hook that ended (`--proof line`). An empty program in its place ends with 0,
 * a broken one with 2 and no word, which most clients take for consent.
 */
export const PROOF = { passed: 90, denied: 91 } as const;

/** The descriptor on which an installed line may want the answer (`--answer 3`): what else is printed to standard output is lost then. */
export const ANSWER = 3;
