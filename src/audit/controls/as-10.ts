/** AS-10, a decision log that can be believed: what was logged is sealed, and nothing sealed was changed. */
import { LogError } from '../../log/log-error.js';
import { readTree } from '../../log/tree/state.js';
import { type Verification, verifyLog } from '../../log/tree/verify.js';
import type { Control } from '../control.js';
import { excerptOf } from '../digest.js';
import { type EvidenceDraft, judged } from '../examined.js';
import type { CheckEvidence } from '../report.js';

export const as10: Control = {
  id: 'AS-10',
  async examine({ stateDirectory, now }) {
    const { unchanged, sealed } = examineSeal(stateDirectory, now);
    return [
      { claim: 'sealed', runner: null, found: judged([sealed], '') },
      { claim: 'unchanged', runner: null, found: judged(unchanged, 'Nothing is sealed yet.') },
    ];
  },
};

interface SealEvidence {
  readonly sealed: EvidenceDraft;
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
    return { sealed: broken, unchanged: [broken] };
  }
  const { sealed, time, problems, verifier } = verification;
  // A seal that is gone altogether is a change, too.
  const changed = problems.map(({ message }) => evidence(false, excerptOf(message)));
  if (sealed === 0) return { sealed: evidence(false, 'No record of the log is sealed.', 'policy log seal'), unchanged: changed };
  const records = sealed === 1 ? 'One record is sealed' : `${sealed} records are sealed`;
  const kept = checkpoint === null || verifier === null ? {} : { seal: { checkpoint, verifier } };
  return {
    sealed: { ...evidence(true, `${records}, the newest checkpoint is of ${time ?? 'an unknown time'}.`), ...kept },
    unchanged: changed.length > 0 ? changed : [evidence(true, 'No sealed record was changed, moved or removed.')],
  };
}

/** Sealing again repairs nothing that was changed. */
function evidence(supports: boolean, shows: string, fix: string | null = null): EvidenceDraft<CheckEvidence> {
  const level = supports ? 'ok' : 'problem';
  return { kind: 'check', supports, shows, check: 'log', runner: null, level, command: 'policy log verify', fix };
}
