/** Findings as Markdown, for the summary of a CI job or a comment: a table a file. */
import type { Finding, LintReport, Severity } from '../../lint/text/finding.js';
import { code, plain, table } from '../printing/markdown.js';
import { byFile } from './by-file.js';
import { sentences } from './sentences.js';
import { summaryLine } from './summary.js';

const MARK: Readonly<Record<Severity, string>> = { error: '❌ error', warning: '⚠️ warning', info: 'ℹ️ note' };

export function findingsAsMarkdown({ findings, summary, rules }: LintReport): string {
  const sections = [...byFile(findings)].map(([file, ofFile]) => {
    const rows = ofFile.map((finding) => row(finding));
    return `### ${code(file)}\n\n${table(['', 'place', 'rule', 'what is wrong, and what to do'], rows)}`;
  });
  return [`## policy lint\n\n${plain(summaryLine(summary, rules.length))}\n`, ...sections].join('\n');
}

function row({ severity, location, ruleId, message, help, fix }: Finding): readonly string[] {
  const flag = fix === null ? '' : ` (${fix.safety === 'safe' ? '`--fix`' : '`--fix=unsafe`'})`;
  return [MARK[severity], `${location.line}:${location.column}`, code(ruleId), `${plain(sentences(message, help))}${flag}`];
}
