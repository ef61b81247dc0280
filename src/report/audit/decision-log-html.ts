/** What an audit says of the decision log, as a section of its page. */

import type { AuditReport } from '../../audit/model/report.js';
import type { DecisionLog, RuleCount } from '../../audit/model/types.js';
import { markup } from '../printing/markup.js';
import { answersOf, budgetLine, coverageLines, linesOfLog, unusedLine } from './decision-log-words.js';

export function decisionLogAsHtml({ decisionLog: log }: Pick<AuditReport, 'decisionLog'>): string {
  const text = log === null ? '<p>The decision log holds no record of this project.</p>\n' : contents(log);
  return `<section aria-labelledby="log">\n<h2 id="log">Decision log</h2>\n${text}</section>\n`;
}

const ANSWERS = ['Allow', 'Ask', 'Deny'] as const;

function contents(log: DecisionLog): string {
  const calls = [...(log.coverage?.examples ?? []), ...(log.transcripts?.examples ?? [])];
  return [
    `<p>${linesOfLog(log).map(markup).join(' ')}</p>\n`,
    `<ul>${[budgetLine(log), ...coverageLines(log)].map((line) => `<li>${markup(line)}</li>`).join('')}</ul>\n`,
    table(
      'Decisions by tool',
      ['Tool', ...ANSWERS],
      log.tools.map((one) => [one.name, ...answersOf(one).map(String)]),
    ),
    table(
      'Decisions by agent',
      ['Agent', 'Model', ...ANSWERS],
      log.agents.map((one) => [one.name, one.model ?? 'not known', ...answersOf(one).map(String)]),
    ),
    rules('What denied most', log.denied),
    rules('What asked most', log.asked),
    table(
      'Candidates to allow',
      ['Allow it', 'Such as', 'Times'],
      log.candidates.map(({ calls: times, sample, line }) => [line, sample, String(times)]),
    ),
    table(
      `Candidates to remove: ${unusedLine(log)}`,
      ['Rule', 'Place'],
      log.rules.examples.map(({ text, place }) => [text, place]),
    ),
    table(
      'Calls that no hook judged',
      ['Call', 'Tool', 'Time', 'Session', 'Told by'],
      calls.map((one) => [one.toolUseId, one.tool, one.time ?? 'not known', one.session ?? 'not known', one.source]),
    ),
  ].join('');
}

function rules(title: string, counts: readonly RuleCount[]): string {
  return table(
    title,
    ['Rule or reason', 'Calls', 'Place'],
    counts.map(({ text, place, count }) => [text, String(count), place ?? '']),
  );
}

/** Cells are texts; the first of each row is its head. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const lines = rows.map(([first = '', ...others]) => {
    return `<tr><th scope="row">${markup(first)}</th>${others.map((cell) => `<td>${markup(cell)}</td>`).join('')}</tr>`;
  });
  return `<div class="wide"><table><caption>${markup(caption)}</caption><thead><tr>${head}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table></div>\n`;
}
