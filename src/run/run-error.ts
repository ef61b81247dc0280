/** An error that prevents the record of running agents from being read or written; callers about to start an agent deny instead. */
export class RunError extends Error {
  override readonly name = 'RunError';
}
