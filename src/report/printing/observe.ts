/** What every entry point says when the policy here only observes. */

/** One line, printed loudly: whoever reads an answer must not take it for something that is enforced. */
export const OBSERVE_MODE =
  'OBSERVE MODE: nothing is blocked here; decisions are only logged as what they would be (`mode: observe` in the user or managed policy)';

/** What `policy run` says in its place: the hook blocks what a run is denied in every mode. */
export const OBSERVE_NOT_IN_RUNS =
  'note: observe mode does not hold for runs: what the policy denies is blocked in this one (`policy observe off` ends the mode for all else)';
