/** Findings as one page of HTML that needs nothing else: no script, no picture, no font of others. */
import type { Finding, LintReport, Severity } from '../../lint/text/finding.js';
import { htmlPage } from '../printing/html-page.js';
import { markup } from '../printing/markup.js';
import { byFile } from './by-file.js';
import { type Frame, type FrameLine, framesOf, unshown } from './frame.js';
import { summaryLine } from './summary.js';

/** Columns of a line that is shown. */
const WIDTH = 110;
const WORD: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

export function findingsAsHtml(report: LintReport): string {
  const { findings, summary, rules } = report;
  const files = [...byFile(findings)].map(([file, ofFile]) => section(file, ofFile, report));
  const counts = (
    [
      ['error', summary.errors],
      ['warning', summary.warnings],
      ['info', summary.infos],
    ] as const
  )
    .map(([severity, count]) => `<li class="${severity}"><b>${count}</b> ${WORD[severity]}${count === 1 ? '' : 's'}</li>`)
    .join('');
  return htmlPage(
    'policy lint',
    STYLE,
    `<header>
<h1>policy lint</h1>
<ul class="counts">${counts}</ul>
<p>${markup(summaryLine(summary, rules.length))}</p>
</header>
<main>
${files.join('')}</main>
`,
  );
}

function section(file: string, findings: readonly Finding[], report: LintReport): string {
  return `<section>\n<h2><code>${markup(file)}</code></h2>\n${findings.map((finding) => article(finding, report)).join('')}</section>\n`;
}

function article(finding: Finding, { lineOf }: LintReport): string {
  const { severity, ruleId, message, help, fix, location } = finding;
  const frames = framesOf(finding, lineOf, WIDTH).map((frame) => frameOf(frame, finding));
  const more = unshown(finding) === 0 ? '' : `<p class="help">and ${unshown(finding)} more places</p>\n`;
  const flag = fix?.safety === 'safe' ? '--fix' : '--fix=unsafe';
  return `<article class="${severity}">
<h3><span class="severity">${WORD[severity]}</span> ${markup(message)}</h3>
<p class="where"><code>${markup(ruleId)}</code> · line ${location.line}, column ${location.column}</p>
${frames.join('')}${more}${help === null || help === message ? '' : `<p class="help">${markup(help)}</p>\n`}${
  fix === null ? '' : `<p class="help">${markup(fix.description)} (<code>${flag}</code>)</p>\n`
}</article>
`;
}

function frameOf({ at, lines }: Frame, { location, related }: Finding): string {
  const label = related.find((other) => other === at)?.message ?? '';
  const place = `<code>${markup(at.file)}</code>, line ${at.line}`;
  const head = at.file === location.file ? '' : `<p class="where">${place}${lines.length > 0 ? '' : `: ${markup(label)}`}</p>\n`;
  if (lines.length === 0) return head;
  const digits = Math.max(...lines.map(({ number }) => String(number ?? '').length));
  return `${head}<pre>${lines.map((line) => frameLine(line, digits)).join('\n')}</pre>\n`;
}

function frameLine({ number, text, marks, label }: FrameLine, digits: number): string {
  const gutter = `<span class="gutter">${String(number ?? '').padStart(digits)} </span>`;
  if (marks === null) return `${gutter}${markup(text)}`;
  return `${gutter}<span class="${marks}">${markup(text)}${label === '' ? '' : ` ${markup(label)}`}</span>`;
}

const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --dim: #646b73; --line: #d9dde2; --paper: #ffffff; --frame: #f5f6f8;
  --error: #c4242b; --warning: #94600b; --info: #1b64b4; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --dim: #98a0a9; --line: #353b42; --paper: #16191d; --frame: #1f2429;
  --error: #ff8086; --warning: #eab55c; --info: #79b4f7; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
h3 { font-size: 1rem; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
h2 code { font-size: 1rem; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--frame); border-radius: 6px; overflow-x: auto; }
p { margin: .25rem 0; }
header p, .where, .gutter { color: var(--dim); }
.counts { display: flex; flex-wrap: wrap; gap: 1.25rem; list-style: none; margin: .5rem 0; padding: 0; }
.counts b { font-size: 1.25rem; }
article { margin: 1rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); }
article.error { border-color: var(--error); }
article.warning { border-color: var(--warning); }
article.info { border-color: var(--info); }
.error .severity, .error b, .error .primary { color: var(--error); }
.warning .severity, .warning b, .warning .primary { color: var(--warning); }
.info .severity, .info b, .info .primary { color: var(--info); }
.related { color: var(--dim); }
.gutter { user-select: none; }
`;
