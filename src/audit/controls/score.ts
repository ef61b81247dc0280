/** From claims to statuses: nothing here is an opinion, everything follows from evidence. */
import type { RunnerId } from '../../call/tool-call.js';
import { NOT_INSTALLED } from '../claims/by-doctor.js';
import { HOOK_OFF, NO_HOOK } from '../hooks/installed-hooks.js';
import type { EvidenceDraft, Examined, ExaminedClaim } from '../model/examined.js';
import { frameworkCoverage } from '../model/frameworks.js';
import {
  type AuditFinding,
  type AuditReport,
  type ClaimResult,
  type ControlResult,
  type Evidence,
  SEVERITIES,
  type Status,
} from '../model/report.js';
import { ratingOf } from '../model/risk.js';
import { type ChecklistControl, type ChecklistId, type Claim, checklist } from '../subject/checklist.js';
import { NOT_ON_PATH } from './as-4.js';

/**
 * Assembles the examined claims of a control, its evidence numbered `RM-4-1`, `RM-4-2`, … A claim about runners appears once for
 * each runner; a claim that nothing examined is unproven.
 */
export function controlResult(entry: ChecklistControl, examined: readonly ExaminedClaim[]): ControlResult {
  const evidence: Evidence[] = [];
  const claims = entry.claims.flatMap((claim): ClaimResult[] => {
    const found = examined.filter((one) => one.claim === claim.id);
    const all = found.length > 0 ? found : [{ claim: claim.id, runner: null, found: NOT_EXAMINED }];
    return all.map((one) => claimResult(entry, claim, one, evidence, isHookOff(examined, one.runner)));
  });
  const status = statusOf(claims, evidence);
  const notInForce = status === 'missing' || status === 'unknown' ? null : whyIdle(examined);
  const { id, title, description, risk, priority, weight, impact, needs } = entry;
  return {
    id,
    title,
    description,
    risk,
    priority,
    weight,
    status,
    notInForce: notInForce?.why ?? null,
    mitigationLevel: notInForce === null ? LEVELS[status] : 'Low',
    action:
      notInForce === null || status === 'partial' ? actionOf(entry, status, claims) : hookLine(notInForce.runner, notInForce.why),
    rating: ratingOf(impact, { status, notInForce: notInForce?.why ?? null, claims, evidence }),
    claims,
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
  isOff: boolean,
): ClaimResult {
  if (!('why' in found) && found.evidence.length === 0)
    throw new Error(`${control}/${claim.id} is ${found.verdict} without evidence`);
  const ids = found.evidence.map((piece) => {
    const id = `${control}-${evidence.length + 1}`;
    evidence.push({ id, ...piece });
    return id;
  });
  const unmet = found.verdict === 'unmet';
  return {
    id: claim.id,
    runner,
    statement: claim.statement,
    level: claim.level,
    verdict: found.verdict,
    evidence: ids,
    unproven: 'why' in found ? found.why : null,
    gap: unmet ? ofRunner(claim.gap, runner) : null,
    mitigation: unmet ? mitigationOf(claim, found.evidence, runner, isOff) : null,
    patch: unmet && 'patch' in found ? (found.patch ?? null) : null,
    severity: claim.severity,
    required: claim.required ?? true,
  };
}

/** If something keeps the installed hook from running, installing it again does not help. */
function mitigationOf(claim: Claim, evidence: readonly EvidenceDraft[], runner: RunnerId | null, isOff: boolean): string {
  const text = soleCommand(claim, evidence) ?? ofRunner(claim.mitigation, runner);
  return isOff && text.startsWith('Run `policy install ') ? switchLine(runner) : text;
}

function isHookOff(examined: readonly ExaminedClaim[], of: RunnerId | null): boolean {
  return examined.some(({ runner, found }) => {
    const why = 'why' in found ? found.why : found.notInForce;
    const against = found.evidence.some(
      (piece) => piece.kind === 'check' && !piece.supports && (piece.check === 'switches' || piece.check === 'trust'),
    );
    return runner === of && (why?.startsWith(HOOK_OFF) === true || against);
  });
}

/** Commands that contain no words from outside this program. */
const OURS = /^policy (?:init|install|trust)(?: [a-z-]+)*$/;

/**
 * Returns the command that repairs everything the doctor checks found, if it is a single one; null when the checklist states the remedy.
 */
function soleCommand({ doctor }: Claim, evidence: readonly EvidenceDraft[]): string | null {
  const against = evidence.flatMap((piece) => (piece.kind === 'check' && !piece.supports ? [piece] : []));
  const [fix = '', ...others] = new Set(against.map((piece) => piece.fix ?? ''));
  if (doctor === undefined || others.length > 0 || !OURS.test(fix)) return null;
  return `Run \`${fix}\`, then \`${against[0]?.command ?? 'policy doctor'}\`.`;
}

function ofRunner(text: string, runner: RunnerId | null): string {
  return text.replaceAll('{runner}', runner ?? 'RUNNER');
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

function hookLine(runner: string | null, why: string): string {
  return why.startsWith(HOOK_OFF) ? switchLine(runner) : installLine(runner);
}

function switchLine(runner: string | null): string {
  return `Do what \`policy doctor ${runner ?? 'RUNNER'}\` says: the hook is installed, and something keeps it from running.`;
}

function installLine(runner: string | null): string {
  return `Install the hook: \`policy install ${runner ?? 'RUNNER'}\`.`;
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
  if (of('met') + of('unmet') === 0) return 'unknown';
  if (of('met') + of('not-applicable') === claims.length && evidence.some(({ kind }) => kind === 'probe')) return 'implemented';
  return of('met') > 0 ? 'partial' : 'missing';
}

/** A partial control mitigates to a medium degree. */
const LEVELS: Readonly<Record<Status, ControlResult['mitigationLevel']>> = {
  implemented: 'High',
  partial: 'Medium',
  missing: 'Low',
  unknown: 'Unknown',
};

function actionOf(entry: ChecklistControl, status: Status, all: readonly ClaimResult[]): string {
  if (status === 'implemented') return remaining(entry, all) ?? 'None';
  const claims = all.filter(({ required }) => required);
  const unmet = claims.find(({ mitigation }) => mitigation !== null);
  if (unmet !== undefined) return unmet.mitigation ?? '';
  // The missing hook is the cause of everything that could not be shown.
  const hookless = claims.find(isHookless);
  if (hookless !== undefined) return hookLine(hookless.runner, hookless.unproven ?? '');
  if (status === 'unknown') return 'Gather evidence';
  const untried = claims.find(({ verdict }) => verdict === 'unproven');
  return untried === undefined ? 'Install the hook, and audit again' : `Missing check: ${untried.statement}`;
}

/** Returns the mitigation of an optional claim that does not hold; null when all of them hold. */
function remaining({ claims: entries }: ChecklistControl, claims: readonly ClaimResult[]): string | null {
  const open = claims.find(({ required, verdict }) => !required && (verdict === 'unmet' || verdict === 'unproven'));
  return entries.find(({ id }) => id === open?.id)?.mitigation ?? null;
}

/** Whether the cause is the hook: another finding states what to do about it. */
function isHookless({ unproven }: Pick<ClaimResult, 'unproven'>): boolean {
  return unproven === NO_HOOK || unproven === NOT_INSTALLED || unproven?.startsWith(HOOK_OFF) === true;
}

/** Returns what makes it possible to prove a claim. */
function untriedLine(runner: string | null, unproven: string): string {
  if (unproven.startsWith(HOOK_OFF)) return switchLine(runner);
  if (isHookless({ unproven })) return installLine(runner);
  if (unproven.endsWith(NOT_ON_PATH)) return `Install ${runner ?? 'RUNNER'}, or put it on PATH, then audit again.`;
  return `See that this can be checked, then audit again: ${unproven}`;
}

/** Returns every gap, and claims that could not be tested as `info`. */
export function findingsOf(controls: readonly ControlResult[]): readonly AuditFinding[] {
  return controls.flatMap((control): AuditFinding[] => {
    if (control.status === 'unknown' && control.claims.length === 0)
      return [
        {
          control: control.id,
          claim: null,
          runner: null,
          severity: 'info',
          message: `There is no evidence about: ${control.title}.`,
          mitigation: 'Gather the evidence that the report names.',
        },
      ];
    const { notInForce } = control;
    const inert: AuditFinding[] =
      notInForce === null
        ? []
        : [
            {
              control: control.id,
              claim: null,
              runner: null,
              severity: 'warning',
              message: notInForce,
              mitigation: control.action,
            },
          ];
    const told = control.claims.flatMap(
      ({ id, runner, verdict, gap, mitigation, severity, required, unproven, statement }): AuditFinding[] => {
        if (gap !== null)
          return [{ control: control.id, claim: id, runner, severity, message: gap, mitigation: mitigation ?? '' }];
        if (verdict !== 'unproven' || !required) return [];
        const message = `Not proven: ${statement} ${unproven}`;
        return [
          {
            control: control.id,
            claim: id,
            runner,
            severity: 'info',
            message,
            mitigation: untriedLine(runner, unproven ?? ''),
          },
        ];
      },
    );
    return [...inert, ...told];
  });
}

/** Returns the overall verdict: confirmed only when every control is implemented and in force. */
function verdictOf(controls: readonly ControlResult[]): Pick<AuditReport, 'confirmed' | 'sentence' | 'score' | 'conclusion'> {
  const open = controls.filter((control) => !isProven(control));
  const unknown = open.filter(({ status }) => status === 'unknown').length;
  const known = controls.length - unknown;
  const confirmed = open.length === 0;
  return {
    confirmed,
    sentence: confirmed
      ? `CONFIRMED: all ${controls.length} controls are implemented, each with evidence that can be run again.`
      : `NOT CONFIRMED: ${open.length} ${open.length === 1 ? 'item' : 'items'} unverified of ${controls.length}, ${unknown} of them without any evidence.`,
    score: { percent: percentOf(controls), known, controls: controls.length },
    conclusion: { strengths: controls.filter(isProven).map(({ id }) => id), primaryGap: worstOf(open) },
  };
}

export function isProven({ status, notInForce }: ControlResult): boolean {
  return status === 'implemented' && notInForce === null;
}

/** Returns the control with the highest risk; the first if there are several. */
function worstOf(controls: readonly ControlResult[]): string | null {
  const [worst] = [...controls].sort((left, right) => right.rating.score - left.rating.score);
  return worst?.id ?? null;
}

const WORTH: Readonly<Record<Exclude<Status, 'unknown'>, number>> = { implemented: 1, partial: 0.5, missing: 0 };

/**
 * Returns the weighted mean over the controls about which something is known; null when there are none. Unknown is neither good
 * nor bad, and a control that is not in force scores nothing.
 */
function percentOf(controls: readonly ControlResult[]): number | null {
  let worth = 0;
  let weight = 0;
  for (const control of controls) {
    if (control.status === 'unknown') continue;
    if (control.notInForce === null) worth += WORTH[control.status] * control.weight;
    weight += control.weight;
  }
  return weight === 0 ? null : Math.round((worth / weight) * 100);
}

const POLICY = 'AS-1';

/** The order of the work: errors in week 1, warnings in week 2, controls without evidence in week 3. */
function recommendationsOf(
  findings: readonly AuditFinding[],
  controls: readonly ControlResult[],
): AuditReport['recommendations'] {
  const said = new Set<string>();
  return SEVERITIES.flatMap((severity, index) =>
    findings
      .filter((finding) => finding.severity === severity)
      // All settings go into the policy, so creating it comes first.
      .sort((left, right) => Number(right.control === POLICY) - Number(left.control === POLICY))
      // One step may repair several claims: it is listed where it is needed first.
      .filter(({ mitigation }) => !said.has(mitigation) && said.add(mitigation))
      .map(({ control, mitigation }) => ({ week: index + 1, control, action: mitigation, patch: patchOf(mitigation, controls) })),
  );
}

/**
 * Combines the patches of all claims with this mitigation. Two patches of one file would not apply one after the other, so only
 * the first one is kept.
 */
function patchOf(mitigation: string, controls: readonly ControlResult[]): string | null {
  const patched = new Map<string, string>();
  for (const { claims } of controls)
    for (const { mitigation: own, patch } of claims)
      if (own === mitigation && patch !== null)
        for (const diff of patch.split(/^(?=--- a\/)/m)) {
          const [file = ''] = diff.split('\n', 1);
          if (!patched.has(file)) patched.set(file, diff);
        }
  return patched.size === 0 ? null : [...patched.values()].join('');
}

type Conclusions = Pick<
  AuditReport,
  | 'checklists'
  | 'confirmed'
  | 'sentence'
  | 'score'
  | 'conclusion'
  | 'controls'
  | 'frameworks'
  | 'rows'
  | 'findings'
  | 'recommendations'
>;

/** The overall conclusions of a report, all of them computed from the controls. */
export function conclusionsOf(ids: readonly ChecklistId[], controls: readonly ControlResult[]): Conclusions {
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
