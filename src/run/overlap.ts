/** Messages when an agent may not start because others run: the texts of the original design. */

const SUGGESTION = 'Wait for the current agent to complete, or run `policy status` to check progress.';

/** The reason for a refusal. */
export function concurrentExecution(running: string, requested: string): string {
  return `Concurrent execution detected: ${running} is running, cannot start ${requested}. ${SUGGESTION}`;
}

/** The reason for a refusal while a person is being asked about another agent. */
export function waitsForAnswer(asked: string, requested: string): string {
  return `${asked} waits for an answer, so ${requested} cannot start yet. Answer that question first, then try again.`;
}

/** The warning for a person and for the log, in every mode. */
export function overlapWarning(running: string, requested: string): string {
  return `⚠ Cannot start ${requested} while ${running} is still running. Use policy status to check progress.`;
}
