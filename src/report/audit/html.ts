/** An audit as one page of HTML that needs nothing else: no script, no picture, no font of others. */
import type {
  AuditReport,
  ClaimResult,
  ControlResult,
  Coverage,
  Evidence,
  FrameworkCoverage,
  Status,
} from '../../audit/model/report.js';
import { htmlPage } from '../printing/html-page.js';
import { markup } from '../printing/markup.js';
import { acceptanceAsHtml, trendAsHtml } from './acceptance-html.js';
import { decisionLogAsHtml } from './decision-log-html.js';
import { AUDIT_STYLE } from './html-style.js';
import { table } from './html-table.js';
import { permissionsAsHtml } from './permissions-html.js';
import { stepPlaces } from './step-places.js';

const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'Implemented',
  partial: 'Partial',
  missing: 'Missing',
  unknown: 'No evidence',
};
const ICONS: Readonly<Record<Status, string>> = { implemented: '✓', partial: '◐', missing: '✕', unknown: '?' };
const VERDICTS: Readonly<Record<ClaimResult['verdict'], readonly [icon: string, word: string]>> = {
  met: ['✓', 'Holds'],
  unmet: ['✕', 'Does not hold'],
  unproven: ['?', 'Not proven'],
  'not-applicable': ['–', 'Does not apply'],
};

/** The whole document. Every text of a stranger is escaped; the page loads nothing. */
export function auditAsHtml(report: AuditReport): string {
  const { confirmed, sentence, meta, controls, recommendations } = report;
  return htmlPage(
    'Agent policy audit',
    AUDIT_STYLE,
    `<header>
<h1>Agent policy audit</h1>
<p class="verdict ${confirmed ? 'implemented' : 'partial'}"><span aria-hidden="true">${confirmed ? '✓' : '!'}</span> ${markup(sentence)}</p>
<p class="dim"><code>${markup(meta.project)}</code> · ${markup(meta.generatedAt)} · policy ${markup(meta.toolVersion)}</p>
${trendAsHtml(report)}${chart(controls)}</header>
<main>
<section aria-labelledby="agents">
<h2 id="agents">Coding agents</h2>
${agents(report)}</section>
<section aria-labelledby="summary">
<h2 id="summary">Summary</h2>
${summary(report)}</section>
${acceptanceAsHtml(report)}${recommendations.length === 0 ? '' : steps(report)}${permissionsAsHtml(report)}${controls.map(controlSection).join('')}${decisionLogAsHtml(report)}${report.frameworks.map(frameworkSection).join('')}</main>
<footer class="dim"><p>Checklists: ${report.checklists.map(({ title }) => markup(title)).join(', ')}. ${HOOKS[meta.probes]}</p></footer>
`,
  );
}

const HOOKS: Readonly<Record<AuditReport['meta']['probes'], string>> = {
  none: 'No hook was started.',
  'own hook only': 'Only hooks of policy were started.',
  'any hook': 'Every hook that was found was started.',
};

/** How many controls have each status: a bar with a text beside it. */
function chart(controls: readonly ControlResult[]): string {
  const inForce = controls.filter((one) => one.notInForce === null);
  const all = (Object.keys(WORDS) as Status[]).map((status) => ({
    status,
    word: WORDS[status].toLowerCase(),
    count: inForce.filter((one) => one.status === status).length,
  }));
  const [first, ...others] = all;
  const idle = { status: 'partial' as const, word: 'not in force', count: controls.length - inForce.length };
  // As in the table, what is implemented but not in force is no more than partial.
  const counts = [...(first === undefined ? [] : [first]), ...(idle.count === 0 ? [] : [idle]), ...others];
  let at = 0;
  const bars = counts
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => {
      const width = (count / controls.length) * 100;
      const bar = `<rect class="${status}" x="${at.toFixed(2)}%" width="${width.toFixed(2)}%" height="14"/>`;
      at += width;
      return bar;
    });
  const text = counts.map(({ word, count }) => `${count} ${word}`).join(', ');
  return `<svg role="img" aria-labelledby="chart" width="100%" height="14"><title id="chart">${text}</title>${bars.join('')}</svg>
<p class="dim">${text}</p>
`;
}

function agents({ meta }: AuditReport): string {
  const rows = meta.runners.map(
    ({ id, version, hooks }) =>
      `<tr><th scope="row">${markup(id)}</th><td>${version === null ? 'not known' : markup(version)}</td><td>${
        hooks === 0 ? '<span class="missing">✕ none</span>' : `<span class="implemented">✓ ${hooks}</span>`
      }</td></tr>`,
  );
  return table(['Coding agent', 'Version on PATH', 'Hooks before every call'], rows);
}

function summary({ controls, rows }: AuditReport): string {
  const byId = new Map(controls.map((one) => [one.id, one]));
  return table(
    ['Control', 'Risk', 'Status', 'Mitigation', 'Score', 'Action'],
    rows.flatMap((id) => {
      const one = byId.get(id);
      if (one === undefined) return [];
      const link = `<a href="#${id}">${id}</a>`;
      return `<tr><th scope="row">${link}</th><td>${markup(one.risk)}</td><td>${status(one)}</td><td>${one.mitigationLevel}</td><td>${one.rating.score}&nbsp;${one.rating.band}</td><td>${prose(one.action)}</td></tr>`;
    }),
  );
}

/** By icon and word; the colour says nothing that these do not. */
function status({ status: one, notInForce }: ControlResult): string {
  if (notInForce !== null) return '<span class="partial">◐ Not in force</span>';
  return `<span class="${one}">${ICONS[one]} ${WORDS[one]}</span>`;
}

function steps(report: AuditReport): string {
  const items = report.recommendations.map(({ week, control, action, patch }) => {
    const { places, more } = stepPlaces(report, action);
    const files = places.map((place) => `<code>${markup(place)}</code>`).join(', ');
    const where = places.length === 0 ? '' : ` See ${files}${more === 0 ? '' : ` and ${more} more`}.`;
    return `<li>Week ${week}, <a href="#${control}">${control}</a>: ${prose(action)}${where}${patch === null ? '' : patchBlock(control, patch)}</li>`;
  });
  return `<section aria-labelledby="steps">\n<h2 id="steps">What to do first</h2>\n<ol>\n${items.join('\n')}\n</ol>\n</section>\n`;
}

/** What lint can correct: lines that go and come are told apart by their sign, too. */
function patchBlock(control: string, patch: string): string {
  const lines = patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const text = line.split('\t').map(markup).join('\t');
      const style = /^(?:---|\+\+\+|@@)/.test(line)
        ? 'dim'
        : line.startsWith('+')
          ? 'implemented'
          : line.startsWith('-')
            ? 'missing'
            : null;
      return style === null ? text : `<span class="${style}">${text}</span>`;
    });
  return `\n<details><summary>Patch for ${control}</summary>\n<p class="dim">Read it, then apply it with <code>git apply</code>.</p>\n<pre tabindex="0">${lines.join('\n')}</pre>\n</details>`;
}

function controlSection(control: ControlResult): string {
  const { id, title, description, claims, evidence, rating } = control;
  const items = claims.map(claimItem).join('\n');
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${id}. ${markup(title)}</h2>
<p>${status(control)}</p>
<p>${prose(description)}</p>
<p class="dim">Risk ${rating.score} of 25 (${rating.band}): likelihood ${rating.likelihood}, impact ${rating.impact}, confidence ${rating.confidence}.</p>
<ul class="claims">
${items}
</ul>
<details><summary>Evidence of ${id} (${evidence.length})</summary>
${evidence.map(evidenceBlock).join('\n')}
</details>
</section>
`;
}

const COVERAGE_MARKS: Readonly<Record<Coverage, readonly [mark: string, style: string]>> = {
  covered: ['✓', 'implemented'],
  'partly covered': ['◐', 'partial'],
  'not covered': ['✕', 'missing'],
  'not assessed': ['–', 'dim'],
};

/** Each item of a published list, with the controls and the evidence that its coverage rests on. */
function frameworkSection({ id, title, source, items }: FrameworkCoverage): string {
  const rows = items.map((item) => {
    const [mark, style] = COVERAGE_MARKS[item.coverage];
    const links = [...item.controls, ...item.evidence].map((target) => `<a href="#${target}">${target}</a>`);
    return `<tr><th scope="row">${markup(item.id)}</th><td>${markup(item.title)}</td><td><span class="${style}">${mark} ${
      item.coverage
    }</span></td><td>${links.join(', ')}</td></tr>`;
  });
  const covered = items.filter(({ coverage }) => coverage === 'covered').length;
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${markup(title)}</h2>
<p class="dim">${markup(source)}</p>
<details><summary>${covered} of ${items.length} covered by evidence</summary>
${table(['Item', 'Title', 'Coverage', 'Controls and evidence'], rows)}</details>
</section>
`;
}

/** A text of ours, with its commands as code. */
function prose(text: string): string {
  return markup(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function claimItem({ verdict, runner, statement, gap, mitigation, unproven }: ClaimResult): string {
  const [icon, word] = VERDICTS[verdict];
  const about = runner === null ? '' : `<code>${markup(runner)}</code>: `;
  const why = [gap === null ? unproven : null, gap === null ? null : mitigation].filter((text) => text !== null);
  const more = why.length === 0 ? '' : `<br><span class="dim">${why.map(prose).join(' ')}</span>`;
  return `<li class="${verdict}"><span class="verdict-word">${icon} ${word}</span> ${about}${prose(statement)}${more}</li>`;
}

function evidenceBlock(piece: Evidence): string {
  const head = `<h3 id="${piece.id}"><span aria-hidden="true">${piece.supports ? '✓' : '✕'}</span> ${piece.id}: ${
    piece.supports ? 'supports' : 'contradicts'
  }</h3>\n<p>${markup(piece.shows)}</p>`;
  const lines = linesOf(piece);
  return lines.length === 0 ? head : `${head}\n<pre tabindex="0">${lines.map(markup).join('\n')}</pre>`;
}

function linesOf(piece: Evidence): readonly string[] {
  switch (piece.kind) {
    case 'file':
      return [`${piece.place.file}:${piece.place.line} ${piece.place.digest}`, ...(piece.excerpt === '' ? [] : [piece.excerpt])];
    case 'setting':
      return [`${piece.key}: ${piece.value}`, piece.place === null ? 'the default' : `${piece.place.file}:${piece.place.line}`];
    case 'scan':
      return [`looked for ${piece.lookedFor} in`, ...piece.files.map(({ file, digest }) => `${file} ${digest ?? 'not there'}`)];
    case 'decision':
      return [`$ ${piece.command}`, piece.message];
    case 'check':
      return [`$ ${piece.command}`, ...(piece.fix === null ? [] : [`fix: ${piece.fix}`])];
    case 'probe':
      return [
        `$ ${piece.command}`,
        `< ${piece.payload}`,
        ...(['stdout', 'stderr'] as const).flatMap((name) => (piece[name] === '' ? [] : [`${name}: ${piece[name]}`])),
        `${piece.timedOut ? 'no answer' : `exit code ${piece.exitCode}`} after ${piece.milliseconds} ms; expected: ${piece.expected}`,
      ];
  }
}
