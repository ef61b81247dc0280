/**
 * Contradictions between an audit report's statements and its evidence: statuses, gaps and verdicts are computed again from its own claims
 * and evidence, so that a status that was raised by hand, evidence that was removed, or a control that was omitted is reported.
 */
import { isDeepStrictEqual } from 'node:util';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { releaseCheckOf } from '../accepted/release-check.js';
import { conclusionsOf, controlResult } from '../controls/score.js';
import { type EvidenceDraft, type Examined, type ExaminedClaim, judged } from '../model/examined.js';
import type { AuditReport, ClaimResult, ControlResult, Evidence } from '../model/report.js';
import { CHECKLISTS, type ChecklistControl, type ChecklistId, checklist } from '../subject/checklist.js';

/** Returns the checklists of a report; null when it names an unknown one, or one twice. */
export function checklistsOf({ checklists }: AuditReport): readonly ChecklistId[] | null {
  const known = checklists.flatMap(({ id }) => CHECKLISTS.find((one) => one === id) ?? []);
  return known.length === checklists.length && new Set(known).size === known.length ? known : null;
}

/** Returns the coding agents of a report; null when it names an unknown one. */
export function runnersOf({ meta }: AuditReport): readonly RunnerId[] | null {
  const known = meta.runners.flatMap(({ id }) => runnerOf(id) ?? []);
  return known.length === meta.runners.length ? known : null;
}

function runnerOf(name: string): RunnerId | undefined {
  return RUNNERS.find((one) => one === name);
}

/** Returns sentences without their first words, which name the file; empty for a report as this program writes it. */
export function contradictionsOf(report: AuditReport): readonly string[] {
  const ids = checklistsOf(report);
  if (ids === null) return ['names a checklist that this version does not have'];
  if (runnersOf(report) === null) return ['names a coding agent that this version does not know'];
  const entries = ids.flatMap((id) => checklist(id).controls);
  const [given, wanted] = [report.controls, entries].map((all) => all.map(({ id }) => id).join(', '));
  if (given !== wanted) return [`does not have the controls ${wanted}`];
  const found = entries.flatMap((entry, index) => {
    const control = report.controls[index];
    return control === undefined ? [] : ofControl(entry, control);
  });
  return found.length > 0 ? found : ofWhole(ids, report);
}

/** The overall results follow from the controls. */
function ofWhole(ids: readonly ChecklistId[], report: AuditReport): readonly string[] {
  const gate = report.gate === null ? null : releaseCheckOf(report.gate.name, report.controls);
  return different(report, { ...conclusionsOf(ids, report.controls), gate }).map((one) =>
    sentenceOf('the whole', one, 'its controls'),
  );
}

function ofControl(entry: ChecklistControl, control: ControlResult): readonly string[] {
  const { id, claims, evidence } = control;
  const strange = claims.find(
    (claim) =>
      !entry.claims.some((one) => one.id === claim.id) || (claim.runner !== null && runnerOf(claim.runner) === undefined),
  );
  if (strange !== undefined) return [`has a claim of ${id} that this version does not know: ${strange.id}`];
  // This also bounds the number of claims: somebody may have written thousands.
  const keys = new Set(claims.map((claim) => `${claim.id}/${claim.runner}`));
  if (keys.size < claims.length) return [`has a claim of ${id} twice`];
  const pieces = new Map(evidence.map((piece) => [piece.id, piece]));
  const without = claims.find((claim) => claim.evidence.some((piece) => !pieces.has(piece)));
  if (without !== undefined) return [`lacks evidence that it names for ${id}/${without.id}`];
  const unfounded = claims.filter((claim) => !isFounded(claim, pieces));
  if (unfounded.length > 0)
    return unfounded.map((one) => `says that ${id}/${one.id} is ${one.verdict}; its evidence says otherwise`);
  const computed = computedResults(entry, control, pieces);
  const [first] = computed;
  if (first === undefined) return [`says that ${id} is not in force, but has no claim that could be in force`];
  if (computed.some((one) => isDeepStrictEqual(control, one))) return [];
  return different(control, first).map((one) => sentenceOf(id, one, 'its claims and evidence'));
}

/** A claim holds when all evidence supports it; one contradicting piece refutes it. */
function isFounded({ verdict, evidence }: ClaimResult, pieces: ReadonlyMap<string, Evidence>): boolean {
  if (verdict !== 'met' && verdict !== 'unmet') return true;
  return (verdict === 'met') === evidence.every((id) => pieces.get(id)?.supports === true);
}

/**
 * Computes the control from its claims. The report does not state which claim is not in force, so there is one result for each
 * possible one.
 */
function computedResults(
  entry: ChecklistControl,
  { claims, notInForce }: ControlResult,
  pieces: ReadonlyMap<string, Evidence>,
): readonly ControlResult[] {
  const examined = claims.map(
    (claim): ExaminedClaim => ({
      claim: claim.id,
      runner: claim.runner === null ? null : (runnerOf(claim.runner) ?? null),
      found: examinedAs(claim, pieces),
    }),
  );
  if (notInForce === null) return [controlResult(entry, examined)];
  const without = (idle: ExaminedClaim) =>
    examined.map((one) => (one !== idle || 'why' in one.found ? one : { ...one, found: { ...one.found, notInForce } }));
  return examined.filter(({ found }) => !('why' in found)).map((idle) => controlResult(entry, without(idle)));
}

function examinedAs({ verdict, evidence, unproven, patch }: ClaimResult, pieces: ReadonlyMap<string, Evidence>): Examined {
  const drafts = evidence.flatMap((id): EvidenceDraft[] => {
    const piece = pieces.get(id);
    return piece === undefined ? [] : [withoutId(piece)];
  });
  if (verdict === 'unproven' || verdict === 'not-applicable') return { verdict, why: unproven ?? '', evidence: drafts };
  const [first, ...more] = drafts;
  if (first === undefined) return judged([], '');
  return { verdict, evidence: [first, ...more], ...(patch !== null && { patch }) };
}

/** A piece of evidence without the number that the report gave it. */
function withoutId({ id: _, ...piece }: Evidence): EvidenceDraft {
  return piece as EvidenceDraft;
}

type Difference = readonly [key: string, says: unknown, shows: unknown];

/** Returns the members that differ from the computed ones. */
function different(says: object, computed: object): readonly Difference[] {
  const given = new Map(Object.entries(says));
  return Object.entries(computed).flatMap(([key, shows]): Difference[] =>
    isDeepStrictEqual(given.get(key), shows) ? [] : [[key, given.get(key), shows]],
  );
}

function sentenceOf(about: string, [key, says, shows]: Difference, source: string): string {
  if (!isShort(says) || !isShort(shows)) return `says of ${about} ${key} that does not follow from ${source}`;
  return `says of ${about} ${key} ${JSON.stringify(says)}; ${source} give ${JSON.stringify(shows)}`;
}

function isShort(value: unknown): boolean {
  return (
    value === null || typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && value.length < 80)
  );
}
