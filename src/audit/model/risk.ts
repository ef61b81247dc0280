/** Computes from evidence how likely and how severe a failure of a control is here, and with what confidence. */
import type { ClaimResult, Evidence, RiskBand, RiskRating, Status } from './report.js';

/**
 * `likelihood` times `impact`, each from 1 to 5. The impact comes from the checklist; the likelihood grows with the claims that were shown
 * not to hold: 1 everything holds and is in force, 2 something could not be tested, 3 something that is written down does not hold (or
 * nothing is known), 4 a hook or the policy let through a call that it had to stop (or nothing asks the control), 5 nothing holds.
 */
export function ratingOf(impact: number, examined: Rated): RiskRating {
  const { status, notInForce, claims } = examined;
  const likelihood = likelihoodOf(examined, notInForce !== null);
  const score = likelihood * impact;
  return { likelihood, impact, score, band: bandOf(score), confidence: confidenceOf(status, claims) };
}

interface Rated {
  readonly status: Status;
  readonly notInForce: string | null;
  readonly claims: readonly ClaimResult[];
  readonly evidence: readonly Evidence[];
}

function likelihoodOf({ status, claims, evidence }: Rated, isIdle: boolean): number {
  if (status === 'missing') return 5;
  if (isIdle) return 4;
  if (status === 'implemented' || status === 'not-applicable') return 1;
  if (status === 'pending') return 3;
  const unmet = claims.filter(({ verdict }) => verdict === 'unmet');
  const decided = new Set(evidence.filter(({ kind, supports }) => kind === 'decision' && !supports).map(({ id }) => id));
  if (unmet.some((claim) => claim.level === 'enforced' || claim.evidence.some((id) => decided.has(id)))) return 4;
  return unmet.length > 0 ? 3 : 2;
}

function bandOf(score: number): RiskBand {
  if (score >= 17) return 'critical';
  if (score >= 10) return 'high';
  return score >= 5 ? 'medium' : 'low';
}

/** High when a hook was asked and no question remains open; low when nothing is known. */
function confidenceOf(status: Status, claims: readonly ClaimResult[]): RiskRating['confidence'] {
  if (status === 'pending') return 'low';
  const decided = claims.some(({ level, verdict }) => level === 'enforced' && (verdict === 'met' || verdict === 'unmet'));
  const open = claims.some(({ required, verdict }) => required && verdict === 'unproven');
  return decided && !open ? 'high' : 'medium';
}
