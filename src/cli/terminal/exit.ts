/** The exit codes of commands, on which scripts rely, and the error that ends a command with code 3. */
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** Codes 0, 1 and 2 are answers of `check`; every other command ends with 0 or 3. */
export const EXIT = { allow: 0, deny: 1, ask: 2, error: 3 } as const satisfies Readonly<Record<Effect | 'error', number>>;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that the user can fix: its lines are printed to stderr, changed only by escaping; the exit code is 3. */
export class UsageError extends Error {
  readonly lines: readonly string[];

  /** @param lines one sentence per mistake, each with its place if it has one: `file:line:column: sentence` */
  constructor(...lines: readonly string[]) {
    super(lines[0] ?? 'wrong usage');
    this.name = 'UsageError';
    this.lines = lines;
  }
}
