/** From claims to statuses: nothing here is an opinion, everything follows from evidence (R041, R059, R065-R073). */
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
  const { id, title, description, risk, priority, weight, needs } = entry;
  return {
    id,
    title,
    description,
    risk,
    priority,
    weight,
    status,
    mitigationLevel: LEVELS[status],
    action: actionOf(status, claims),
    claims,
    evidence,
    needs,
  };
}

const NOT_EXAMINED: Examined = { verdict: 'unproven', why: 'Nothing examined it.', evidence: [] };

/**
 * `implemented` needs every claim met and, among the evidence, an answer of the hook that is really installed: a rule that is
 * only written down makes a control partial at most.
 */
function statusOf(claims: readonly ClaimResult[], evidence: readonly Evidence[]): Status {
  const of = (verdict: ClaimResult['verdict']) => claims.filter((claim) => claim.verdict === verdict).length;
  if (of('met') + of('unmet') === 0) return 'unknown';
  if (of('met') === claims.length && evidence.some(({ kind }) => kind === 'probe')) return 'implemented';
  return of('met') > 0 ? 'partial' : 'missing';
}

/** R066: a partial control mitigates to a medium degree. */
const LEVELS: Readonly<Record<Status, ControlResult['mitigationLevel']>> = {
  implemented: 'High',
  partial: 'Medium',
  missing: 'Low',
  unknown: 'Unknown',
};

function actionOf(status: Status, claims: readonly ClaimResult[]): string {
  if (status === 'implemented') return 'None';
  if (status === 'unknown') return 'Gather evidence';
  return claims.find(({ mitigation }) => mitigation !== null)?.mitigation ?? 'Prove what is written down';
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
    return control.claims.flatMap(({ id, gap, mitigation, severity, unproven, statement }): AuditFinding[] => {
      if (gap !== null) return [{ control: control.id, claim: id, severity, message: gap, mitigation: mitigation ?? '' }];
      if (unproven === null) return [];
      const message = `Not proven: ${statement} ${unproven}`;
      return [
        { control: control.id, claim: id, severity: 'info', message, mitigation: 'See that it can be tried, then audit again.' },
      ];
    });
  });
}

/** The verdict of the whole: confirmed only when every control is implemented (R073, C39). */
export function verdictOf(controls: readonly ControlResult[]): Pick<AuditReport, 'confirmed' | 'sentence' | 'score'> {
  const open = controls.filter(({ status }) => status !== 'implemented');
  const unknown = open.filter(({ status }) => status === 'unknown').length;
  const known = controls.length - unknown;
  const confirmed = open.length === 0;
  return {
    confirmed,
    sentence: confirmed
      ? `Confirmed: all ${controls.length} controls are implemented, each with evidence that can be run again.`
      : `NOT CONFIRMED: ${open.length} of ${controls.length} controls are not shown to be implemented, ${unknown} of them without any evidence.`,
    score: { percent: percentOf(controls), known, controls: controls.length },
  };
}

const WORTH: Readonly<Record<Exclude<Status, 'unknown'>, number>> = { implemented: 1, partial: 0.5, missing: 0 };

/** Weighted mean over the controls that something is known of; null when that is none. Unknown is neither good nor bad. */
function percentOf(controls: readonly ControlResult[]): number | null {
  let worth = 0;
  let weight = 0;
  for (const control of controls) {
    if (control.status === 'unknown') continue;
    worth += WORTH[control.status] * control.weight;
    weight += control.weight;
  }
  return weight === 0 ? null : Math.round((worth / weight) * 100);
}

/** What to do first: errors in week 1, warnings in week 2, controls without evidence in week 3 (R072). */
export function recommendationsOf(findings: readonly AuditFinding[]): AuditReport['recommendations'] {
  return SEVERITIES.flatMap((severity, index) =>
    findings
      .filter((finding) => finding.severity === severity && (severity !== 'info' || finding.claim === null))
      .map(({ control, mitigation }) => ({ week: index + 1, control, action: mitigation })),
  );
}
