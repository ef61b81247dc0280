/** The findings that a project had when it began to use lint: they are counted, not reported, until the text at their place changes. */
import { isFields } from '../../call/fields.js';
import type { Finding, LintReport } from '../text/finding.js';

/** The number of known findings for each fingerprint. */
export type Baseline = ReadonlyMap<string, number>;

interface Entry {
  readonly rule: string;
  readonly file: string;
  readonly fingerprint: string;
  readonly count: number;
}

/** Returns the findings that are not in the baseline; of several with one fingerprint, the first ones are the known ones. */
export function withoutKnown(
  findings: readonly Finding[],
  baseline: Baseline,
  fingerprintOf: LintReport['fingerprintOf'],
): readonly Finding[] {
  if (baseline.size === 0) return findings;
  const left = new Map(baseline);
  return findings.filter((finding) => {
    const key = fingerprintOf(finding);
    const known = left.get(key) ?? 0;
    if (known > 0) left.set(key, known - 1);
    return known === 0;
  });
}

/** Returns a baseline file of all findings of a report: one entry per line, in a fixed order, so that its changes are readable. */
export function baselineText({ unabridged, fingerprintOf }: LintReport): string {
  const entries = new Map<string, Entry>();
  for (const finding of unabridged) {
    const fingerprint = fingerprintOf(finding);
    const { ruleId: rule, location } = finding;
    entries.set(fingerprint, { rule, file: location.file, fingerprint, count: (entries.get(fingerprint)?.count ?? 0) + 1 });
  }
  const lines = [...entries.values()].sort(inFileOrder).map((entry) => `    ${JSON.stringify(entry)}`);
  return `{\n  "version": 1,\n  "findings": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

function inFileOrder(left: Entry, right: Entry): number {
  const [a, b] = [left, right].map(({ file, rule, fingerprint }) => `${file}\0${rule}\0${fingerprint}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** Parses a baseline; null if the text is not one. */
export function parseBaseline(text: string): Baseline | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(data) || data.version !== 1 || !Array.isArray(data.findings)) return null;
  const baseline = new Map<string, number>();
  for (const entry of data.findings) {
    if (!isFields(entry) || typeof entry.fingerprint !== 'string') return null;
    if (typeof entry.count !== 'number' || !Number.isSafeInteger(entry.count) || entry.count < 1) return null;
    baseline.set(entry.fingerprint, (baseline.get(entry.fingerprint) ?? 0) + entry.count);
  }
  return baseline;
}
