/** What keeps a record from being written; whoever was about to act on the decision denies instead. */
export class LogError extends Error {
  /** Stable code: `log/directory`, `log/file`, `log/key`, `log/short-write`, `log/write`. */
  readonly code: string;

  /** @param message one sentence: what is wrong, where, and what to do */
  constructor(code: string, message: string) {
    super(message);
    this.name = 'LogError';
    this.code = code;
  }
}

/** The system's word for an error: `ENOSPC`, or its message when it has none. */
export function systemCode(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.message;
  return String(error);
}
