/** From claims to statuses: nothing here is an opinion, everything follows from evidence. */
import type { ChecklistControl } from './checklist.js';
import type { Examined } from './examined.js';
import {
  type AuditFinding,
  type AuditReport,
  type ClaimResult,
  type ControlResult,
  type Evidence,
  SEVERITIES,
  type Status,
} from './report.js';

/** Puts the examined claims of a control together, its evidence numbered `RM-4-1`, `RM-4-2`, … */
export function controlResult(entry: ChecklistControl, examined: ReadonlyMap<string, Examined>): ControlResult {
  const evidence: Evidence[] = [];
  const claims = entry.claims.map((claim): ClaimResult => {
    const found = examined.get(claim.id) ?? NOT_EXAMINED;
    if (found.verdict !== 'unproven' && found.evidence.length === 0)
      throw new Error(`${entry.id}/${claim.id} is ${found.verdict} without evidence`);
    const ids = found.evidence.map((piece) => {
      const id = `${entry.id}-${evidence.length + 1}`;
      evidence.push({ id, ...piece });
      return id;
    });
    const unmet = found.verdict === 'unmet';
    return {
      id: claim.id,
      statement: claim.statement,
      level: claim.level,
      verdict: found.verdict,
      evidence: ids,
      unproven: found.verdict === 'unproven' ? found.why : null,
      gap: unmet ? claim.gap : null,
      mitigation: unmet ? claim.mitigation : null,
      severity: claim.severity,
    };
  });
  const status = statusOf(claims, evidence);
  const notInForce = status === 'missing' || status === 'unknown' ? null : whyIdle(entry, examined);
  const { id, title, description, risk, priority, weight, needs } = entry;
  return {
    id,
    title,
    description,
    risk,
    priority,
    weight,
    status,
    notInForce,
    mitigationLevel: notInForce === null ? LEVELS[status] : 'Low',
    action: notInForce === null || status === 'partial' ? actionOf(status, claims) : INSTALL,
    claims,
    evidence,
    needs,
  };
}

/** Why a claim that holds protects nobody here; null when all that hold are in force. */
function whyIdle({ claims }: ChecklistControl, examined: ReadonlyMap<string, Examined>): string | null {
  for (const { id } of claims) {
    const found = examined.get(id);
    if (found !== undefined && found.verdict !== 'unproven' && found.notInForce !== undefined) return found.notInForce;
  }
  return null;
}

const INSTALL = 'Install the hook: `policy install claude-code`.';

const NOT_EXAMINED: Examined = { verdict: 'unproven', why: 'Nothing examined it.', evidence: [] };

/**
 * `implemented` needs every claim met and, among the evidence, an answer of a hook: a rule that is only written down makes a
 * control partial at most. Whether that hook stands before the runner is another question (`notInForce`).
 */
function statusOf(claims: readonly ClaimResult[], evidence: readonly Evidence[]): Status {
  const of = (verdict: ClaimResult['verdict']) => claims.filter((claim) => claim.verdict === verdict).length;
  if (of('met') + of('unmet') === 0) return 'unknown';
  if (of('met') === claims.length && evidence.some(({ kind }) => kind === 'probe')) return 'implemented';
  return of('met') > 0 ? 'partial' : 'missing';
}

/** A partial control mitigates to a medium degree. */
const LEVELS: Readonly<Record<Status, ControlResult['mitigationLevel']>> = {
  implemented: 'High',
  partial: 'Medium',
  missing: 'Low',
  unknown: 'Unknown',
};

function actionOf(status: Status, claims: readonly ClaimResult[]): string {
  if (status === 'implemented') return 'None';
  if (status === 'unknown') return 'Gather evidence';
  const unmet = claims.find(({ mitigation }) => mitigation !== null);
  const untried = claims.find(({ verdict }) => verdict === 'unproven');
  return (
    unmet?.mitigation ?? (untried === undefined ? 'Install the hook, and audit again' : `Missing check: ${untried.statement}`)
  );
}

/** Every gap, and as `info` what could not be tried. */
export function findingsOf(controls: readonly ControlResult[]): readonly AuditFinding[] {
  return controls.flatMap((control): AuditFinding[] => {
    if (control.status === 'unknown')
      return [
        {
          control: control.id,
          claim: null,
          severity: 'info',
          message: `There is no evidence about: ${control.title}.`,
          mitigation: 'Gather the evidence that the report names.',
        },
      ];
    const { notInForce } = control;
    const inert: AuditFinding[] =
      notInForce === null
        ? []
        : [{ control: control.id, claim: null, severity: 'warning', message: notInForce, mitigation: INSTALL }];
    const told = control.claims.flatMap(({ id, gap, mitigation, severity, unproven, statement }): AuditFinding[] => {
      if (gap !== null) return [{ control: control.id, claim: id, severity, message: gap, mitigation: mitigation ?? '' }];
      if (unproven === null) return [];
      const message = `Not proven: ${statement} ${unproven}`;
      return [
        { control: control.id, claim: id, severity: 'info', message, mitigation: 'See that it can be tried, then audit again.' },
      ];
    });
    return [...inert, ...told];
  });
}

/** The verdict of the whole: confirmed only when every control is implemented and in force. */
export function verdictOf(controls: readonly ControlResult[]): Pick<AuditReport, 'confirmed' | 'sentence' | 'score'> {
  const open = controls.filter(({ status, notInForce }) => status !== 'implemented' || notInForce !== null);
  const unknown = open.filter(({ status }) => status === 'unknown').length;
  const known = controls.length - unknown;
  const confirmed = open.length === 0;
  const idle = open.filter(({ notInForce }) => notInForce !== null).length;
  const wanted = idle === 0 ? 'implemented' : 'implemented and in force';
  return {
    confirmed,
    sentence: confirmed
      ? `Confirmed: all ${controls.length} controls are implemented, each with evidence that can be run again.`
      : `NOT CONFIRMED: ${open.length} of ${controls.length} controls are not shown to be ${wanted}, ${unknown} of them without any evidence.`,
    score: { percent: percentOf(controls), known, controls: controls.length },
  };
}

const WORTH: Readonly<Record<Exclude<Status, 'unknown'>, number>> = { implemented: 1, partial: 0.5, missing: 0 };

/**
 * Weighted mean over the controls that something is known of; null when that is none. Unknown is neither good nor bad, and what is
 * not in force is worth nothing.
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

/** What to do first: errors in week 1, warnings in week 2, controls without evidence in week 3. */
export function recommendationsOf(findings: readonly AuditFinding[]): AuditReport['recommendations'] {
  return SEVERITIES.flatMap((severity, index) =>
    findings
      .filter((finding) => finding.severity === severity && (severity !== 'info' || finding.claim === null))
      .map(({ control, mitigation }) => ({ week: index + 1, control, action: mitigation })),
  );
}
