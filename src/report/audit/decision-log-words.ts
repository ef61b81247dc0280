/** The sentences about a decision log that every format of an audit says. Not escaped: they hold names of others. */
import type { AnswerCounts, CallCoverage, DecisionLog } from '../../audit/model/types.js';

/** Allowed, asked and denied, in the order of the tables. */
export function answersOf({ allow, ask, deny }: AnswerCounts): readonly number[] {
  return [allow, ask, deny];
}

/** What was looked at, and what came out of it. */
export function linesOfLog(log: DecisionLog): readonly string[] {
  const { records, first, last, sessions, decisions, results, observed, unreadable } = log;
  return [
    `${records} records of this project from ${first} to ${last}, in ${sessions} sessions.`,
    `Decisions: ${decisions.allow} allow, ${decisions.ask} ask, ${decisions.deny} deny.`,
    ...(observed > 0 ? [`Of these, ${observed} were made in observe mode and blocked nothing.`] : []),
    `Results: ${results.success} success, ${results.error} error, ${results.denied} denied.`,
    ...(unreadable > 0 ? [`Lines of the log that hold no record: ${unreadable}.`] : []),
  ];
}

export function unusedLine({ rules: { allow, unused }, first, last }: DecisionLog): string {
  return `${unused} of ${allow} allow rules decided no call from ${first} to ${last}. A record names one rule only; try without it first.`;
}

export function budgetLine({ budget: { allow, ask, deny } }: DecisionLog): string {
  const total = allow + ask + deny;
  return total === 0
    ? 'No call was stopped by a budget.'
    : `A budget stopped ${total} calls: ${ask} asked about, ${deny} denied.`;
}

/** Subagents at once, and calls that went past the hook. */
export function coverageLines({
  subagents: { starts, overlaps },
  coverage,
  transcripts,
  failures,
}: DecisionLog): readonly string[] {
  return [
    `Subagents: ${starts} starts were decided; ${overlaps} began while another one ran.`,
    coverage === null
      ? 'No result in the log names its call, so the log cannot show whether calls went past the hook.'
      : `Results without a decision before them: ${share(coverage)}.`,
    ...(transcripts === null ? [] : [`Calls in ${transcripts.files} transcripts without a decision: ${share(transcripts)}.`]),
    ...(transcripts === null || transcripts.whole ? [] : ['Not all transcripts could be read whole.']),
    ...failureLines(failures),
  ];
}

/** An unwritable log is the one failure that no log can tell of. */
function failureLines({ count, last }: DecisionLog['failures']): readonly string[] {
  if (count === 0) return ['The log tells of no call that the hook could not judge.'];
  const calls = count === 1 ? 'One call was denied' : `${count} calls were denied`;
  return [
    `${calls} because the hook could not judge ${count === 1 ? 'it' : 'them'}.${last === null ? '' : ` The last one, at ${last.time}: ${last.message}`}`,
  ];
}

function share({ calls, unjudged }: CallCoverage): string {
  const percent = calls === 0 ? 0 : (100 * unjudged) / calls;
  return `${unjudged} of ${calls} (${percent.toFixed(1)} %)`;
}
