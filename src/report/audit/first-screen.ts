/** The first screen of an audit, alike in every format: one sentence for everybody, the gaps, what was not checked, what was looked at. */
import type { AuditReport, ControlResult, Evidence, Recommendation, Status } from '../../audit/model/report.js';
import {
  type Block,
  type Inline,
  type Item,
  listed,
  type Mark,
  paragraph,
  type Section,
  section,
  type Text,
  table,
} from '../printing/document.js';
import { asMarkdown } from '../printing/markdown.js';
import type { TextOptions } from '../printing/paint.js';
import { markdownOnTerminal } from '../terminal-markdown.js';
import { acceptanceLines } from './acceptance.js';

/** In the words of the original document, whose checklist this is; its table, weeks and actions belong to no other report. */
export function isOriginal({ checklists }: AuditReport): boolean {
  return checklists.length === 1 && checklists[0]?.id === 'risk-mitigation';
}

/** @param most the maximum number of gaps, and of things that were not checked */
export function firstScreen(report: AuditReport, most = Number.POSITIVE_INFINITY, columns = ALL_COLUMNS): readonly Block[] {
  const { meta, score, confirmed } = report;
  const percent = score.percent === null ? 'No score' : `Score ${score.percent} %`;
  const verdict: Mark = confirmed
    ? 'implemented'
    : report.controls.some(({ standing }) => standing === 'proven gap')
      ? 'missing'
      : 'partial';
  const agents = meta.runners.map(
    ({ id, version, hooks }): Inline => ({
      ours: `\`${id}\` (version ${version ?? 'not known'}, ${hooks === 1 ? 'one hook' : `${hooks === 0 ? 'no' : hooks} hooks`})`,
    }),
  );
  return [
    paragraph({ strong: [{ mark: verdict }, ` ${report.sentence}`] }),
    ...acceptanceLines(report),
    ...(meta.mode === 'observe'
      ? [paragraph({ strong: [{ mark: 'missing' }, ' OBSERVE MODE: decisions are logged, nothing is blocked.'] })]
      : []),
    paragraph(
      { code: meta.project },
      `, ${dateForPeople(meta.generatedAt)}. ${percent} over ${score.known} of ${score.controls} controls. Coding agents: `,
      ...listed(agents),
      '.',
    ),
    chart(report),
    { kind: 'filter', label: 'Show only gaps and what was not checked' },
    ...steps('Gaps, Worst First', 'gaps', ofStanding(report, 'proven gap'), most, report),
    ...steps('Not Checked', 'unchecked', ofStanding(report, 'not checked'), most, report),
    section(isOriginal(report) ? 'Risk Assessment Summary' : 'What Was Checked', 'summary', [
      paragraph(how(report)),
      ...(columns.length === 0 ? [] : [controlTable(report, columns)]),
    ]),
  ];
}

const MOST_LINES = 60;

/** Returns the first screen in at most 60 lines: as many gaps as fit, and without the table if even one does not. */
export function auditOnTerminal(report: AuditReport, options: TextOptions): string {
  const known = report.recommendations.length;
  const printed = (most: number, columns = TERMINAL_COLUMNS) => {
    const rest = [paragraph({ ours: 'All claims, evidence and permissions: `policy audit --full`.' })];
    const text = asMarkdown(auditSection([...firstScreen(report, most, columns), ...rest]), { folds: false });
    return markdownOnTerminal(text, options);
  };
  for (let most = known; most > 2; most -= 1) if (fits(printed(most))) return printed(most);
  return fits(printed(2)) ? printed(2) : printed(3, []);
}

function fits(text: string): boolean {
  return text.trimEnd().split('\n').length <= MOST_LINES;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `29 November 2026, 14:41 UTC` */
function dateForPeople(time: string): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${date.toISOString().slice(11, 16)} UTC`;
}

const MARKS: Readonly<Record<ControlResult['standing'], Mark>> = {
  ...{ 'in force': 'implemented', 'proven gap': 'missing', 'not checked': 'partial', 'not applicable': 'none' },
};

/** Counts the controls with each standing. */
function chart({ controls }: AuditReport): Block {
  const parts = Object.entries(MARKS).map(([word, mark]) => {
    return { mark, word, count: controls.filter(({ standing }) => standing === word).length };
  });
  return { kind: 'chart', parts: parts.filter(({ count }) => count > 0) };
}

function ofStanding({ recommendations }: AuditReport, wanted: Recommendation['standing']): readonly Recommendation[] {
  return recommendations.filter(({ standing }) => standing === wanted);
}

function steps(title: string, id: string, all: readonly Recommendation[], most: number, report: AuditReport): readonly Block[] {
  if (all.length === 0) return [];
  const more: readonly Item[] = all.length > most ? [{ text: `and ${all.length - most} more` }] : [];
  return [section(title, id, [{ kind: 'list', items: [...all.slice(0, most).map((one) => stepItem(one, report)), ...more] }])];
}

/** What is wrong or was not checked, and below it the one thing to do. */
function stepItem({ control, also, standing, about, action, patch }: Recommendation, report: AuditReport): Item {
  const mark = { mark: MARKS[standing], word: standing === 'proven gap' ? 'Proven gap' : 'Not checked' };
  const helps = also.length === 0 ? '' : also.length > 3 ? ` Also ${also.length} other controls.` : ` Also ${also.join(', ')}.`;
  const first = report.controls.find(({ id }) => id === control);
  return {
    text: [mark, ' ', { link: control }, ` ${first?.risk ?? ''}: `, { ours: about }, helps],
    below: [{ text: ['→ ', { ours: action }, ...placesOf(report, action), patch === null ? '' : ' There is a patch below.'] }],
  };
}

const MOST_PLACES = 3;

/** Returns the places of a step: those of the evidence against each claim that it repairs, each place once. */
export function placesOf({ controls }: AuditReport, action: string): readonly Inline[] {
  const places = controls.flatMap(({ claims, evidence }) =>
    claims
      .filter(({ mitigation, gap }) => mitigation === action && gap !== null)
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

const ORIGINAL_COLUMNS = ['Risk Category', 'Current Status', 'Mitigation Level', 'Action Required'];
const ALL_COLUMNS = ['Control', ...ORIGINAL_COLUMNS, 'Checked By'];
/** A row of these fits on a line of 80 characters. */
const TERMINAL_COLUMNS = ['Control', 'Risk Category', 'Current Status', 'Test Calls'];

/** The rows of the original document are in its order and words. */
function controlTable(report: AuditReport, columns: readonly string[]): Block {
  const original = isOriginal(report);
  const heads = original ? ORIGINAL_COLUMNS : columns;
  const controls = original ? report.rows.flatMap((row) => report.controls.filter(({ id }) => id === row)) : report.controls;
  const rows = controls.map((one): readonly Text[] => {
    const cells: Readonly<Record<string, Text>> = {
      Control: { link: one.id },
      'Risk Category': original ? { link: one.id, text: one.risk } : one.risk,
      'Current Status': original ? originalStatus(one) : statusText(one),
      'Mitigation Level': one.mitigationLevel,
      'Action Required': { ours: original ? actionInOriginal(one) : one.action },
      'Checked By': checkedBy(one.evidence),
      'Test Calls': String(one.evidence.filter(({ kind }) => kind === 'probe').length),
    };
    return heads.map((head) => cells[head] ?? '');
  });
  return table(heads, rows);
}

const WORDS: Readonly<Record<Status, string>> = {
  implemented: 'Protected',
  partial: 'Partial',
  pending: 'Pending',
  missing: 'Missing',
  'not-applicable': 'Not applicable',
};

/** The icon of a control: what is proven against it, and what only was not checked, never look alike. */
export function markOf({ standing, status }: Pick<ControlResult, 'standing' | 'status'>): Mark {
  return standing === 'not checked' && status === 'pending' ? 'pending' : MARKS[standing];
}

/** What its word does not say: `, proven gap`. */
export function openness({ standing }: ControlResult): string {
  return standing === 'proven gap' || standing === 'not checked' ? `, ${standing}` : '';
}

function statusText(one: ControlResult): Inline {
  return { mark: markOf(one), word: `${originalStatus(one).word}${openness(one)}` };
}

function originalStatus({ status, notInForce }: ControlResult) {
  const mark: Mark = status === 'not-applicable' ? 'none' : notInForce === null ? status : 'partial';
  return { mark, word: notInForce === null ? WORDS[status] : 'Not in force' };
}

/** Two steps have a name of their own in the original document. */
const ORIGINAL_STEPS: Readonly<Record<string, string>> = {
  'RM-1/refuses': 'Implement enforcement',
  'RM-4/in-session': 'Integration testing',
};

function actionInOriginal({ id, action, claims }: ControlResult): string {
  const claim = claims.find(({ mitigation }) => mitigation === action);
  return ORIGINAL_STEPS[`${id}/${claim?.id ?? ''}`] ?? action;
}

const SOURCES = [
  ...[['probe', 'test call'] as const, ['decision', 'decision'] as const, ['check', 'check'] as const],
  ...[['setting', 'setting'] as const, ['file', 'file line', 'file lines'] as const],
  ['scan', 'file search', 'file searches'] as const,
];

/** `5 test calls, 2 settings` */
function checkedBy(evidence: readonly Evidence[]): string {
  const counts = SOURCES.flatMap(([kind, one, many = `${one}s`]) => {
    const { length } = evidence.filter((piece) => piece.kind === kind);
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`];
  });
  return counts.length === 0 ? 'nothing' : counts.join(', ');
}

const HOOKS: Readonly<Record<AuditReport['meta']['probes'], string>> = {
  none: 'no hook was started (--no-probes)',
  'own hook only': 'only policy hooks were started',
  'any hook': 'every found hook was started (--run-hooks)',
};

function how({ controls, meta, permissions, decisionLog: log }: AuditReport): string {
  const records = log === null ? 'no record of this project in the decision log' : `${log.records} records of the decision log`;
  const calls = new Set(permissions.calls.map(({ id }) => id)).size;
  const all = checkedBy(controls.flatMap(({ evidence }) => evidence));
  return `Evidence: ${all}; ${calls} more calls judged by the policy; ${records}. Nothing in a test call is executed; ${HOOKS[meta.probes]}.`;
}

export function auditSection(blocks: readonly Block[]): Section {
  return section({ ours: 'Risk & Mitigation Audit' }, 'audit', blocks);
}
