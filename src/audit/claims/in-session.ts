/**
 * Whether the log contains a decision that a session of the coding agent asked for: a probe shows how a hook answers, not that it is asked.
 */
import { LogError } from '../../log/files/log-error.js';
import { lastRecords } from '../../log/read/query.js';
import { isTrialSession } from '../../log/read/trial-session.js';
import { type Examined, judged } from '../model/examined.js';
import { checkEvidence } from '../subject/evidence.js';
import type { AuditedRunner, AuditSubject } from '../subject/subject.js';

/** Maxima for reading the log backward. */
const MOST_RECORDS = 500;
const MOST_BYTES = 4 * 1024 * 1024;
const NONE = 'The decision log has no call from a session in this project. Run a command in a session, then audit again.';

/** Met if the newest record of the project and the runner was not made by `policy doctor`. */
export function inSession({ stateDirectory, project }: AuditSubject, { runner }: AuditedRunner): Examined {
  try {
    const { records } = lastRecords(stateDirectory, { kind: 'decision', project }, MOST_RECORDS, MOST_BYTES);
    const asked = records.find((one) => one.runner === runner.id && one.session !== null && !isTrialSession(one.session));
    if (asked === undefined || asked.kind !== 'decision') return judged([], NONE);
    const shows = `A session asked about ${asked.tool} at ${asked.time}; the answer was ${asked.decision}.`;
    const of = { check: 'log', runner: runner.id, command: `policy log show ${asked.id}` };
    return judged([checkEvidence(true, shows, of)], '');
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return judged([], error.message);
  }
}
