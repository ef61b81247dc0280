/** Findings as one line each, for editors and grep: `file:line:column: severity[rule] message`. */
import type { LintReport } from '../../lint/text/finding.js';
import { escapeText } from '../printing/escape.js';
import { sentences } from './sentences.js';
import { summaryLine } from './summary.js';

/** Ends with the count on the last line. */
export function findingsAsCompact({ findings, summary, rules }: LintReport): string {
  const lines = findings.map(({ location, severity, ruleId, message, help }) => {
    const place = `${escapeText(location.file)}:${location.line}:${location.column}`;
    // With a leading ./ a path cannot be mistaken for a workflow command.
    return `${/^\s*:/.test(place) ? './' : ''}${place}: ${severity}[${ruleId}] ${escapeText(sentences(message, help))}`;
  });
  return `${[...lines, summaryLine(summary, rules.length)].join('\n')}\n`;
}
