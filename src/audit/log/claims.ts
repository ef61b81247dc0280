/** The claims that the decision log proves or refutes. */
import { excerptOf } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../model/examined.js';
import type { CheckEvidence } from '../model/report.js';
import type { CallCoverage, DecisionLog } from '../model/types.js';
import { checkEvidence } from '../subject/evidence.js';

const NO_LOG = 'The decision log has no record of this project.';
const NOT_LOGGED = `${NO_LOG} So nothing shows that the calls in the transcripts were judged.`;
const NO_RESULT = 'The decision log has no result that names its call, and no given transcript (--transcripts) has one.';
const NOT_WHOLE = 'Not all transcripts could be read completely.';
const NO_START = 'The decision log shows no subagent start in this project.';

/**
 * Every call that ran was decided: compares the results in the log, and the calls in transcripts, with the decisions in the log.
 * @param transcripts the given folder; null without one
 */
export function coverage(log: DecisionLog | null, transcripts: string | null): Examined {
  if (log === null) return transcripts === null ? notApplicable(NO_LOG) : judged([], NOT_LOGGED);
  const evidence = [
    ...(log.coverage === null ? [] : [covered(log.coverage, log, 'Results in the decision log')]),
    ...(log.transcripts === null || log.transcripts.calls === 0 ? [] : [covered(log.transcripts, log, 'Calls in transcripts')]),
  ];
  if (evidence.length === 0 && log.transcripts?.whole !== false) return notApplicable(NO_RESULT);
  // An unread part could contain a call that nobody judged.
  if (log.transcripts?.whole === false && evidence.every(({ supports }) => supports))
    return { verdict: 'unproven', why: NOT_WHOLE, evidence };
  return judged(evidence, '');
}

function covered({ calls, unjudged, examples }: CallCoverage, log: DecisionLog, what: string): EvidenceDraft<CheckEvidence> {
  const [example] = examples;
  const first = example === undefined ? '' : ` The first is ${example.tool}, ${example.toolUseId}.`;
  return logEvidence(log, unjudged === 0, `${what}: ${calls}, of which ${unjudged} have no decision.${first}`);
}

/** Evidence: events that the hook wrote when a subagent started while another one ran. */
export function overlaps(log: DecisionLog | null): Examined {
  if (log === null || log.subagents.starts + log.subagents.overlaps === 0) return notApplicable(NO_START);
  const { starts, overlaps: count } = log.subagents;
  return judged([logEvidence(log, count === 0, `Subagent starts: ${starts}, of which ${count} while another one ran.`)], '');
}

/** Evidence: events that the hook wrote when it denied a call because it could not judge it. */
export function failures(log: DecisionLog | null): Examined {
  if (log === null) return notApplicable(NO_LOG);
  const { count, last } = log.failures;
  const calls = Object.values(log.decisions).reduce((sum, answers) => sum + answers, 0);
  const newest = last === null ? '' : ` The last one, at ${last.time}: ${excerptOf(last.message)}`;
  const shows = `Calls that the hook judged: ${calls}; calls denied because it could not judge them: ${count}.${newest}`;
  return judged([logEvidence(log, count === 0, shows)], '');
}

function logEvidence({ first, last }: DecisionLog, supports: boolean, shows: string): EvidenceDraft<CheckEvidence> {
  return checkEvidence(supports, `${shows} From ${first} to ${last}.`, { check: 'log', command: 'policy log stats --project .' });
}
