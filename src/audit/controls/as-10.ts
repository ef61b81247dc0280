/** AS-10, a trustworthy decision log: logged records are sealed, and nothing sealed was changed. */
import { LogError } from '../../log/files/log-error.js';
import { readTree } from '../../log/tree/state.js';
import { type Verification, verifyLog } from '../../log/tree/verify.js';
import { excerptOf } from '../model/digest.js';
import { type EvidenceDraft, judged } from '../model/examined.js';
import type { CheckEvidence } from '../model/report.js';
import type { Control } from '../subject/control.js';
import { checkEvidence } from '../subject/evidence.js';

export const as10: Control = {
  id: 'AS-10',
  async examine({ stateDirectory, now }) {
    const { unchanged, sealed } = examineSeal(stateDirectory, now);
    return [
      { claim: 'sealed', runner: null, found: judged(sealed, EMPTY) },
      { claim: 'unchanged', runner: null, found: judged(unchanged, sealed.length === 0 ? EMPTY : 'Nothing is sealed yet.') },
    ];
  },
};

const EMPTY = 'The decision log has no record yet.';

interface SealEvidence {
  readonly sealed: readonly EvidenceDraft[];
  readonly unchanged: readonly EvidenceDraft[];
}

function examineSeal(stateDirectory: string, now: number): SealEvidence {
  let verification: Verification;
  let checkpoint: string | null;
  try {
    verification = verifyLog(stateDirectory, now, { verifier: null, checkpoint: null });
    checkpoint = readTree(stateDirectory)?.checkpoint ?? null;
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const broken = evidence(false, excerptOf(error.message));
    return { sealed: [broken], unchanged: [broken] };
  }
  const { sealed, time, problems, verifier, unsealed } = verification;
  // A seal that has disappeared altogether is also a change.
  const changed = problems.map(({ message }) => evidence(false, excerptOf(message)));
  if (sealed === 0 && unsealed.records + unsealed.undated + changed.length === 0) return { sealed: [], unchanged: [] };
  if (sealed === 0) return { sealed: [evidence(false, 'No log record is sealed.', 'policy log seal')], unchanged: changed };
  const records = sealed === 1 ? 'One record is sealed' : `${sealed} records are sealed`;
  const kept = checkpoint === null || verifier === null ? {} : { seal: { checkpoint, verifier } };
  const late = whyLate(unsealed, time);
  const since = unsealed.records === 0 ? '' : ` Not sealed yet: ${unsealed.records}.`;
  const shows = `${records}, the newest checkpoint is from ${time ?? 'an unknown time'}.${since}`;
  return {
    sealed: [{ ...evidence(true, shows), ...kept }, ...(late === null ? [] : [evidence(false, late, 'policy log seal')])],
    unchanged: changed.length > 0 ? changed : [evidence(true, 'No sealed record was changed, moved or removed.')],
  };
}

/** A hook takes as long as a call, and may write the record while another hook seals. */
const MEANWHILE = 60_000;
/** The ends of sessions and of turns seal the log; `policy doctor` reports older unsealed records, too. */
const A_DAY = 86_400_000;

/**
 * Why the unsealed records are not merely those written since the last session ended; null when they are. A seal takes every
 * record there is, so an unsealed record older than the last seal was missed, or was backdated.
 */
function whyLate({ records, undated, oldest, age }: Verification['unsealed'], time: string | null): string | null {
  if (undated > 0)
    return `${undated === 1 ? 'One unsealed line has' : `${undated} lines that are not sealed tell`} no time, or a future time, so its age is unknown.`;
  if (oldest === null || age === null) return null;
  const some = `${records === 1 ? 'One record is' : `${records} records are`} not sealed`;
  if (time !== null && Date.parse(oldest) < Date.parse(time) - MEANWHILE)
    return `${some}, but the oldest is from ${oldest}, before the newest checkpoint.`;
  return age <= A_DAY ? null : `${some}; the oldest is of ${oldest}, more than a day ago.`;
}

/** Sealing again does not repair changed records. */
function evidence(supports: boolean, shows: string, fix: string | null = null): EvidenceDraft<CheckEvidence> {
  return checkEvidence(supports, shows, { check: 'log', command: 'policy log verify', fix });
}
