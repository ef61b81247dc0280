/** What keeps the record of running agents from being read or written; whoever was about to start an agent denies instead. */
export class RunError extends Error {
  override readonly name = 'RunError';
}
