/** The answers about one agent, or about the session, as a row: by class, the number of free calls, and the overall result. */

import type { PermissionAnswer, PermissionCell, PermissionRow, PermissionVerdict } from '../model/table.js';
import { BRINGS, type Brings, type Capabilities } from './corpus.js';

/**
 * Returns the row.
 * @param answers to all calls for which the runner has tools
 */
export function rowOf(
  { classes, calls }: Capabilities,
  runner: string,
  agents: PermissionRow['agents'],
  answers: readonly PermissionAnswer[],
): PermissionRow {
  const classOf = new Map(calls.map((call) => [call.id, call.class]));
  const cells = classes.map(({ id }) =>
    cellOf(
      id,
      answers.filter(({ call }) => classOf.get(call) === id),
    ),
  );
  const allowed = answers.filter(({ decision }) => decision === 'allow');
  const byHarm = [...classes].sort((left, right) => right.impact - left.impact);
  const worstClass = byHarm.find(({ id }) => allowed.some(({ call }) => classOf.get(call) === id));
  return {
    runner,
    agents,
    free: cells.filter((cell) => cell.allowed > 0).length,
    classes: cells.filter(({ verdict }) => verdict !== 'not-applicable').length,
    worst: allowed.find(({ call }) => worstClass !== undefined && classOf.get(call) === worstClass.id) ?? null,
    combination: combinationOf(calls, allowed),
    cells,
  };
}

function cellOf(id: string, answers: readonly PermissionAnswer[]): PermissionCell {
  return {
    class: id,
    verdict: verdictOf(answers),
    allowed: answers.filter(({ decision }) => decision === 'allow').length,
    answers,
  };
}

function verdictOf([first, ...more]: readonly PermissionAnswer[]): PermissionVerdict {
  if (first === undefined) return 'not-applicable';
  return more.every(({ decision }) => decision === first.decision) ? first.decision : 'mixed';
}

/**
 * Returns an allowed call for each part of the lethal combination, preferably one that contributes nothing else; null if a part is missing.
 */
function combinationOf(calls: Capabilities['calls'], allowed: readonly PermissionAnswer[]): PermissionRow['combination'] {
  const brings = new Map(calls.map((call) => [call.id, call.brings ?? []]));
  const found = BRINGS.map((part) => {
    const bringing = allowed.filter(({ call }) => brings.get(call)?.includes(part));
    return bringing.find(({ call }) => brings.get(call)?.length === 1) ?? bringing[0];
  });
  const [input, secrets, out] = found;
  if (input === undefined || secrets === undefined || out === undefined) return null;
  return { input, secrets, out } satisfies Record<Brings, PermissionAnswer>;
}

/** Sorts callers that may do more without a prompt first; then by the number of calls, the session before agents, and the name. */
export function byBlastRadius(left: PermissionRow, right: PermissionRow): number {
  return (
    right.free - left.free ||
    callsAllowed(right) - callsAllowed(left) ||
    Number(left.agents !== null) - Number(right.agents !== null) ||
    compare(left.agents?.[0]?.name ?? '', right.agents?.[0]?.name ?? '')
  );
}

function callsAllowed({ cells }: PermissionRow): number {
  return cells.reduce((sum, { allowed }) => sum + allowed, 0);
}

/** Compares by code units: the same on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
