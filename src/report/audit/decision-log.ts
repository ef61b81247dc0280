/** What an audit says of the decision log, as Markdown: how calls were answered, what asks too often, and what went past the hook. */

import type { AuditReport } from '../../audit/model/report.js';
import type { AnswerCounts, DecisionLog, RuleCount } from '../../audit/model/types.js';
import { code, plain, table } from '../printing/markdown.js';
import { answersOf, budgetLine, coverageLines, linesOfLog, unusedLine } from './decision-log-words.js';

/** The section with its heading. */
export function decisionLogAsMarkdown({ decisionLog: log }: Pick<AuditReport, 'decisionLog'>): string {
  if (log === null) return '## Decision Log\n\nThe decision log holds no record of this project.\n';
  return [
    '## Decision Log\n',
    `${linesOfLog(log).map(plain).join(' ')}\n`,
    titled(
      'Decisions by tool',
      ['Tool', ...ANSWERS],
      log.tools.map((one) => [code(one.name), ...numbers(one)]),
    ),
    titled(
      'Decisions by agent',
      ['Agent', 'Model', ...ANSWERS],
      log.agents.map((one) => [code(one.name), one.model === null ? 'not known' : code(one.model), ...numbers(one)]),
    ),
    rules('What denied most', log.denied),
    rules('What asked most', log.asked),
    candidates(log),
    unused(log),
    `${[budgetLine(log), ...coverageLines(log)].map((line) => `- ${plain(line)}\n`).join('')}`,
    examples(log),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const ANSWERS = ['Allow', 'Ask', 'Deny'] as const;

function numbers(answers: AnswerCounts): readonly string[] {
  return answersOf(answers).map(String);
}

function titled(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `**${title}**:\n\n${table(head, rows)}`;
}

function rules(title: string, counts: readonly RuleCount[]): string {
  const rows = counts.map(({ text, place, count }) => [String(count), code(text), place === null ? '' : code(place)]);
  return titled(title, ['Calls', 'Rule or reason', 'Place'], rows);
}

function candidates({ candidates: found }: DecisionLog): string {
  const rows = found.map(({ calls, sample, line }) => [String(calls), code(sample), code(line)]);
  return titled('Candidates to allow (asked about, approved, ran well)', ['Times', 'Such as', 'Allow it'], rows);
}

function unused(log: DecisionLog): string {
  const { examples: rows } = log.rules;
  const list = rows.map(({ text, place }) => `- ${code(text)} ${code(place)}\n`).join('');
  return rows.length === 0 ? '' : `**Candidates to remove**: ${plain(unusedLine(log))}\n\n${list}`;
}

/** Calls that no hook judged. */
function examples({ coverage, transcripts }: DecisionLog): string {
  const calls = [...(coverage?.examples ?? []), ...(transcripts?.examples ?? [])];
  const rows = calls.map(({ source, time, tool, toolUseId, session }) => [
    code(source),
    time === null ? 'not known' : plain(time),
    code(tool),
    code(toolUseId),
    session === null ? 'not known' : code(session),
  ]);
  return titled('Calls that no hook judged', ['Told by', 'Time', 'Tool', 'Call', 'Session'], rows);
}
