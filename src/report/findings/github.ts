/** Findings as workflow commands of GitHub Actions, which shows them beside the changed lines. */
import type { Finding, LintReport, Severity } from '../../lint/text/finding.js';
import { escapeText } from '../printing/escape.js';
import { sentences } from './sentences.js';
import { summaryLine } from './summary.js';

const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Returns one command per line, then the count: GitHub shows ten of each kind and drops the rest. */
export function findingsAsGithub({ findings, summary, rules }: LintReport): string {
  return `${[...findings.map(command), summaryLine(summary, rules.length)].join('\n')}\n`;
}

function command({ severity, ruleId, message, help, location }: Finding): string {
  const { file, line, column, endLine, endColumn } = location;
  const properties = [
    `file=${property(file)}`,
    `line=${line}`,
    `col=${column}`,
    `endLine=${endLine}`,
    // The end column on another line would be taken for a column of the first line.
    ...(endLine === line ? [`endColumn=${endColumn}`] : []),
    `title=${property(ruleId)}`,
  ];
  return `::${COMMAND[severity]} ${properties.join(',')}::${data(sentences(message, help))}`;
}

/** Keeps a file's text from ending the line or the command: control characters are made visible, percent signs encoded. */
function data(text: string): string {
  return escapeText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
