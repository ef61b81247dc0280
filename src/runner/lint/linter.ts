/** The linter with all of its rules, those about the runners among them. */
import type { FoundFiles } from '../../lint/files/read-files.js';
import { DEFAULT_OPTIONS, type LintOptions, lintBy } from '../../lint/run.js';
import type { LintReport } from '../../lint/text/finding.js';
import { rules } from './rules.js';

/** Lints files that were read. Throws only for a mistake of ours. */
export function lint(found: FoundFiles, options: LintOptions = DEFAULT_OPTIONS): LintReport {
  return lintBy(rules, found, options);
}
