/** The permission table for people, in the words that Markdown and HTML share: who, what each cell says, and which rows are shown. */

import type { AuditReport } from '../../audit/model/report.js';
import type { PermissionAnswer, PermissionCell, PermissionRow, PermissionTable } from '../../audit/model/table.js';

/** Rows that a report for people shows; the JSON has all. */
const MOST_ROWS = 20;

export const PERMISSIONS_TITLE = 'Effective Permissions';

/** How texts of a stranger become code in the format. */
export type AsCode = (text: string) => string;

/** What of the table is not shown, each a sentence. */
function leftOut({ rows, unjudged }: PermissionTable): readonly string[] {
  const hidden = rows.slice(MOST_ROWS);
  const agents = hidden.reduce((sum, row) => sum + (row.agents?.length ?? 1), 0);
  return [
    ...(hidden.length === 0 ? [] : [`${agents} more agents, who may do no more than the last one here, are in the JSON report.`]),
    ...(unjudged.length === 0
      ? []
      : [`${unjudged.length} agents were not asked about, because too many have permissions of their own.`]),
  ];
}

/** What was asked, in one sentence. */
function asked({ calls, rows }: PermissionTable): string {
  const runners = new Set(rows.map(({ runner }) => runner));
  const most = Math.max(0, ...[...runners].map((runner) => calls.filter((call) => call.runner === runner).length));
  return `The policy was asked about ${most} calls that stand for what an agent can do. They were judged, none was made.`;
}

/** Where what the policy decides stops nothing, each a sentence. */
function notInForce({ mode, runners }: Pick<AuditReport['meta'], 'mode' | 'runners'>): readonly string[] {
  const without = runners.filter(({ hooks }) => hooks === 0).map(({ id }) => id);
  return [
    ...(mode === 'observe' ? ['The policy is in observe mode: what it asks about or denies runs all the same.'] : []),
    ...(without.length === 0
      ? []
      : [`${without.join(', ')}: no hook was found that asks the policy, so nothing in this table is enforced there.`]),
  ];
}

export function whoOf({ agents, runner }: PermissionRow, code: AsCode): string {
  const [first, ...more] = agents ?? [];
  if (first === undefined) return `the session of ${runner}`;
  return more.length === 0 ? code(first.name) : `${code(first.name)} and ${more.length} more with the same permissions`;
}

/** What every format says of the table, as text of the format: all that is left is to lay it out. */
export interface ShownPermissions {
  readonly rows: readonly PermissionRow[];
  readonly asked: string;
  readonly legend: string;
  /** What restricts the table as a whole, each a sentence. Not escaped. */
  readonly notInForce: readonly string[];
  readonly leftOut: readonly string[];
  /** What is lethal, then a sentence for each row with something to say; names in them are code already. */
  readonly lethal: readonly string[];
  readonly told: readonly string[];
  /** About the rows of which nothing is told; null when there are none. */
  readonly rest: string | null;
}

/** @param code makes the names of strangers code of the format */
export function shownPermissions(
  { permissions, meta }: { readonly permissions: PermissionTable; readonly meta: Pick<AuditReport['meta'], 'mode' | 'runners'> },
  code: AsCode,
): ShownPermissions {
  const rows = permissions.rows.slice(0, MOST_ROWS);
  const { told, rest } = worthASentence(rows);
  return {
    rows,
    asked: asked(permissions),
    legend: LEGEND,
    notInForce: notInForce(meta),
    leftOut: leftOut(permissions),
    lethal: combinationsOf(rows, permissions, code),
    told: told.map((row) => sentenceOf(row, permissions, code)),
    rest,
  };
}

/** Icon and word of a cell. */
export function cellText({ verdict, allowed, answers }: PermissionCell): string {
  if (verdict === 'mixed') return allowed === 0 ? '○ ask or deny' : `◐ ${allowed} of ${answers.length}`;
  return { allow: '● allow', ask: '○ ask', deny: '✕ deny', 'not-applicable': '– no tool' }[verdict];
}

const LEGEND =
  'allow: without a question; 2 of 6: that many of the calls are allowed, the others not; ask: with a question; deny: not at all.';

/** The rows with something to say, and a sentence for the others; null when there are none. */
function worthASentence(rows: readonly PermissionRow[]): {
  readonly told: readonly PermissionRow[];
  readonly rest: string | null;
} {
  const told = rows.filter(({ worst }) => worst !== null);
  if (told.length === rows.length) return { told, rest: null };
  return {
    told,
    rest: told.length === 0 ? 'Nobody may do anything without a question.' : 'The others may do nothing without a question.',
  };
}

/** How much is allowed, and the rule behind the worst of it. */
function sentenceOf(row: PermissionRow, { calls }: PermissionTable, code: AsCode): string {
  const free = `${whoOf(row, code)}: ${row.free} of ${row.classes} classes allowed without a question`;
  if (row.worst === null) return `${free}.`;
  const call = code(labelOf(row.worst, row, calls));
  const grant = grantOf(row.worst, code);
  return `${free}: ${grant === null ? `${call} is allowed, since ${code(row.worst.why)}` : `${grant} allows ${call}`}.`;
}

/** Who may be talked into giving secrets away, and with which calls: one sentence for all with whom it is the same. */
function combinationsOf(rows: readonly PermissionRow[], { calls }: PermissionTable, code: AsCode): readonly string[] {
  const who = new Map<string, string[]>();
  for (const row of rows) {
    const way = wayOf(row, calls, code);
    if (way !== null) who.set(way, [...(who.get(way) ?? []), whoOf(row, code)]);
  }
  return [...who].map(([way, those]) => `Lethal combination: ${inWords(those)} may, without a question, ${way}.`);
}

/** The three calls; null where one is missing. */
function wayOf(row: PermissionRow, calls: PermissionTable['calls'], code: AsCode): string | null {
  if (row.combination === null) return null;
  const [input, secrets, out] = [row.combination.input, row.combination.secrets, row.combination.out].map(
    (answer) => `with ${code(labelOf(answer, row, calls))}, by ${grantOf(answer, code) ?? code(answer.why)}`,
  );
  return `take in what strangers wrote, ${input}; read secrets, ${secrets}; and send data out, ${out}`;
}

function inWords(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/**
 * The rule that decided, with its place; null where a default or what is built in did. A rule of an agent's own definition allows nothing: it
 * only does not hold back.
 */
export function grantOf({ decision, rules }: PermissionAnswer, code: AsCode): string | null {
  const first = rules.find(({ layer }) => decision !== 'allow' || layer !== 'agent');
  if (first === undefined) return null;
  const { text, layer, file, line } = first;
  const where = layer === 'preset' ? `preset ${file.replace(/^presets\/|\.yaml$/g, '')}` : code(`${file}:${line}`);
  return `${code(text)} (${where})`;
}

export function labelOf({ call }: PermissionAnswer, { runner }: PermissionRow, calls: PermissionTable['calls']): string {
  return calls.find((one) => one.id === call && one.runner === runner)?.label ?? call;
}
