/** What is wrong with a pattern that parsed as a rule but cannot be compiled for the tool it is about. */
export interface PatternMistake {
  /** Stable code, e.g. `rule/path-parent`. */
  readonly code: string;
  readonly message: string;
}
