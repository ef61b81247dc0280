/**
 * An audit report as Markdown, in the words and order of the original document: verdict and summary
 * table first, then each control with its analysis, gaps, evidence and how to run it again.
 */
import type { AuditReport, ClaimResult, ControlResult, Status } from '../../audit/report.js';
import { block, code, ours, plain, table } from '../markdown.js';
import { evidenceAsMarkdown } from './evidence.js';

/** The whole document, with a final line break. */
export function auditAsMarkdown(report: AuditReport): string {
  return [
    summary(report),
    firstSteps(report),
    '## Risk Mitigation Checklist Analysis\n',
    ...report.controls.map(control),
    appendix(report),
  ].join('\n');
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
    ...(meta.mode === 'observe' ? ['**❌ OBSERVE MODE: decisions are logged, nothing is blocked.**\n'] : []),
    `${percent} over the ${score.known} of ${score.controls} controls that there is evidence about. Project ${code(meta.project)}, runner ${code(meta.runner)}.\n`,
    '## Risk Assessment Summary\n',
    table(
      ['Risk Category', 'Current Status', 'Mitigation Level', 'Action Required'],
      rows.map((row) => row.map(ours)),
    ),
  ].join('\n');
}

/** By week. */
function firstSteps({ recommendations }: AuditReport): string {
  if (recommendations.length === 0) return '';
  const steps = recommendations.map(({ week, control: id, action }) => `- Week ${week}, ${id}: ${ours(action)}\n`);
  return `## Recommended Timeline\n\n${steps.join('')}`;
}

function control(result: ControlResult): string {
  const { id, title, status, notInForce, description, claims, evidence, needs, priority } = result;
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
      ? [`**Mitigation Required**:\n\n${gaps.map(({ mitigation }) => `- ${ours(mitigation ?? '')}\n`).join('')}`]
      : []),
    `**Priority**: ${priority.toUpperCase()}\n`,
    ...(evidence.length > 0 ? [`**Evidence**:\n\n${evidenceAsMarkdown(evidence)}`] : []),
    ...(evidence.length > 0 ? [`**Validation**: ${VALIDATION}\n`] : []),
  ];
  return parts.join('\n');
}

const VERDICTS: Readonly<Record<ClaimResult['verdict'], string>> = { met: '✅', unmet: '❌', unproven: '❔' };

function claimLine({ verdict, level, statement, evidence, unproven }: ClaimResult): string {
  const why = unproven === null ? '' : ` Not proven: ${ours(unproven)}`;
  return `- ${VERDICTS[verdict]} ${level}: ${ours(statement)}${why}${range(evidence)}\n`;
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
  const shown = against.slice(0, MOST_EXAMPLES).map(({ id, shows }) => `  - ${id}: ${plain(shows)}\n`);
  const more = against.length > MOST_EXAMPLES ? `  - and ${against.length - MOST_EXAMPLES} more\n` : '';
  return `- ${ours(gap ?? '')}\n${shown.join('')}${more}`;
}

const VALIDATION =
  'files can be compared with their digests; each command and each payload can be run again in the project as shown.';

function appendix({ meta, checklist, notes }: AuditReport): string {
  const policies = meta.policies.map(({ layer, file, trusted }) => [plain(layer), code(file), trusted ? 'yes' : 'no']);
  return [
    '## Reproduction\n',
    block([
      `checklist  ${checklist.id}`,
      `tool       ${meta.tool} ${meta.toolVersion}`,
      `made       ${meta.generatedAt}, in ${meta.milliseconds} ms`,
      `hooks      ${meta.probes === 'any hook' ? 'every hook found was started (--run-hooks)' : 'only a hook of ours was started'}`,
    ]),
    policies.length === 0 ? 'No policy file was found.\n' : table(['Layer', 'Policy file', 'Trusted'], policies),
    ...(notes.length > 0 ? [`Notes on the policy:\n\n${notes.map((note) => `- ${plain(note)}\n`).join('')}`] : []),
  ].join('\n');
}
