/** The identity of a finding that survives added or moved lines: its rule, its file and the text at its place. */
import { createHash } from 'node:crypto';
import type { LintReport } from '../text/finding.js';

/** The rest of a longer line does not help to distinguish findings. */
const LONGEST = 1_000;

/** Reads masked lines only, so that no fingerprint is derived from a credential. */
export function fingerprinter(lineOf: LintReport['lineOf']): LintReport['fingerprintOf'] {
  return ({ ruleId, location }) => {
    const line = lineOf(location.file, location.line) ?? '';
    const end = location.endLine === location.line ? location.endColumn - 1 : line.length;
    const marked = line.slice(location.column - 1, end).trim();
    const text = (marked === '' ? line : marked).slice(0, LONGEST).trim().replaceAll(/\s+/g, ' ');
    return createHash('sha256').update(`${ruleId}\n${location.file}\n${text}`).digest('hex').slice(0, 16);
  };
}
