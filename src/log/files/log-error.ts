/** The reason why a record cannot be written; a caller that was about to act on the decision denies instead. */
export class LogError extends Error {
  /** Stable code: `log/directory`, `log/file`, `log/key`, `log/short-write`, `log/write`. */
  readonly code: string;

  /** @param message one sentence: what is wrong, where, and how to fix it */
  constructor(code: string, message: string) {
    super(message);
    this.name = 'LogError';
    this.code = code;
  }
}

/** Returns the system's code for an error, such as `ENOSPC`, or its message if it has none. */
export function systemCode(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.message;
  return String(error);
}
