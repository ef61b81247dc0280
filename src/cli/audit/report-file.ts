/** Reads an audit report from a file named on the command line. */
import { resolve } from 'node:path';
import { LARGEST_REPORT, readReport } from '../../audit/verify/read-report.js';
import type { ReportFile } from '../../audit/verify/verify.js';
import { readText } from '../../disk/read.js';
import { UsageError } from '../terminal/exit.js';

/** Throws UsageError for a file that does not exist, or is not a report of this format. */
export function reportFile(file: string): ReportFile {
  const read = readText(resolve(file), { limit: LARGEST_REPORT });
  if (!read.ok) throw new UsageError(`${file} ${read.message}`);
  const found = readReport(read.text);
  if (!found.ok) throw new UsageError(`${file} ${found.why}`);
  return { file, text: read.text, report: found.report };
}
