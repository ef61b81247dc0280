/** An audit report as a document: the first screen, then each control in the words of the original one, and the way to repeat the audit. */
import type { AuditReport, Coverage } from '../../audit/model/report.js';
import { type Block, list, listed, type Mark, paragraph, type Section, section, type Text, table } from '../printing/document.js';
import { asHtml } from '../printing/html.js';
import { asMarkdown } from '../printing/markdown.js';
import type { TextOptions } from '../printing/paint.js';
import { markdownOnTerminal } from '../terminal-markdown.js';
import { acceptanceSections } from './acceptance.js';
import { controlSection, ratingText } from './control.js';
import { decisionLogSection } from './decision-log.js';
import { auditSection, firstScreen, isOriginal, placesOf } from './first-screen.js';
import { permissionsSection } from './permissions.js';

/** Returns the whole document, with a final line break; what is long can be folded out. */
export function auditAsMarkdown(report: AuditReport): string {
  return asMarkdown(auditDocument(report));
}

/** Returns the whole document for a terminal. */
export function fullAuditOnTerminal(report: AuditReport, options: TextOptions): string {
  return markdownOnTerminal(asMarkdown(auditDocument(report), { folds: false }), options);
}

export function auditAsHtml(report: AuditReport): string {
  return asHtml(auditDocument(report));
}

/** Returns the first screen and the conclusion: for the summary of a CI job, at most a few pages. */
export function auditAsSummary(report: AuditReport): string {
  return asMarkdown(auditSection([...firstScreen(report), conclusion(report)]));
}

function auditDocument(report: AuditReport): Section {
  const shown = new Set<string>();
  return auditSection([
    ...firstScreen(report),
    ...acceptanceSections(report),
    ...(isOriginal(report) ? [timeline(report)] : []),
    ...patches(report),
    section(
      'Risk Mitigation Checklist Analysis',
      'controls',
      report.controls.map((one) => controlSection(one, shown)),
    ),
    folded(permissionsSection(report), 'Who may do what without a question'),
    folded(decisionLogSection(report), 'The decision log of this project'),
    folded(frameworks(report), "Published risk lists, and this audit's result for each item"),
    conclusion(report),
    folded(appendix(report), 'Versions, policy files, and how to repeat this'),
  ]);
}

/** Keeps the heading of a section; a person opens the rest. */
function folded({ title, id, blocks }: Section, summary: string): Section {
  return section(title, id, [{ kind: 'folded', title: summary, blocks }]);
}

/** The weeks of the original document. */
function timeline(report: AuditReport): Block {
  const steps = report.recommendations.map(({ week, control, action }): Text => {
    return [`Week ${week}, `, { link: control }, ': ', { ours: action }, ...placesOf(report, action)];
  });
  return section('Recommended Timeline', 'steps', steps.length === 0 ? [paragraph('There is nothing to do.')] : [list(steps)]);
}

/** The corrections that lint can make by itself. */
function patches({ recommendations }: AuditReport): readonly Block[] {
  const found = recommendations.flatMap(({ control, patch }): readonly Block[] =>
    patch === null ? [] : [{ kind: 'folded', title: `Patch for ${control}`, blocks: [{ kind: 'patch', diff: patch }] }],
  );
  if (found.length === 0) return [];
  const read = paragraph({
    ours: 'These are corrections by `policy lint --fix`. Read each patch, then apply it with `git apply`.',
  });
  return [section('Patches', 'patches', [read, ...found])];
}

const COVERAGES: Readonly<Record<Coverage, Mark>> = {
  covered: 'implemented',
  'partly covered': 'partial',
  'not covered': 'missing',
  'not assessed': 'none',
};

/** Returns how much of each published list the evidence covers; the JSON and a page contain each item, with the basis of its coverage. */
function frameworks({ frameworks: all }: AuditReport): Section {
  const counts = all.map(({ title, items }) => [
    { ours: title },
    ...Object.keys(COVERAGES).map((coverage) => String(items.filter((item) => item.coverage === coverage).length)),
  ]);
  const pages = all.map(({ title, source, items }): Block => {
    const rows = items.map((item) => [
      item.id,
      item.title,
      { mark: COVERAGES[item.coverage], word: item.coverage },
      listed([...item.controls, ...item.evidence].map((link) => ({ link }))),
    ]);
    return {
      kind: 'folded',
      title,
      blocks: [paragraph(source), table(['Item', 'Title', 'Coverage', 'Controls and evidence'], rows)],
    };
  });
  return section('Framework Coverage', 'frameworks', [
    table(['Framework', 'Covered', 'Partly', 'Not covered', 'Not assessed'], counts),
    { kind: 'page', blocks: pages },
  ]);
}

/** Returns what is good, what is worst, and whether everything is confirmed. */
function conclusion(report: AuditReport): Block {
  const { strengths, primaryGap, attestation } = report.conclusion;
  const worst = report.controls.find(({ id }) => id === primaryGap);
  const release = isOriginal(report) ? ' Address it before GA release.' : '';
  return section('Conclusion', 'conclusion', [
    paragraph(`Strengths: ${strengths.length === 0 ? 'none' : strengths.join(', ')}.`),
    ...(worst === undefined
      ? []
      : [paragraph(`Primary gap: ${worst.id}, `, { ours: worst.risk }, `. Risk ${ratingText(worst.rating)}.${release}`)]),
    paragraph(attestation),
  ]);
}

function appendix({ meta, checklists, notes }: AuditReport): Section {
  const policies = meta.policies.map(({ layer, file, trusted }) => [layer, { code: file }, trusted ? 'yes' : 'no']);
  const lines = [
    `checklist  ${checklists.map(({ id }) => id).join(', ')}`,
    `tool       ${meta.tool} ${meta.toolVersion}`,
    `made       ${meta.generatedAt}, in ${meta.milliseconds} ms`,
  ];
  const agents = meta.runners.map(({ id, version, hooks }) => [{ code: id }, version ?? 'not known', String(hooks)]);
  return section('Reproduction', 'reproduction', [
    { kind: 'code', lines },
    table(['Coding agent', 'Version on PATH', 'Hooks before every call'], agents),
    policies.length === 0 ? paragraph('No policy file was found.') : table(['Layer', 'Policy file', 'Trusted'], policies),
    ...(notes.length > 0 ? [paragraph('Notes on the policy:'), list(notes)] : []),
  ]);
}
