/** The note that every entry point prints when the policy here only observes. */

/** One conspicuous line: a reader must not believe that an answer is enforced. */
export const OBSERVE_MODE =
  'OBSERVE MODE: nothing is blocked here; decisions are only logged as what they would be (`mode: observe` in the user or managed policy)';

/** The note of `policy run` instead: in a run, the hook blocks denied calls in every mode. */
export const OBSERVE_NOT_IN_RUNS =
  'note: observe mode does not hold for runs: what the policy denies is blocked in this one (`policy observe off` ends the mode for all else)';
