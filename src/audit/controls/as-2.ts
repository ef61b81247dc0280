/** AS-2, secrets: may the session or an agent do everything that it takes to be talked into sending them away? */
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { type EvidenceDraft, type Examined, judged } from '../model/examined.js';
import type { PermissionAnswer, PermissionRow } from '../model/table.js';
import type { Control } from '../subject/control.js';
import { decisionEvidence, digested, lineEvidence, scanEvidence } from '../subject/evidence.js';
import type { AuditSubject } from '../subject/subject.js';

export const as2: Control = {
  id: 'AS-2',
  examine: async (subject) => {
    const { rows, unjudged } = subject.permissions;
    const told = RUNNERS.filter((id) => [...rows, ...unjudged].some(({ runner }) => runner === id));
    return told.map((runner) => ({ claim: 'combination', runner, found: combination(runner, subject) }));
  },
};

/** At most this many rows have their evidence listed; the table contains all of them. */
const MOST_ROWS = 10;

/** Unmet as soon as one row may do all three; not proven while any row was not asked about. */
function combination(runner: RunnerId, subject: AuditSubject): Examined {
  const rows = subject.permissions.rows.filter((row) => row.runner === runner);
  const against = rows.filter((row) => row.combination !== null);
  if (against.length > 0) return judged(evidenceAgainst(runner, against.slice(0, MOST_ROWS), subject), '');
  const scan = searched(rows, subject);
  const unjudged = subject.permissions.unjudged.filter((one) => one.runner === runner).length;
  if (unjudged === 0) return judged([scan], '');
  return { verdict: 'unproven', why: `${unjudged} agents with their own permissions were not examined.`, evidence: [scan] };
}

const PARTS = [
  ['input', "read strangers' texts"],
  ['secrets', 'read secrets'],
  ['out', 'send data to others'],
] as const;

/** Returns the places where the agents are defined, then the rules that grant each of the three abilities, then the decisions. */
function evidenceAgainst(runner: RunnerId, rows: readonly PermissionRow[], subject: AuditSubject): readonly EvidenceDraft[] {
  const parts = rows.flatMap((row) =>
    PARTS.flatMap(([part, does]) => (row.combination === null ? [] : [{ row, does, answer: row.combination[part] }])),
  );
  return [
    ...rows.flatMap((row) => definitionOf(row, subject.project)),
    ...grantsOf(parts, subject.project),
    ...parts.flatMap((one) => decisionOf(runner, one, subject)),
  ];
}

/** One of the three abilities, granted to one row. */
interface Granted {
  readonly row: PermissionRow;
  readonly does: string;
  readonly answer: PermissionAnswer;
}

function definitionOf(row: PermissionRow, project: string): readonly EvidenceDraft[] {
  const agent = row.agents?.[0];
  if (agent === undefined) return [];
  const shows = `May do all three without a question: ${whoseOf(row)}.`;
  return lineEvidence(project, agent, shows, { excerpt: agent.name });
}

/** Returns the rules in files that a person can change, each once for what it grants; presets have no such file. */
function grantsOf(parts: readonly Granted[], project: string): readonly EvidenceDraft[] {
  const found = new Map<string, EvidenceDraft>();
  for (const { does, answer } of parts)
    for (const { text, layer, file, line } of answer.rules) {
      if (layer === 'preset') continue;
      const key = `${file}:${line} ${does}`;
      if (found.has(key)) break;
      const [piece] = lineEvidence(project, { file, line }, `This lets them ${does}.`, { excerpt: text });
      if (piece === undefined) continue;
      found.set(key, piece);
      break;
    }
  return [...found.values()];
}

function decisionOf(runner: RunnerId, { row, does, answer }: Granted, { permissions }: AuditSubject): readonly EvidenceDraft[] {
  const call = permissions.calls.find((one) => one.id === answer.call && one.runner === runner);
  if (call === undefined) return [];
  const shows = `A call with which ${whoseOf(row)} may ${does}: ${call.label}.`;
  return [allowedCall(runner, { ...call, agent: row.agents?.[0]?.name ?? null }, answer, shows)];
}

/** Returns a decision that should have been another one. */
export function allowedCall(
  runner: RunnerId,
  call: Parameters<typeof decisionEvidence>[1],
  { decision, why }: PermissionAnswer,
  shows: string,
): EvidenceDraft {
  return decisionEvidence(runner, call, 'ask or deny', { decision, message: why }, shows);
}

/** Names the agent, and how many others are like it. */
function whoseOf({ runner, agents }: PermissionRow): string {
  const [first, ...more] = agents ?? [];
  if (first === undefined) return `the session of ${runner}`;
  return more.length === 0 ? `agent ${first.name}` : `agent ${first.name} and ${more.length} more like it`;
}

function searched(rows: readonly PermissionRow[], { workspace, project }: AuditSubject): EvidenceDraft {
  const agents = rows.reduce((sum, row) => sum + (row.agents?.length ?? 0), 0);
  const who = [
    ...(rows.some((row) => row.agents === null) ? ['the session'] : []),
    ...(agents === 0 ? [] : [`${agents} agents`]),
  ];
  const shows = `Nobody may do all three without a question; checked: ${who.join(' and ')}.`;
  const files = workspace.policy.sources.map(({ file }) => file);
  const lookedFor = "who may read strangers' texts, read secrets and send data to others";
  return scanEvidence(true, shows, lookedFor, digested(project, files));
}
