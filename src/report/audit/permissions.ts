/** The permission table for people: who may do what, a sentence for each row, and on a page every decision. */

import type { AuditReport } from '../../audit/model/report.js';
import type { PermissionAnswer, PermissionCell, PermissionRow, PermissionTable } from '../../audit/model/table.js';
import { type Block, type Inline, list, paragraph, type Section, section, table } from '../printing/document.js';

/** At most this many rows are shown in a report for people; the JSON contains all of them. */
const MOST_ROWS = 20;

/** Lethal combinations come first below the table. */
export function permissionsSection({
  permissions,
  meta,
}: {
  readonly permissions: PermissionTable;
  readonly meta: Pick<AuditReport['meta'], 'mode' | 'runners'>;
}): Section {
  const { classes, calls } = permissions;
  const rows = permissions.rows.slice(0, MOST_ROWS);
  const told = rows.filter(({ worst }) => worst !== null);
  const sentences = [...combinationsOf(rows, calls), ...told.map((row) => sentenceOf(row, calls))];
  const rest = told.length === 0 ? 'Nobody may do anything without a question.' : 'The others may do nothing without a question.';
  return section('Effective Permissions', 'permissions', [
    paragraph(`${asked(permissions)} ${LEGEND}`),
    ...notInForce(meta).map((text) => paragraph(text)),
    table(
      ['Who', 'Coding agent', 'Allowed', ...classes.map(({ short }) => short)],
      rows.map((row) => [whoOf(row), row.runner, `${row.free} of ${row.classes}`, ...row.cells.map(cellText)]),
    ),
    ...(sentences.length === 0 ? [] : [list(sentences)]),
    ...(told.length === rows.length ? [] : [paragraph(rest)]),
    ...leftOut(permissions).map((text) => paragraph(text)),
    { kind: 'page', blocks: rows.map((row) => decisions(row, permissions)) },
  ]);
}

/** Returns every call with its decision and the deciding rule. */
function decisions(row: PermissionRow, { classes, calls }: PermissionTable): Block {
  const titles = new Map(classes.map((one) => [one.id, one.title]));
  const rows = row.cells.flatMap((one) =>
    one.answers.map((answer) => [
      titles.get(one.class) ?? '',
      labelOf(answer, row, calls),
      answer.decision,
      grantOf(answer) ?? answer.why,
    ]),
  );
  const title = ['Decisions about ', ...whoOf(row), ` in ${row.runner} (${rows.length})`];
  return { kind: 'folded', title, blocks: [table(['Class', 'Call', 'Decision', 'By'], rows)] };
}

/** Returns a sentence for each part of the table that is not shown. */
function leftOut({ rows, unjudged }: PermissionTable): readonly string[] {
  const hidden = rows.slice(MOST_ROWS);
  const agents = hidden.reduce((sum, row) => sum + (row.agents?.length ?? 1), 0);
  return [
    ...(hidden.length === 0 ? [] : [`${agents} more agents, who may do no more than the last one here, are in the JSON report.`]),
    ...(unjudged.length === 0
      ? []
      : [`${unjudged.length} agents were not examined, because too many have their own permissions.`]),
  ];
}

/** Returns one sentence about the calls that were asked about. */
function asked({ calls, rows }: PermissionTable): string {
  const runners = new Set(rows.map(({ runner }) => runner));
  const most = Math.max(0, ...[...runners].map((runner) => calls.filter((call) => call.runner === runner).length));
  return `The policy judged ${most} calls that represent what an agent can do. None was made.`;
}

/** Returns a sentence for each case in which the policy's decisions stop nothing. */
function notInForce({ mode, runners }: Pick<AuditReport['meta'], 'mode' | 'runners'>): readonly string[] {
  const without = runners.filter(({ hooks }) => hooks === 0).map(({ id }) => id);
  return [
    ...(mode === 'observe' ? ['The policy is in observe mode: even calls that it asks about or denies still run.'] : []),
    ...(without.length === 0
      ? []
      : [`${without.join(', ')}: no hook asks the policy, so nothing in this table is enforced there.`]),
  ];
}

/** Returns the callers that share the row. */
function whoOf({ agents, runner }: PermissionRow): readonly Inline[] {
  const [first, ...more] = agents ?? [];
  if (first === undefined) return [`the session of ${runner}`];
  return [{ code: first.name }, ...(more.length === 0 ? [] : [` and ${more.length} more with the same permissions`])];
}

/** Returns the icon and the word of a cell. */
function cellText({ verdict, allowed, answers }: PermissionCell): string {
  if (verdict === 'mixed') return allowed === 0 ? '○ ask or deny' : `◐ ${allowed} of ${answers.length}`;
  return { allow: '● allow', ask: '○ ask', deny: '✕ deny', 'not-applicable': '– no tool' }[verdict];
}

const LEGEND = 'allow: runs unasked; 2 of 6: so many of the calls run unasked; ask: asks first; deny: never runs.';

type Calls = PermissionTable['calls'];

/** Returns how much is allowed, and the rule behind the worst allowed call. */
function sentenceOf(row: PermissionRow, calls: Calls): readonly Inline[] {
  const free = [...whoOf(row), `: ${row.free} of ${row.classes} classes allowed without a question`];
  if (row.worst === null) return [...free, '.'];
  const call = labelOf(row.worst, row, calls);
  const grant = grantOf(row.worst);
  return [
    ...free,
    ': ',
    ...(grant === null ? [call, ' is allowed, since ', { code: row.worst.why }] : [...grant, ' allows ', call]),
    '.',
  ];
}

/** Returns which callers may be talked into giving secrets away, and with which calls: one sentence for all callers with the same calls. */
function combinationsOf(rows: readonly PermissionRow[], calls: Calls): readonly (readonly Inline[])[] {
  const ways = new Map(rows.map((row) => [row, wayOf(row, calls)]));
  const keys = new Map([...ways].map(([row, way]) => [row, JSON.stringify(way)]));
  return rows
    .filter((row, at) => ways.get(row)?.length !== 0 && rows.findIndex((one) => keys.get(one) === keys.get(row)) === at)
    .map((row) => {
      const who = rows.filter((one) => keys.get(one) === keys.get(row)).map(whoOf);
      const all = who.flatMap((one, at) => [...(at === 0 ? [] : [at === who.length - 1 ? ' and ' : ', ']), ...one]);
      return [{ mark: 'missing' }, ' Lethal combination: ', ...all, ' may, without a question, ', ...(ways.get(row) ?? []), '.'];
    });
}

/** Returns the three calls; empty if one is missing. */
function wayOf(row: PermissionRow, calls: Calls): readonly Inline[] {
  if (row.combination === null) return [];
  const { input, secrets, out } = row.combination;
  const by = (answer: PermissionAnswer) => [
    ', with ',
    labelOf(answer, row, calls),
    ', by ',
    ...(grantOf(answer) ?? [{ code: answer.why }]),
  ];
  return ["read strangers' texts", ...by(input), '; read secrets', ...by(secrets), '; and send data out', ...by(out)];
}

/**
 * Returns the deciding rule with its place; null if a default or a built-in rule decided. A rule of an agent's own definition
 * allows nothing: it only does not restrict.
 */
function grantOf({ decision, rules }: PermissionAnswer): readonly Inline[] | null {
  const first = rules.find(({ layer }) => decision !== 'allow' || layer !== 'agent');
  if (first === undefined) return null;
  const { text, layer, file, line } = first;
  const where = layer === 'preset' ? `preset ${file.replace(/^presets\/|\.yaml$/g, '')}` : { code: `${file}:${line}` };
  return [{ code: text }, ' (', where, ')'];
}

function labelOf({ call }: PermissionAnswer, { runner }: PermissionRow, calls: Calls): Inline {
  return { code: calls.find((one) => one.id === call && one.runner === runner)?.label ?? call };
}
