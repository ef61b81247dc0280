/** What every entry point says when the policy here only observes. */

/** One line, printed loudly: whoever reads an answer must not take it for something that is enforced. */
export const OBSERVE_MODE =
  'OBSERVE MODE: nothing is blocked here; decisions are only logged as what they would be (`mode: observe` in the user or managed policy)';
