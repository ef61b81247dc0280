/**
 * An audit report with what it is compared against (an earlier report, a file of exceptions, a release check), and whether it then fails.
 */
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

/** Returns the report with the results of the comparison. Its statuses, score and verdict stay as they are. */
export function heldAgainst(report: AuditReport, { baseline, exceptions, gate }: HeldAgainst): AuditReport {
  return {
    ...report,
    changes: baseline === null ? null : changesSince(baseline, report),
    exceptions: exceptions === null ? null : exceptionsIn(exceptions, report.findings, report.meta.generatedAt.slice(0, 10)),
    gate: gate === null ? null : releaseCheckOf(gate, report.controls),
  };
}

/**
 * True if the release check failed, or a finding that nobody accepted has at least the given severity; with a baseline, only new
 * findings are considered.
 * @param failOn null: findings do not matter
 */
export function fails({ findings, changes, exceptions, gate }: AuditReport, failOn: Severity | null): boolean {
  if (gate !== null && !gate.passed) return true;
  if (failOn === null) return false;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const counted: readonly Pick<AuditFinding, 'control' | 'claim' | 'runner' | 'severity'>[] = changes?.added ?? findings;
  return counted.some((one) => failing.includes(one.severity) && !isAccepted(exceptions, findingId(one)));
}
