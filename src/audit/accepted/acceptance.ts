/** An audit report together with what it is held against: an earlier one, a file of exceptions, a release check; and whether it fails then. */
import { type AuditFinding, type AuditReport, SEVERITIES, type Severity } from '../model/report.js';
import type { ReleaseCheckName } from '../model/results.js';
import { changesSince, type EarlierReport } from './baseline.js';
import { type ExceptionsFile, exceptionsIn, isAccepted } from './exceptions.js';
import { findingId } from './finding-id.js';
import { releaseCheckOf } from './release-check.js';

export interface HeldAgainst {
  readonly baseline: EarlierReport | null;
  readonly exceptions: ExceptionsFile | null;
  readonly gate: ReleaseCheckName | null;
}

/** The report with what came out. Its statuses, its score and its verdict stay as they are. */
export function heldAgainst(report: AuditReport, { baseline, exceptions, gate }: HeldAgainst): AuditReport {
  return {
    ...report,
    changes: baseline === null ? null : changesSince(baseline, report),
    exceptions: exceptions === null ? null : exceptionsIn(exceptions, report.findings, report.meta.generatedAt.slice(0, 10)),
    gate: gate === null ? null : releaseCheckOf(gate, report.controls),
  };
}

/**
 * Whether the release check is not passed, or a finding that nobody accepted is at or above a severity; with a baseline only new ones are looked at.
 * @param failOn null: findings do not matter
 */
export function fails({ findings, changes, exceptions, gate }: AuditReport, failOn: Severity | null): boolean {
  if (gate !== null && !gate.passed) return true;
  if (failOn === null) return false;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const counted: readonly Pick<AuditFinding, 'control' | 'claim' | 'runner' | 'severity'>[] = changes?.added ?? findings;
  return counted.some((one) => failing.includes(one.severity) && !isAccepted(exceptions, findingId(one)));
}
