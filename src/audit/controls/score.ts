/** From claims to statuses: nothing here is an opinion, everything follows from evidence. */
import type { RunnerId } from '../../call/tool-call.js';
import type { Examined, ExaminedClaim } from '../model/examined.js';
import { frameworkCoverage } from '../model/frameworks.js';
import { lookedAt, proofOf, validationOf } from '../model/looked-at.js';
import type { ClaimResult, ControlResult, Evidence, Standing, Status } from '../model/report.js';
import { ratingOf } from '../model/risk.js';
import { type ChecklistControl, type ChecklistId, type Claim, checklist } from '../subject/checklist.js';
import { actionOf, findingsOf, hookLine, isHookless, ofRunner, recommendationsOf, stepOf } from './actions.js';

/**
 * Assembles the examined claims of a control, its evidence numbered `RM-4-1`, `RM-4-2`, … A claim about runners appears once for
 * each runner; a claim that nothing examined is unproven.
 */
export function controlResult(entry: ChecklistControl, examined: readonly ExaminedClaim[]): ControlResult {
  const evidence: Evidence[] = [];
  const claims = entry.claims.flatMap((claim): ClaimResult[] => {
    const found = examined.filter((one) => one.claim === claim.id);
    const all = found.length > 0 ? found : [{ claim: claim.id, runner: null, found: NOT_EXAMINED }];
    return all.map((one) => claimResult(entry, claim, one, evidence, stepOf(claim, one, examined)));
  });
  const status = statusOf(claims, evidence);
  const idle = status === 'implemented' || status === 'partial' ? whyIdle(examined) : null;
  const notInForce = idle?.why ?? null;
  const { id, title, description, risk, priority, weight, impact, needs } = entry;
  return {
    id,
    title,
    description,
    risk,
    priority,
    weight,
    status,
    standing: standingOf(status, notInForce, claims),
    notInForce,
    mitigationLevel: idle === null ? WORTH[status].level : 'Low',
    action: idle === null || status === 'partial' ? actionOf(status, claims) : hookLine(idle.runner, idle.why),
    rating: ratingOf(impact, { status, notInForce, claims, evidence }),
    claims,
    gaps: [...new Set(claims.flatMap(({ gap }) => gap ?? []))],
    mitigations: [...new Set(claims.flatMap(({ gap, mitigation }) => (gap === null ? [] : (mitigation ?? []))))],
    validation: validationOf(evidence),
    integrationPoints: integrationPointsOf(evidence),
    evidence,
    needs,
  };
}

/** Returns a claim in the form of the report, and adds its evidence to that of the control. */
function claimResult(
  { id: control }: ChecklistControl,
  claim: Claim,
  { runner, found }: ExaminedClaim,
  evidence: Evidence[],
  mitigation: string | null,
): ClaimResult {
  if (!('why' in found) && found.evidence.length === 0)
    throw new Error(`${control}/${claim.id} is ${found.verdict} without evidence`);
  const pieces = found.evidence.map((piece, at): Evidence => ({ id: `${control}-${evidence.length + at + 1}`, ...piece }));
  evidence.push(...pieces);
  const isUnmet = found.verdict === 'unmet';
  return {
    id: claim.id,
    runner,
    statement: claim.statement,
    level: claim.level,
    verdict: found.verdict,
    proof: found.verdict === 'unproven' ? 'unverified' : proofOf(pieces),
    lookedAt: lookedAt(pieces),
    evidence: pieces.map(({ id }) => id),
    unproven: 'why' in found ? found.why : null,
    gap: isUnmet ? ofRunner(claim.gap, runner) : null,
    mitigation,
    patch: isUnmet && 'patch' in found ? (found.patch ?? null) : null,
    severity: claim.severity,
    required: claim.required ?? true,
  };
}

interface Idle {
  readonly why: string;
  readonly runner: RunnerId | null;
}

/** Why a claim that holds protects nobody here; null when all claims that hold are in force. */
function whyIdle(examined: readonly ExaminedClaim[]): Idle | null {
  for (const { runner, found } of examined)
    if (!('why' in found) && found.notInForce !== undefined) return { why: found.notInForce, runner };
  return null;
}

const NOT_EXAMINED: Examined = { verdict: 'unproven', why: 'Nothing examined it.', evidence: [] };

/**
 * `implemented` requires every required claim to be met (or not applicable) and, among the evidence, an answer of a hook: a rule
 * that is only written down makes a control partial at most. Whether that hook runs before the runner's calls is a separate
 * question (`notInForce`).
 */
function statusOf(all: readonly ClaimResult[], evidence: readonly Evidence[]): Status {
  const claims = all.filter(({ required }) => required);
  const of = (verdict: ClaimResult['verdict']) => claims.filter((claim) => claim.verdict === verdict).length;
  if (claims.length > 0 && of('not-applicable') === claims.length) return 'not-applicable';
  if (of('met') + of('unmet') === 0) return 'pending';
  if (of('met') + of('not-applicable') === claims.length && evidence.some(({ kind }) => kind === 'probe')) return 'implemented';
  return of('met') > 0 ? 'partial' : 'missing';
}

/** Only a refuted claim is a gap, or a control that nothing asks. */
function standingOf(status: Status, notInForce: string | null, claims: readonly ClaimResult[]): Standing {
  if (notInForce !== null || claims.some(({ required, verdict }) => required && verdict === 'unmet')) return 'proven gap';
  if (status === 'not-applicable') return 'not applicable';
  return status === 'implemented' ? 'in force' : 'not checked';
}

/** How far a control mitigates, and what it is worth: pending is neither good nor bad. */
const WORTH: Readonly<Record<Status, { readonly level: ControlResult['mitigationLevel']; readonly share: number | null }>> = {
  implemented: { level: 'High', share: 1 },
  partial: { level: 'Medium', share: 0.5 },
  pending: { level: 'Unknown', share: null },
  missing: { level: 'Low', share: 0 },
  'not-applicable': { level: 'Unknown', share: null },
};

/** Returns the hooks that answered a test call, each once. */
function integrationPointsOf(evidence: readonly Evidence[]): readonly string[] {
  const points = evidence.flatMap((piece) =>
    piece.kind === 'probe' ? [`${piece.place.file}:${piece.place.line}, the hook of ${piece.runner} before each tool call`] : [],
  );
  return [...new Set(points)];
}

/** Returns the overall verdict: confirmed only when every control that applies is implemented and in force. */
function verdictOf(controls: readonly ControlResult[]) {
  const open = controls.filter((control) => !isProven(control));
  const known = controls.filter(({ status }) => status !== 'pending' && status !== 'not-applicable').length;
  const confirmed = open.length === 0;
  return {
    confirmed,
    sentence: sentenceOf(controls),
    score: { percent: percentOf(controls), known, controls: controls.length },
    conclusion: {
      strengths: controls.filter(({ standing }) => standing === 'in force').map(({ id }) => id),
      primaryGap: worstOf(open),
      attestation: confirmed
        ? `CONFIRMED: all ${controls.length} controls hold in what was checked; each claim says what that was.`
        : `NOT CONFIRMED: ${open.length} ${open.length === 1 ? 'item' : 'items'} unverified of ${controls.length}.`,
    },
  };
}

export function isProven({ standing }: Pick<ControlResult, 'standing'>): boolean {
  return standing === 'in force' || standing === 'not applicable';
}

/** `12 of 17 controls are in force. 3 have a gap: …. 2 could not be checked in full: ….` */
function sentenceOf(controls: readonly ControlResult[]): string {
  const those = (standing: Standing) => controls.filter((one) => one.standing === standing);
  const [gaps, unchecked] = [those('proven gap'), those('not checked')];
  const holding = those('in force').length;
  const applying = controls.length - those('not applicable').length;
  const idle = whyNothing(controls);
  const all =
    idle ??
    (holding === applying ? `All ${applying} controls are in force.` : `${holding} of ${applying} controls are in force.`);
  // Without a hook nearly all have gaps, and a list of all names nothing.
  const some = (which: readonly ControlResult[], verb: string) =>
    which.length === 0 ? '' : ` ${which.length} ${verb}${idle === null ? `: ${named(which)}` : ''}.`;
  return `${all}${some(gaps, gaps.length === 1 ? 'has a gap' : 'have gaps')}${some(unchecked, 'could not be checked in full')}`;
}

const MOST_NAMED = 5;

function named(controls: readonly ControlResult[]): string {
  const names = controls.slice(0, MOST_NAMED).map(({ id, risk }) => `${risk} (${id})`);
  const more = controls.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Why nothing is enforced, as a sentence; null if something is. */
function whyNothing(controls: readonly ControlResult[]): string | null {
  const claims = controls.flatMap((control) => control.claims.map((claim) => ({ ...claim, name: `${control.id}/${claim.id}` })));
  const hooks = claims.filter(({ name }) => name === 'RM-4/hook');
  const asked =
    hooks.length > 0
      ? hooks.map(({ verdict }) => verdict !== 'unmet')
      : claims.filter(({ level }) => level === 'enforced').map((one) => !isHookless(one));
  if (asked.length > 0 && !asked.includes(true)) return 'Nothing is enforced here: no coding agent asks policy.';
  const observes = claims.some(({ name, verdict }) => name === 'AS-1/enforced' && verdict === 'unmet');
  return observes ? 'Nothing is enforced here: the policy only observes, so every call runs.' : null;
}

/** Returns the control with the highest risk; the first if there are several. */
function worstOf(controls: readonly ControlResult[]): string | null {
  const [worst] = [...controls].sort((left, right) => right.rating.score - left.rating.score);
  return worst?.id ?? null;
}

/** Returns the weighted mean over the controls about which something is known; one that is not in force scores nothing. */
function percentOf(controls: readonly ControlResult[]): number | null {
  let worth = 0;
  let weight = 0;
  for (const control of controls) {
    const { share } = WORTH[control.status];
    if (share === null) continue;
    if (control.notInForce === null) worth += share * control.weight;
    weight += control.weight;
  }
  return weight === 0 ? null : Math.round((worth / weight) * 100);
}

/** The overall conclusions of a report, all of them computed from the controls. */
export function conclusionsOf(ids: readonly ChecklistId[], controls: readonly ControlResult[]) {
  const findings = findingsOf(controls);
  return {
    checklists: ids.map((id) => ({ id, title: checklist(id).title })),
    ...verdictOf(controls),
    controls,
    frameworks: frameworkCoverage(controls),
    rows: ids.flatMap((id) => [...checklist(id).controls].sort((left, right) => left.row - right.row).map((one) => one.id)),
    findings,
    recommendations: recommendationsOf(findings, controls),
  };
}
