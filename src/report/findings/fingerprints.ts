/** Fingerprints that are unique within a report. */
import type { Finding, LintReport } from '../../lint/text/finding.js';

/**
 * Returns the fingerprint of a finding with a number that distinguishes findings about equal texts; to be called once for each
 * finding, in order.
 */
export function numberedFingerprints({ fingerprintOf }: Pick<LintReport, 'fingerprintOf'>): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return (finding) => {
    const hash = fingerprintOf(finding);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
}
