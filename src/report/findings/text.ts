/** Findings for a person: each with its line, carets under what is wrong, and what to do. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { Finding, LintReport, LintSummary, RelatedPlace, RuleInfo, Severity } from '../../lint/finding.js';
import { escapeText } from '../escape.js';
import type { TextOptions } from '../text.js';
import { caretLines } from './caret.js';

/** All findings, a blank line between them, then the count. Every line begins with words of ours, never with a file's. */
export function findingsAsText(report: LintReport, options: TextOptions): string {
  const chalk: ChalkInstance = new Chalk({ level: options.color ? 1 : 0 });
  const blocks = report.findings.map((finding) => block(finding, report, options.width, chalk));
  return `${[...blocks, summaryLine(report.summary, report.rules.length)].join('\n\n')}\n`;
}

/** `2 errors, 1 warning in 5 agents and 1 policy (4 accepted)` */
export function summaryLine(summary: LintSummary, rules: number): string {
  const { errors, warnings, infos, suppressed, files } = summary;
  if (files.agents + files.policies === 0 && errors + warnings + infos === 0)
    return 'Nothing was checked: there is no agent definition and no policy file here.';
  const counts = [plural(errors, 'error'), plural(warnings, 'warning'), plural(infos, 'note')].filter(
    (text) => !text.startsWith('0 '),
  );
  const found = counts.length === 0 ? `No findings of ${rules} rules` : counts.join(', ');
  const accepted = suppressed === 0 ? '' : ` (${suppressed} accepted)`;
  return `${found} in ${plural(files.agents, 'agent')} and ${plural(files.policies, 'policy', 'policies')}${accepted}`;
}

/** A rule's documentation for a terminal. */
export function ruleAsText({ id, severity, docs }: RuleInfo): string {
  const example = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`);
  return [
    `${id} (${severity})`,
    '',
    docs.what,
    docs.why,
    '',
    '  Reported:',
    ...example(docs.bad),
    '',
    '  Not reported:',
    ...example(docs.good),
    '',
    `What to do: ${docs.fix}`,
    `To switch it off, trusted policies write: lint: { rules: { ${id}: off } }`,
    '',
  ].join('\n');
}

function block(finding: Finding, { lineOf }: LintReport, width: number, chalk: ChalkInstance): string {
  const { severity, ruleId, message, location, related, help, fix } = finding;
  const gutter = ' '.repeat(String(location.line).length);
  return [
    `${shade(chalk, severity)(`${severity}[${ruleId}]`)}: ${chalk.bold(escapeText(message))}`,
    `${gutter} ${chalk.dim('-->')} ${place(location)}`,
    ...frame(finding, lineOf(location.file, location.line), width, gutter, chalk),
    ...related.map((other) => `${gutter} ${chalk.dim('=')} see: ${place(other)} ${escapeText(other.message)}`),
    ...(help === null || help === message ? [] : [`${gutter} ${chalk.dim('=')} help: ${escapeText(help)}`]),
    ...(fix === null ? [] : [`${gutter} ${chalk.dim('=')} fix: ${escapeText(fix.description)} (--fix)`]),
    `${gutter} ${chalk.dim('= more: policy lint --explain')} ${chalk.dim(ruleId)}`,
  ].join('\n');
}

/** The line with carets; nothing for a place that has no text. */
function frame({ location }: Finding, text: string | null, width: number, gutter: string, chalk: ChalkInstance): string[] {
  if (text === null || text.trim() === '') return [];
  const end = location.endLine === location.line ? location.endColumn - 1 : text.length;
  const start = Math.min(location.column - 1, text.length - 1);
  // Far more than fits a terminal, and far less than a line may hold.
  const from = Math.max(0, start - 400);
  const near = text.slice(from, start + 800);
  const span = { start: start - from, end: Math.max(end, start + 1) - from };
  const lines = caretLines(near, span, Math.max(40, width - gutter.length - 3));
  if (lines === null) return [];
  const bar = chalk.dim('|');
  return [`${gutter} ${bar}`, `${location.line} ${bar} ${lines[0]}`, `${gutter} ${bar} ${lines[1]}`];
}

function place({ file, line, column }: Pick<RelatedPlace, 'file' | 'line' | 'column'>): string {
  return `${escapeText(file)}:${line}:${column}`;
}

function shade(chalk: ChalkInstance, severity: Severity): ChalkInstance {
  return { error: chalk.red.bold, warning: chalk.yellow.bold, info: chalk.cyan }[severity];
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
