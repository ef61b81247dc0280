/** The checkpoint of the log in a report, held against the log as it is: a log that was set back or made anew does not begin with it. */
import { LogError } from '../../log/files/log-error.js';
import { verifyLog } from '../../log/tree/verify.js';
import { excerptOf } from '../model/digest.js';
import type { Evidence } from '../model/report.js';

/** Why the log is not the one of this piece of evidence any more; null when it is, and for evidence without a checkpoint. */
export function sealProblem(piece: Evidence, stateDirectory: string, now: number): string | null {
  if (piece.kind !== 'check' || piece.seal === undefined) return null;
  try {
    const [problem] = verifyLog(stateDirectory, now, piece.seal).problems;
    return problem === undefined ? null : excerptOf(problem.message);
  } catch (error) {
    if (error instanceof LogError) return excerptOf(error.message);
    throw error;
  }
}
