/** The linter with all of its rules, including those about runners. */
import type { FoundFiles } from '../../lint/files/read-files.js';
import { DEFAULT_OPTIONS, type LintOptions, lintBy } from '../../lint/run.js';
import type { LintReport } from '../../lint/text/finding.js';
import { rules } from './rules.js';

/** Lints files that were already read. Throws only if this program has a bug. */
export function lint(found: FoundFiles, options: LintOptions = DEFAULT_OPTIONS): LintReport {
  return lintBy(rules, found, options);
}
