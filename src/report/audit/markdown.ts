/**
 * An audit report as Markdown, in the words and order of the original document: verdict and summary
 * table first, then each control with its analysis, gaps, evidence and how to run it again.
 */
import type { AuditReport, ClaimResult, ControlResult, Coverage, RiskRating, Status } from '../../audit/model/report.js';
import { block, code, diffBlock, ours, plain, table } from '../printing/markdown.js';
import { acceptanceAsMarkdown, releaseCheckAsMarkdown, trendAsMarkdown } from './acceptance.js';
import { decisionLogAsMarkdown } from './decision-log.js';
import { evidenceAsMarkdown } from './evidence.js';
import { permissionsAsMarkdown } from './permissions-markdown.js';
import { stepPlaces } from './step-places.js';

/** The whole document, with a final line break. */
export function auditAsMarkdown(report: AuditReport): string {
  const shown = new Set<string>();
  return [
    summary(report),
    ...acceptanceAsMarkdown(report),
    firstSteps(report, true),
    permissionsAsMarkdown(report),
    '## Risk Mitigation Checklist Analysis\n',
    ...report.controls.map((one) => control(one, shown)),
    decisionLogAsMarkdown(report),
    frameworks(report),
    conclusion(report),
    appendix(report),
  ].join('\n');
}

/** The verdict, the table, what to do first and the conclusion: what a person reads in the summary of a CI job, never more than some pages. */
export function auditAsSummary(report: AuditReport): string {
  return [summary(report), firstSteps(report, false), conclusion(report)].join('\n');
}

const ICONS: Readonly<Record<Status, string>> = { implemented: '✅', partial: '⚠️', missing: '❌', unknown: '❔' };
/** What is implemented and not in force protects nobody. */
function iconOf({ status, notInForce }: ControlResult): string {
  return notInForce === null ? ICONS[status] : ICONS.partial;
}

const ROW_WORDS: Readonly<Record<Status, string>> = {
  implemented: 'Protected',
  partial: 'Partial',
  missing: 'Missing',
  unknown: 'No evidence',
};
const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'IMPLEMENTED',
  partial: 'PARTIAL IMPLEMENTATION',
  missing: 'MISSING',
  unknown: 'NO EVIDENCE',
};

/** The first screen: what came out, and the table of controls. */
function summary(report: AuditReport): string {
  const { meta, score } = report;
  const byId = new Map(report.controls.map((one) => [one.id, one]));
  const rows = report.rows.flatMap((id) => {
    const one = byId.get(id);
    return one === undefined
      ? []
      : [
          [
            one.risk,
            `${iconOf(one)} ${one.notInForce === null ? ROW_WORDS[one.status] : 'Not in force'}`,
            one.mitigationLevel,
            one.action,
          ],
        ];
  });
  const percent = score.percent === null ? 'No score' : `Score ${score.percent} %`;
  return [
    '# Risk & Mitigation Audit\n',
    `**${report.confirmed ? '✅' : '⚠️'} ${plain(report.sentence)}**\n`,
    ...releaseCheckAsMarkdown(report),
    ...trendAsMarkdown(report),
    ...(meta.mode === 'observe' ? ['**❌ OBSERVE MODE: decisions are logged, nothing is blocked.**\n'] : []),
    `${percent} over the ${score.known} of ${score.controls} controls with evidence. Project ${code(meta.project)}.\n`,
    '## Coding Agents\n',
    table(['Coding agent', 'Version on PATH', 'Hooks before every call'], meta.runners.map(agentRow)),
    '## Risk Assessment Summary\n',
    table(
      ['Risk Category', 'Current Status', 'Mitigation Level', 'Action Required'],
      rows.map((row) => row.map(ours)),
    ),
  ].join('\n');
}

function agentRow({ id, version, hooks: count }: AuditReport['meta']['runners'][number]): readonly string[] {
  const hooks = count === 0 ? '❌ none' : `✅ ${count}`;
  return [code(id), version === null ? 'not known' : code(version), hooks];
}

/** By week; below it, what lint can correct by itself. */
function firstSteps(report: AuditReport, withPatches: boolean): string {
  const { recommendations } = report;
  if (recommendations.length === 0) return '';
  const steps = recommendations.map(({ week, control: id, action, patch }) => {
    const { places, more } = stepPlaces(report, action);
    const where = places.length === 0 ? '' : ` See ${places.map(code).join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
    return `- Week ${week}, ${id}: ${ours(action)}${where}${patch === null ? '' : ` ${PATCHED}`}\n`;
  });
  const patches = recommendations.flatMap(({ control: id, action, patch }) =>
    patch === null ? [] : [`\n**Patch for ${id}** (${ours(action)}):\n\n${diffBlock(patch)}`],
  );
  return `## Recommended Timeline\n\n${steps.join('')}${withPatches && patches.length > 0 ? `\n${PATCHES}\n${patches.join('')}` : ''}`;
}

const PATCHED = 'There is a patch.';
const PATCHES = 'What `policy lint --fix` can correct. Read each patch, then apply it with `git apply`.\n';

function control(result: ControlResult, shown: Set<string>): string {
  const { id, title, status, notInForce, description, claims, evidence, needs, priority, rating } = result;
  const words = notInForce === null ? WORDS[status] : `${WORDS[status]}, NOT IN FORCE`;
  const gaps = claims.filter(({ gap }) => gap !== null);
  const parts = [
    `### ${iconOf(result)} ${id}. ${ours(title)}\n`,
    `**Current Status**: ${iconOf(result)} **${words}**\n`,
    ...(notInForce === null ? [] : [`${ours(notInForce)}\n`]),
    `${ours(description)}\n`,
    ...(claims.length > 0 ? [`**Analysis**:\n\n${claims.map(claimLine).join('')}`] : []),
    ...(needs.length > 0 ? [`**Evidence that is needed**:\n\n${needs.map((need) => `- ${ours(need)}\n`).join('')}`] : []),
    ...(gaps.length > 0 ? [`**Gap Identified**:\n\n${gaps.map((claim) => gapLine(claim, evidence)).join('')}`] : []),
    ...(gaps.length > 0
      ? [
          `**Mitigation Required**:\n\n${unique(gaps)
            .map((step) => `- ${ours(step)}\n`)
            .join('')}`,
        ]
      : []),
    `**Priority**: ${priority.toUpperCase()}\n`,
    `**Risk**: ${ratingText(rating)}\n`,
    ...(evidence.length > 0 ? [`**Evidence**:\n\n${evidenceAsMarkdown(evidence, shown)}`] : []),
    ...(evidence.length > 0 ? [`**Validation**: ${VALIDATION}\n`] : []),
  ];
  return parts.join('\n');
}

/** `12 of 25 (high): likelihood 3, impact 4, confidence high` */
function ratingText({ likelihood, impact, score, band, confidence }: RiskRating): string {
  return `${score} of 25 (${band}): likelihood ${likelihood}, impact ${impact}, confidence ${confidence}`;
}

/** What to do, each step once. */
function unique(gaps: readonly ClaimResult[]): readonly string[] {
  return [...new Set(gaps.flatMap(({ mitigation }) => mitigation ?? []))];
}

const VERDICTS: Readonly<Record<ClaimResult['verdict'], string>> = {
  met: '✅',
  unmet: '❌',
  unproven: '❔',
  'not-applicable': '➖',
};

function claimLine({ verdict, level, runner, statement, evidence, unproven }: ClaimResult): string {
  const why = unproven === null ? '' : ` ${verdict === 'unproven' ? 'Not proven' : 'Does not apply'}: ${ours(unproven)}`;
  return `- ${VERDICTS[verdict]} ${level}${runner === null ? '' : `, ${runner}`}: ${ours(statement)}${why}${range(evidence)}\n`;
}

/** The ids of a claim's evidence, which are numbered one after the other. */
function range(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return ids.length === 1 ? ` (${ids[0]})` : ` (${ids[0]} to ${ids.at(-1)})`;
}

const MOST_EXAMPLES = 5;

/** What is wrong, with the first pieces of evidence that say so. */
function gapLine({ gap, evidence: ids }: ClaimResult, evidence: ControlResult['evidence']): string {
  const against = evidence.filter(({ id, supports }) => !supports && ids.includes(id));
  const shown = against.slice(0, MOST_EXAMPLES).map((piece) => `  - ${piece.id}: ${plain(piece.shows)}${placeOf(piece)}\n`);
  const more = against.length > MOST_EXAMPLES ? `  - and ${against.length - MOST_EXAMPLES} more\n` : '';
  return `- ${ours(gap ?? '')}\n${shown.join('')}${more}`;
}

/** A file and line; of other evidence the sentence says it. */
function placeOf(piece: ControlResult['evidence'][number]): string {
  return piece.kind === 'file' ? ` ${code(`${piece.place.file}:${piece.place.line}`)}` : '';
}

const COVERAGES: readonly Coverage[] = ['covered', 'partly covered', 'not covered', 'not assessed'];

/** How much of each published list the evidence covers; the JSON and the HTML report have each item. */
function frameworks(report: AuditReport): string {
  const rows = report.frameworks.map(({ title, items }) => [
    ours(title),
    ...COVERAGES.map((coverage) => String(items.filter((item) => item.coverage === coverage).length)),
  ]);
  return `## Framework Coverage\n\n${table(['Framework', 'Covered', 'Partly', 'Not covered', 'Not assessed'], rows)}`;
}

/** What is good, what is worst, and once more whether it all holds. */
function conclusion({ controls, conclusion: { strengths, primaryGap }, sentence }: AuditReport): string {
  const worst = controls.find(({ id }) => id === primaryGap);
  return [
    '## Conclusion\n',
    `Strengths: ${strengths.length === 0 ? 'none' : strengths.join(', ')}.\n`,
    ...(worst === undefined
      ? []
      : [`Primary gap: ${worst.id}, ${ours(worst.risk)}. Risk ${ratingText(worst.rating)}. Address it before GA release.\n`]),
    `${plain(sentence)}\n`,
  ].join('\n');
}

const VALIDATION =
  'files can be compared with their digests; each command and each payload can be run again in the project as shown.';

const HOOKS: Readonly<Record<AuditReport['meta']['probes'], string>> = {
  none: 'no hook was started (--no-probes)',
  'own hook only': 'only a hook of ours was started',
  'any hook': 'every hook found was started (--run-hooks)',
};

function appendix({ meta, checklists, notes }: AuditReport): string {
  const policies = meta.policies.map(({ layer, file, trusted }) => [plain(layer), code(file), trusted ? 'yes' : 'no']);
  return [
    '## Reproduction\n',
    block([
      `checklist  ${checklists.map(({ id }) => id).join(', ')}`,
      `tool       ${meta.tool} ${meta.toolVersion}`,
      `made       ${meta.generatedAt}, in ${meta.milliseconds} ms`,
      `hooks      ${HOOKS[meta.probes]}`,
    ]),
    policies.length === 0 ? 'No policy file was found.\n' : table(['Layer', 'Policy file', 'Trusted'], policies),
    ...(notes.length > 0 ? [`Notes on the policy:\n\n${notes.map((note) => `- ${plain(note)}\n`).join('')}`] : []),
  ].join('\n');
}
