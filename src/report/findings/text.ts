/** Findings for a person: each with its line, carets below the mistake, and the remedy. */
import type { Finding, LintReport, RuleInfo, Severity, Span } from '../../lint/text/finding.js';
import { escapeText } from '../printing/escape.js';
import type { TextOptions } from '../printing/paint.js';
import { type Painter, painter } from '../printing/paint.js';
import { type Frame, type FrameLine, framesOf, unshown } from './frame.js';
import { summaryLine } from './summary.js';

/**
 * Returns all findings, separated by blank lines, then the count. Every line begins with our own words, never with a file's.
 * @param seconds the duration; null: not shown
 */
export function findingsAsText(report: LintReport, options: TextOptions, seconds: number | null = null): string {
  const paint = painter(options.color);
  const seen = new Set<string>();
  const blocks = folded(report.findings).map(({ finding, others }) => {
    const isFirst = !seen.has(finding.ruleId);
    seen.add(finding.ruleId);
    return block(finding, isFirst, report, options.width, paint) + othersLine(finding, others);
  });
  return `${[...blocks, summaryLine(report.summary, report.rules.length, seconds)].join('\n\n')}\n`;
}

/** Findings that say the same at fewer places are each shown with their line. */
const FEWEST_FOLDED = 4;
const MOST_NAMED = 3;

/** Returns the findings in their order; of many that say the same, only the first, with the others. */
function folded(findings: readonly Finding[]): readonly { readonly finding: Finding; readonly others: readonly Finding[] }[] {
  const keyOf = ({ ruleId, severity, message, help }: Finding) => [severity, ruleId, message, help].join('\n');
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) alike.set(keyOf(finding), [...(alike.get(keyOf(finding)) ?? []), finding]);
  return findings.flatMap((finding) => {
    const [first, ...others] = alike.get(keyOf(finding)) ?? [];
    if (others.length + 1 < FEWEST_FOLDED) return [{ finding, others: [] }];
    return finding === first ? [{ finding, others }] : [];
  });
}

function othersLine({ location }: Finding, others: readonly Finding[]): string {
  if (others.length === 0) return '';
  const named = others.slice(0, MOST_NAMED).map((other) => place(other.location));
  const rest = others.length > MOST_NAMED ? ' …; --format compact lists all' : '';
  return `\n${' '.repeat(String(location.line).length)} = the same at ${others.length} more places: ${named.join(', ')}${rest}`;
}

/** Returns a rule's documentation for a terminal. */
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
    ...originOf(docs),
    `To switch it off, trusted policies write: lint: { rules: { ${id}: off } }`,
    '',
  ].join('\n');
}

/** States whose files a rule is about, and the source of its statements. */
function originOf({ source, verifiedOn, runners }: RuleInfo['docs']): readonly string[] {
  return [
    ...(runners === undefined ? [] : [`Runners: ${runners.join(', ')}`]),
    ...(source === undefined ? [] : [`Source: ${source}`]),
    ...(verifiedOn === undefined ? [] : [`Verified with: ${verifiedOn}`]),
  ];
}

function block(finding: Finding, isFirst: boolean, { lineOf }: LintReport, width: number, paint: Painter): string {
  const { severity, ruleId, message, location, related, help, fix } = finding;
  const digits = Math.max(...[location, ...related].map(({ line }) => String(line).length));
  const gutter = ' '.repeat(digits);
  const frames = framesOf(finding, lineOf, Math.max(20, width - digits - 3));
  const equals = paint.dim('=');
  return [
    `${paint.mark(severity, `${severity}[${ruleId}]`)}: ${paint.title(escapeText(message))}`,
    ...frames.flatMap((frame) => frameLines(frame, finding, gutter, paint)),
    ...(unshown(finding) === 0 ? [] : [`${gutter} ${equals} and ${unshown(finding)} more places`]),
    ...(help === null || help === message ? [] : [`${gutter} ${equals} help: ${escapeText(help)}`]),
    ...(fix === null ? [] : [`${gutter} ${equals} fix: ${escapeText(fix.description)} (${FLAG[fix.safety]})`]),
    // Shown only once for each rule.
    ...(isFirst ? [`${gutter} ${paint.dim('= more: policy lint --explain')} ${paint.dim(ruleId)}`] : []),
  ].join('\n');
}

const FLAG = { safe: '--fix', unsafe: '--fix=unsafe' } as const;

function frameLines({ at, lines }: Frame, finding: Finding, gutter: string, paint: Painter): readonly string[] {
  const head = `${gutter} ${paint.dim('-->')} ${place(at)}`;
  const bar = paint.dim('|');
  if (lines.length > 0)
    return [head, `${gutter} ${bar}`, ...lines.map((line) => frameLine(line, finding.severity, gutter, paint))];
  const label = finding.related.find((other) => other === at)?.message;
  return [label === undefined ? head : `${head} ${escapeText(label)}`];
}

function frameLine({ number, text, marks, label }: FrameLine, severity: Severity, gutter: string, paint: Painter): string {
  const bar = paint.dim('|');
  if (number !== null) return `${paint.dim(String(number).padStart(gutter.length))} ${bar} ${text}`;
  const shaded = marks === 'primary' ? paint.mark(severity, text) : paint.dim(text);
  return `${gutter} ${bar} ${shaded}${label === '' ? '' : ` ${paint.dim(escapeText(label))}`}`;
}

function place({ file, line, column }: Span): string {
  return `${escapeText(file)}:${line}:${column}`;
}
