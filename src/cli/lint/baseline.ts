/** `policy lint --baseline FILE`: the findings that a project accepts for now. */
import { readFileSync, statSync } from 'node:fs';
import { type Baseline, baselineText, parseBaseline } from '../../lint/accepted/baseline.js';
import type { LintReport } from '../../lint/text/finding.js';
import { systemCode } from '../../log/files/log-error.js';
import { UsageError } from '../terminal/exit.js';
import { writeOutput } from '../words/outputs.js';

const MAX_BYTES = 32 * 1_048_576;

/** Throws UsageError for a file that does not exist, or is not a baseline. */
export function readBaseline(file: string): Baseline {
  const baseline = parseBaseline(textOf(file));
  if (baseline === null)
    throw new UsageError(`${file} is not a baseline of policy lint; policy lint --baseline ${file} --update-baseline writes one`);
  return baseline;
}

function textOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UsageError(`${file} does not exist; policy lint --baseline ${file} --update-baseline writes it`);
  if (!stat.isFile() || stat.size > MAX_BYTES)
    throw new UsageError(`${file} is not a baseline of policy lint: it is not a regular file of at most 32 MiB`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${systemCode(error)})`);
  }
}

/** Writes all findings of a report; returns a sentence about that. Throws UsageError when they cannot be written. */
export function writeBaseline(file: string, report: LintReport): string {
  writeOutput(file, baselineText(report));
  const { length } = report.unabridged;
  return `Written: ${file} with ${length} ${length === 1 ? 'finding' : 'findings'}; policy lint --baseline ${file} reports only what is new.`;
}

/** Returns a note about baseline entries that lint no longer finds; null if there are none. */
export function staleNote(file: string, baseline: Baseline, { summary }: LintReport): string | null {
  const known = [...baseline.values()].reduce((sum, count) => sum + count, 0);
  const gone = known - summary.baselined;
  return gone <= 0 ? null : `${gone} of the ${known} findings in ${file} are gone; --update-baseline removes them`;
}
