/** The mistake in a pattern that parsed as a rule but cannot be compiled for its tool. */
export interface PatternMistake {
  /** Stable code, e.g. `rule/path-parent`. */
  readonly code: string;
  readonly message: string;
}
