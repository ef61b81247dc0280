/** The note that every entry point prints when the policy here only observes. */

/** One conspicuous line: a reader must not believe that an answer is enforced. */
export const OBSERVE_MODE =
  'OBSERVE MODE: nothing is blocked here; the decisions that would apply are only logged (`mode: observe` in the user or managed policy)';

/** The note of `policy run` instead: in a run, the hook blocks denied calls in every mode. */
export const OBSERVE_NOT_IN_RUNS =
  'note: observe mode does not apply to runs: denied calls are blocked in this one (`policy observe off` ends the mode everywhere else)';
