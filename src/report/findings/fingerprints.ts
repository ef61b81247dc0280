/** Fingerprints that no two findings of a report share. */
import type { Finding, LintReport } from '../../lint/text/finding.js';

/** The fingerprint of a finding with a number behind it that tells apart those about equal texts; asked once for each, in order. */
export function numberedFingerprints({ fingerprintOf }: LintReport): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return (finding) => {
    const hash = fingerprintOf(finding);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
}
