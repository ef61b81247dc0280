/**
 * An audit report as a document, in the words and order of the original one: verdict and summary table first, then each control,
 * and the way to repeat the audit.
 */
import type { AuditReport, Coverage, Status } from '../../audit/model/report.js';
import {
  type Block,
  type Inline,
  list,
  listed,
  type Mark,
  paragraph,
  type Section,
  section,
  type Text,
  table,
} from '../printing/document.js';
import { asHtml } from '../printing/html.js';
import { asMarkdown } from '../printing/markdown.js';
import { acceptanceLines, acceptanceSections } from './acceptance.js';
import { controlSection, markOf, ratingText } from './control.js';
import { decisionLogSection } from './decision-log.js';
import { permissionsSection } from './permissions.js';

/** Returns the whole document, with a final line break. */
export function auditAsMarkdown(report: AuditReport): string {
  return asMarkdown(auditDocument(report));
}

export function auditAsHtml(report: AuditReport): string {
  return asHtml(auditDocument(report));
}

/** Returns the verdict, the table, the first steps and the conclusion: for the summary of a CI job, at most a few pages. */
export function auditAsSummary(report: AuditReport): string {
  return asMarkdown(documentOf([...summary(report), firstSteps(report, false), conclusion(report)]));
}

function documentOf(blocks: readonly Block[]): Section {
  return section({ ours: 'Risk & Mitigation Audit' }, 'audit', blocks);
}

function auditDocument(report: AuditReport): Section {
  const shown = new Set<string>();
  return documentOf([
    ...summary(report),
    ...acceptanceSections(report),
    firstSteps(report, true),
    permissionsSection(report),
    section(
      'Risk Mitigation Checklist Analysis',
      'controls',
      report.controls.map((one) => controlSection(one, shown)),
    ),
    decisionLogSection(report),
    frameworks(report),
    conclusion(report),
    appendix(report),
  ]);
}

const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'Protected',
  partial: 'Partial',
  missing: 'Missing',
  unknown: 'No evidence',
};

/** Returns the first screen: the result, and the table of controls. */
function summary(report: AuditReport): readonly Block[] {
  const { meta, score, confirmed, controls } = report;
  const byId = new Map(controls.map((one) => [one.id, one]));
  const percent = score.percent === null ? 'No score' : `Score ${score.percent} %`;
  return [
    paragraph({ strong: [{ mark: confirmed ? 'implemented' : 'partial' }, ` ${report.sentence}`] }),
    ...acceptanceLines(report),
    ...(meta.mode === 'observe'
      ? [paragraph({ strong: [{ mark: 'missing' }, ' OBSERVE MODE: decisions are logged, nothing is blocked.'] })]
      : []),
    paragraph(
      `${percent} over the ${score.known} of ${score.controls} controls with evidence. Project `,
      { code: meta.project },
      '.',
    ),
    chart(report),
    section('Coding Agents', 'agents', [
      table(['Coding agent', 'Version on PATH', 'Hooks before every call'], meta.runners.map(agentRow)),
    ]),
    section('Risk Assessment Summary', 'summary', [
      table(
        ['Risk Category', 'Current Status', 'Mitigation Level', 'Action Required'],
        report.rows.flatMap((id) => {
          const one = byId.get(id);
          if (one === undefined) return [];
          const status = { mark: markOf(one), word: one.notInForce === null ? WORDS[one.status] : 'Not in force' };
          return [[{ link: id, text: one.risk }, status, one.mitigationLevel, { ours: one.action }]];
        }),
      ),
    ]),
  ];
}

/** Counts the controls with each status; as in the table, an implemented control that is not in force is at most partial. */
function chart({ controls }: AuditReport): Block {
  const inForce = controls.filter(({ notInForce }) => notInForce === null);
  const of = (mark: Status, word: string) => ({ mark, word, count: inForce.filter(({ status }) => status === mark).length });
  const idle = { mark: 'partial' as const, word: 'not in force', count: controls.length - inForce.length };
  const parts = [
    of('implemented', 'implemented'),
    idle,
    of('partial', 'partial'),
    of('missing', 'missing'),
    of('unknown', 'no evidence'),
  ];
  return { kind: 'chart', parts: parts.filter((one) => one !== idle || one.count > 0) };
}

function agentRow({ id, version, hooks }: AuditReport['meta']['runners'][number]): readonly Text[] {
  const mark: Mark = hooks === 0 ? 'missing' : 'implemented';
  return [{ code: id }, version === null ? 'not known' : { code: version }, { mark, word: hooks === 0 ? 'none' : String(hooks) }];
}

/** Returns the steps by week; below them, the corrections that lint can make by itself. */
function firstSteps(report: AuditReport, withPatches: boolean): Block {
  const { recommendations } = report;
  if (recommendations.length === 0) return NOTHING;
  const steps = recommendations.map(({ week, control, action, patch }): Text => {
    return [
      `Week ${week}, `,
      { link: control },
      ': ',
      { ours: action },
      ...placesOf(report, action),
      patch === null ? '' : ' There is a patch.',
    ];
  });
  const patches = recommendations.flatMap(({ control, action, patch }): readonly Block[] => {
    const about: readonly Inline[] = [' (', { ours: action }, ')'];
    return patch === null
      ? []
      : [{ kind: 'folded', title: `Patch for ${control}`, about, blocks: [{ kind: 'patch', diff: patch }] }];
  });
  const read = paragraph({ ours: 'What `policy lint --fix` can correct. Read each patch, then apply it with `git apply`.' });
  return section('Recommended Timeline', 'steps', [
    list(steps),
    ...(withPatches && patches.length > 0 ? [read, NOTHING, ...patches] : []),
  ]);
}

const MOST_PLACES = 3;

/** Returns the places of a step: those of the evidence against each claim that it repairs, each place once. */
function placesOf({ controls }: AuditReport, action: string): readonly Inline[] {
  const places = controls.flatMap(({ claims, evidence }) =>
    claims
      .filter(({ mitigation }) => mitigation === action)
      .flatMap((claim) => evidence.filter(({ id, supports }) => !supports && claim.evidence.includes(id)))
      .flatMap((piece) =>
        (piece.kind === 'file' || piece.kind === 'setting') && piece.place !== null
          ? [`${piece.place.file}:${piece.place.line}`]
          : [],
      ),
  );
  const each = [...new Set(places)].map((place) => ({ code: place }));
  if (each.length === 0) return [];
  const more = each.length > MOST_PLACES ? ` and ${each.length - MOST_PLACES} more` : '';
  return [' See ', ...listed(each.slice(0, MOST_PLACES)), `${more}.`];
}

/** An empty line in Markdown. */
const NOTHING = list([]);

const COVERAGES: Readonly<Record<Coverage, Mark>> = {
  covered: 'implemented',
  'partly covered': 'partial',
  'not covered': 'missing',
  'not assessed': 'none',
};

/** Returns how much of each published list the evidence covers; the JSON and a page contain each item, with the basis of its coverage. */
function frameworks({ frameworks: all }: AuditReport): Block {
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

/** Returns what is good, what is worst, and once more whether everything holds. */
function conclusion({ controls, conclusion: { strengths, primaryGap }, sentence }: AuditReport): Block {
  const worst = controls.find(({ id }) => id === primaryGap);
  return section('Conclusion', 'conclusion', [
    paragraph(`Strengths: ${strengths.length === 0 ? 'none' : strengths.join(', ')}.`),
    ...(worst === undefined
      ? []
      : [
          paragraph(
            `Primary gap: ${worst.id}, `,
            { ours: worst.risk },
            `. Risk ${ratingText(worst.rating)}. Address it before GA release.`,
          ),
        ]),
    paragraph(sentence),
  ]);
}

const HOOKS: Readonly<Record<AuditReport['meta']['probes'], string>> = {
  none: 'no hook was started (--no-probes)',
  'own hook only': 'only a hook of ours was started',
  'any hook': 'every hook found was started (--run-hooks)',
};

function appendix({ meta, checklists, notes }: AuditReport): Block {
  const policies = meta.policies.map(({ layer, file, trusted }) => [layer, { code: file }, trusted ? 'yes' : 'no']);
  const lines = [
    `checklist  ${checklists.map(({ id }) => id).join(', ')}`,
    `tool       ${meta.tool} ${meta.toolVersion}`,
    `made       ${meta.generatedAt}, in ${meta.milliseconds} ms`,
    `hooks      ${HOOKS[meta.probes]}`,
  ];
  return section('Reproduction', 'reproduction', [
    { kind: 'code', lines },
    policies.length === 0 ? paragraph('No policy file was found.') : table(['Layer', 'Policy file', 'Trusted'], policies),
    ...(notes.length > 0 ? [paragraph('Notes on the policy:'), list(notes)] : []),
  ]);
}
