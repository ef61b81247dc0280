/** Compares the log's checkpoint in a report with the current log: a log that was rolled back or recreated does not begin with it. */
import { LogError } from '../../log/files/log-error.js';
import { verifyLog } from '../../log/tree/verify.js';
import { excerptOf } from '../model/digest.js';
import type { Evidence } from '../model/report.js';

/** Why the log is no longer the one of this piece of evidence; null when it is, and for evidence without a checkpoint. */
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
