/** The findings of a report, file by file. */
import type { Finding } from '../../lint/text/finding.js';

/** Returns the groups in the order of the files. */
export function byFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.location.file) ?? [];
    group.push(finding);
    groups.set(finding.location.file, group);
  }
  return groups;
}
