/**
 * The exit codes by which the hook proves that it was the hook itself that ended (`--proof line`). An empty program in its place
 * ends with 0, a broken one with 2 and no message, which most runners take for consent.
 */
export const PROOF = { passed: 90, denied: 91 } as const;

/**
 * The descriptor on which an installed line may expect the answer (`--answer 3`): anything else printed to standard output is
 * then discarded.
 */
export const ANSWER = 3;
