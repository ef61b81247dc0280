/** Findings as a document: as a table per file for the summary of a CI job or a comment, or as a page with the lines of each finding. */
import type { Finding, LintReport, Severity } from '../../lint/text/finding.js';
import { type Block, type Inline, type Line, paragraph, type Section, section, type Text, table } from '../printing/document.js';
import { asHtml } from '../printing/html.js';
import { asMarkdown } from '../printing/markdown.js';
import { byFile } from './by-file.js';
import { type Frame, type FrameLine, framesOf, unshown } from './frame.js';
import { sentences } from './sentences.js';
import { summaryLine } from './summary.js';

/** The maximum number of columns of a displayed line. */
const WIDTH = 110;
const MARKS = {
  error: { mark: 'missing', word: 'error' },
  warning: { mark: 'partial', word: 'warning' },
  info: { mark: 'note', word: 'note' },
} as const satisfies Readonly<Record<Severity, Inline>>;

export function findingsAsMarkdown(report: LintReport): string {
  const heads = ['', 'place', 'rule', 'what is wrong, and what to do'];
  return asMarkdown(
    findingsDocument(report, (findings) => [table(heads, findings.map(row))]),
    { level: 2 },
  );
}

export function findingsAsHtml(report: LintReport): string {
  return asHtml(findingsDocument(report, (findings) => findings.map((finding) => article(finding, report))));
}

function findingsDocument(report: LintReport, blocksOf: (findings: readonly Finding[]) => readonly Block[]): Section {
  return section({ ours: 'policy lint' }, 'lint', [
    paragraph(summaryLine(report.summary, report.rules.length)),
    ...[...byFile(report.findings)].map(([file, findings]) => section({ code: file }, null, blocksOf(findings))),
  ]);
}

function row({ severity, location, ruleId, message, help, fix }: Finding): readonly Text[] {
  const flag = fix === null ? '' : ` (\`${FLAG[fix.safety]}\`)`;
  return [MARKS[severity], `${location.line}:${location.column}`, { code: ruleId }, [sentences(message, help), { ours: flag }]];
}

const FLAG = { safe: '--fix', unsafe: '--fix=unsafe' } as const;

function article(finding: Finding, { lineOf }: LintReport): Section {
  const { severity, ruleId, message, help, fix, location } = finding;
  const more = unshown(finding);
  return section([MARKS[severity], ` ${message}`], null, [
    paragraph({ code: ruleId }, `, line ${location.line}, column ${location.column}`),
    ...framesOf(finding, lineOf, WIDTH).flatMap((frame) => frameOf(frame, finding)),
    ...(more === 0 ? [] : [paragraph(`and ${more} more places`)]),
    ...(help === null || help === message ? [] : [paragraph(help)]),
    ...(fix === null ? [] : [paragraph(`${fix.description} (`, { code: FLAG[fix.safety] }, ')')]),
  ]);
}

function frameOf({ at, lines }: Frame, { location, related }: Finding): readonly Block[] {
  const label = lines.length > 0 ? '' : `: ${related.find((other) => other === at)?.message ?? ''}`;
  const digits = Math.max(...lines.map(({ number }) => String(number ?? '').length));
  return [
    ...(at.file === location.file ? [] : [paragraph({ code: at.file }, `, line ${at.line}${label}`)]),
    ...(lines.length === 0 ? [] : [{ kind: 'frame' as const, lines: lines.map((line) => frameLine(line, digits)) }]),
  ];
}

function frameLine({ number, text, marks, label }: FrameLine, digits: number): readonly Line[] {
  const gutter: Line = { style: 'dim', text: `${String(number ?? '').padStart(digits)} ` };
  const line = `${text}${label === '' ? '' : ` ${label}`}`;
  return [gutter, { style: marks ?? 'plain', text: line }];
}
