/** The audit of many repositories as one page of HTML that needs nothing else. */
import type { ExaminedRepository, FleetReport } from '../../audit/fleet/report.js';
import { AUDIT_STYLE } from '../audit/html-style.js';
import { htmlPage } from '../printing/html-page.js';
import { markup } from '../printing/markup.js';
import { byGaps, commonGaps, countOf, fleetSentence, isExamined } from './counts.js';

/** The whole document. Every text of a stranger is escaped; the page loads nothing. */
export function fleetAsHtml(report: FleetReport): string {
  const broken = report.repositories.filter((one) => !isExamined(one));
  const gaps = commonGaps(report).map(
    ({ control, severity, message, count }) =>
      `<tr><th scope="row">${count}</th><td>${severity}</td><td>${markup(control)}</td><td>${markup(message)}</td></tr>`,
  );
  return htmlPage(
    'Agent policy audit of many repositories',
    AUDIT_STYLE,
    `<header>
<h1>Agent policy audit of many repositories</h1>
<p class="verdict">${markup(fleetSentence(report))}</p>
<p class="dim">Each was examined by its files alone. No hook was started, so nothing here is proven to be enforced.</p>
<p class="dim">${markup(report.generatedAt)} · policy ${markup(report.toolVersion)}</p>
</header>
<main>
${section('gaps', 'Most frequent gaps', table(['Repositories', 'Severity', 'Claim', 'Gap'], gaps))}${section(
  'repositories',
  'Repositories',
  table(['Repository', 'Policy', 'Agents', 'Claims that hold', 'Errors', 'Warnings', 'Gaps'], byGaps(report).map(row)),
)}${
  broken.length === 0
    ? ''
    : section(
        'broken',
        'Could not be examined',
        `<ul>${broken.map(({ repository, problem }) => `<li><code>${markup(repository)}</code>: ${markup(problem ?? '')}</li>`).join('\n')}</ul>\n`,
      )
}</main>
`,
  );
}

function section(id: string, title: string, body: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${body}</section>\n`;
}

function table(heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return '<p>None.</p>\n';
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>\n`;
}

function policyOf({ hasPolicy, files }: ExaminedRepository): string {
  if (files === 0) return 'no agent files';
  return hasPolicy ? '<span class="implemented">✓ yes</span>' : '<span class="missing">✕ none</span>';
}

function row(one: ExaminedRepository): string {
  const gaps = one.findings.map(
    ({ control, claim, severity, message, place }) =>
      `<li>${severity} ${markup(`${control}/${claim}`)}: ${markup(message)}${place === null ? '' : ` <code>${markup(place)}</code>`}</li>`,
  );
  const list = gaps.length === 0 ? '✓ none' : `<details><summary>${gaps.length}</summary><ul>${gaps.join('')}</ul></details>`;
  return `<tr><th scope="row"><code>${markup(one.repository)}</code></th><td>${policyOf(one)}</td><td>${one.agents}</td><td>${one.met} of ${
    one.claims
  }</td><td>${countOf(one, 'error')}</td><td>${countOf(one, 'warning')}</td><td>${list}</td></tr>`;
}
