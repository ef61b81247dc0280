/** The result of gathering the evidence of an audit report again: plain data (schemas/audit-verification.schema.json). */
import type { Evidence, Status, Verdict } from '../model/report.js';

export interface WasNow<Value> {
  readonly was: Value;
  readonly now: Value;
}

/**
 * `holds`: found again unchanged. `changed`: found, but different. `gone`: the audit no longer finds anything of the kind.
 * `not-repeated`: no hook was asked this time, so nothing is known.
 */
export const EVIDENCE_STATES = ['holds', 'changed', 'gone', 'not-repeated'] as const;
export type EvidenceState = (typeof EVIDENCE_STATES)[number];

/** A piece of evidence of the report. */
export interface VerifiedEvidence {
  readonly id: string;
  readonly kind: Evidence['kind'];
  readonly state: EvidenceState;
  /** The difference, as a sentence; null when it holds. */
  readonly what: string | null;
  /** Whether it supports its claim; null when it was not found again. */
  readonly supports: WasNow<boolean | null>;
}

/** Evidence that is not in the report. */
export interface AddedEvidence {
  readonly kind: Evidence['kind'];
  readonly supports: boolean;
  readonly shows: string;
}

export interface VerifiedClaim {
  readonly id: string;
  readonly runner: string | null;
  /** `now` is null when the claim is no longer examined. */
  readonly verdict: WasNow<Verdict | null>;
  readonly evidence: readonly VerifiedEvidence[];
  readonly added: readonly AddedEvidence[];
}

export interface VerifiedControl {
  readonly id: string;
  readonly title: string;
  readonly status: WasNow<Status>;
  /** Whether the implemented control protects anybody here. */
  readonly inForce: WasNow<boolean>;
  readonly claims: readonly VerifiedClaim[];
}

export interface Verification {
  readonly version: 1;
  readonly project: string;
  /** The report: its file, the SHA-256 of its text, and when it was made. */
  readonly report: { readonly file: string; readonly digest: string; readonly generatedAt: string };
  readonly toolVersion: string;
  readonly verifiedAt: string;
  /** Whether everything in the report is still true. */
  readonly holds: boolean;
  /** The verdict in one sentence. */
  readonly sentence: string;
  readonly confirmed: WasNow<boolean>;
  readonly score: WasNow<number | null>;
  /** The number of pieces of evidence of the report in each state. */
  readonly counts: Readonly<Record<EvidenceState, number>>;
  /** Changes of the policy files, the mode, the installed hooks, versions and the log, one sentence each. */
  readonly changes: readonly string[];
  /** Parts of the report that were not compared, each described in words. */
  readonly notCompared: readonly string[];
  readonly controls: readonly VerifiedControl[];
}
