/** The decision log in an audit: the answers to calls, the rules that ask too often, and the calls that bypassed the hook. */

import type { AuditReport } from '../../audit/model/report.js';
import type { AnswerCounts, CallCoverage, DecisionLog, RuleCount } from '../../audit/model/types.js';
import { type Block, list, paragraph, type Section, section, type Text, table } from '../printing/document.js';

export function decisionLogSection({ decisionLog: log }: Pick<AuditReport, 'decisionLog'>): Section {
  const none = [paragraph('The decision log has no record of this project.')];
  return section('Decision Log', 'log', log === null ? none : contents(log));
}

const ANSWERS = ['Allow', 'Ask', 'Deny'];

function contents(log: DecisionLog): readonly Block[] {
  const calls = [...(log.coverage?.examples ?? []), ...(log.transcripts?.examples ?? [])];
  const unused = log.rules.examples.map(({ text, place }): Text => [{ code: text }, ' ', { code: place }]);
  return [
    paragraph(linesOfLog(log).join(' ')),
    ...titled(
      'Decisions by tool',
      ['Tool', ...ANSWERS],
      log.tools.map((one) => [{ code: one.name }, ...answersOf(one)]),
    ),
    ...titled(
      'Decisions by agent',
      ['Agent', 'Model', ...ANSWERS],
      log.agents.map((one) => [{ code: one.name }, known(one.model), ...answersOf(one)]),
    ),
    ...rules('What denied most', log.denied),
    ...rules('What asked most', log.asked),
    ...titled(
      'Candidates to allow (asked, approved, succeeded)',
      ['Times', 'Such as', 'Allow it'],
      log.candidates.map(({ calls: times, sample, line }) => [String(times), { code: sample }, { code: line }]),
    ),
    ...(unused.length === 0 ? [] : [paragraph({ strong: 'Candidates to remove' }, `: ${unusedLine(log)}`), list(unused)]),
    list([budgetLine(log), ...coverageLines(log)]),
    ...titled(
      'Calls that no hook judged',
      ['Told by', 'Time', 'Tool', 'Call', 'Session'],
      calls.map(({ source, time, tool, toolUseId, session }) => [
        ...[{ code: source }, time ?? NOT_KNOWN, { code: tool }, { code: toolUseId }],
        known(session),
      ]),
    ),
  ];
}

const NOT_KNOWN = 'not known';

function known(name: string | null): Text {
  return name === null ? NOT_KNOWN : { code: name };
}

function titled(title: string, heads: readonly string[], rows: readonly (readonly Text[])[]): readonly Block[] {
  return rows.length === 0 ? [] : [paragraph({ strong: title }, ':'), table(heads, rows)];
}

function rules(title: string, counts: readonly RuleCount[]): readonly Block[] {
  const rows = counts.map(({ text, place, count }) => [String(count), { code: text }, place === null ? '' : { code: place }]);
  return titled(title, ['Calls', 'Rule or reason', 'Place'], rows);
}

/** Allowed, asked and denied, in the order of the tables. */
function answersOf({ allow, ask, deny }: AnswerCounts): readonly string[] {
  return [allow, ask, deny].map(String);
}

/** Summarizes the records and their results. */
function linesOfLog(log: DecisionLog): readonly string[] {
  const { records, first, last, sessions, decisions, results, observed, unreadable } = log;
  return [
    `${records} records of this project from ${first} to ${last}, in ${sessions} sessions.`,
    `Decisions: ${decisions.allow} allow, ${decisions.ask} ask, ${decisions.deny} deny.`,
    ...(observed > 0 ? [`Of these, ${observed} were in observe mode and blocked nothing.`] : []),
    `Results: ${results.success} success, ${results.error} error, ${results.denied} denied.`,
    ...(unreadable > 0 ? [`Log lines without a record: ${unreadable}.`] : []),
  ];
}

function unusedLine({ rules: { allow, unused }, first, last }: DecisionLog): string {
  return `${unused} of ${allow} allow rules decided no call from ${first} to ${last}. A record names only one rule, so first try without it.`;
}

function budgetLine({ budget: { allow, ask, deny } }: DecisionLog): string {
  const total = allow + ask + deny;
  return total === 0 ? 'No call was stopped by a budget.' : `A budget stopped ${total} calls: ${ask} asked, ${deny} denied.`;
}

/** Returns concurrent subagents, and calls that bypassed the hook. */
function coverageLines({ subagents: { starts, overlaps }, coverage, transcripts, failures }: DecisionLog): readonly string[] {
  return [
    `Subagents: ${starts} starts were decided; ${overlaps} began while another one ran.`,
    coverage === null
      ? 'No result in the log names its call, so the log cannot show whether calls bypassed the hook.'
      : `Results without an earlier decision: ${share(coverage)}.`,
    ...(transcripts === null ? [] : [`Calls in ${transcripts.files} transcripts without a decision: ${share(transcripts)}.`]),
    ...(transcripts === null || transcripts.whole ? [] : ['Not all transcripts could be read completely.']),
    ...failureLines(failures),
  ];
}

/** An unwritable log is the one failure that no log can record. */
function failureLines({ count, last }: DecisionLog['failures']): readonly string[] {
  if (count === 0) return ['The log shows no call that the hook could not judge.'];
  const calls = count === 1 ? 'One call was denied' : `${count} calls were denied`;
  return [
    `${calls} because the hook could not judge ${count === 1 ? 'it' : 'them'}.${last === null ? '' : ` The last one, at ${last.time}: ${last.message}`}`,
  ];
}

function share({ calls, unjudged }: CallCoverage): string {
  const percent = calls === 0 ? 0 : (100 * unjudged) / calls;
  return `${unjudged} of ${calls} (${percent.toFixed(1)} %)`;
}
