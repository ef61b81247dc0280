/** `policy audit --verify REPORT`: checks whether the report still holds. */
import { contradictionsOf } from '../../audit/verify/contradictions.js';
import type { Verification } from '../../audit/verify/verification.js';
import { type ReportFile, type VerifyOptions, verifyReport } from '../../audit/verify/verify.js';
import { verificationAsText } from '../../report/audit/verification.js';
import { jsonLine } from '../../report/printing/escape.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, textFlags } from '../words/arguments.js';
import { outputsOf, writeOutput } from '../words/outputs.js';
import { HELD_AGAINST } from './held-against.js';
import { reportFile } from './report-file.js';

const FORMATS = ['text', 'json'] as const;
const RENDERERS = { text: verificationAsText, json: jsonLine };
/** Flags whose values the report itself contains, or that only apply to an audit. */
const ELSEWHERE = ['checklist', 'runner', 'fail-on', ...HELD_AGAINST];
const MOST_CONTRADICTIONS = 20;

/** Verifies a report. Throws UsageError, before anything is started, for a report that cannot be verified here. */
export async function verify(file: string, args: Arguments, options: VerifyOptions): Promise<ExitCode> {
  const unwanted = ELSEWHERE.find((flag) => textFlags(args, flag).length > 0);
  if (unwanted !== undefined) throw new UsageError(`--${unwanted} does not go with --verify, which follows the report`);
  const outputs = outputsOf(args, FORMATS);
  const found = usable(reportFile(file), options);
  const verification = await withProgress('policy audit', (tick) => verifyReport(found, { ...options, tick }));
  for (const { format, file: target } of outputs) {
    const text = RENDERERS[format](verification);
    if (target === null) await print(text);
    else writeOutput(target, text, options.workspace.surroundings.project);
  }
  return exitCodeOf(verification);
}

function exitCodeOf({ holds }: Verification): ExitCode {
  return holds ? EXIT.allow : EXIT.deny;
}

/**
 * Returns the report if it is about this project, was written by this version, and does not contradict its own evidence. Throws
 * UsageError otherwise.
 */
function usable(found: ReportFile, { workspace, toolVersion, probes, runHooks }: VerifyOptions): ReportFile {
  const { file, report } = found;
  const { meta } = report;
  const { project } = workspace.surroundings;
  if (meta.toolVersion !== toolVersion)
    throw new UsageError(
      `${file} was written by policy ${meta.toolVersion}, this is ${toolVersion}: their statements and probes may differ; run the audit again`,
    );
  if (meta.project !== project)
    throw new UsageError(`${file} is about ${meta.project}, this is ${project}; --cwd DIR names another project`);
  if (meta.probes === 'any hook' && probes && !runHooks)
    throw new UsageError(
      `${file} was made with --run-hooks, which starts commands that this repository names; verify it with --run-hooks, or with --no-probes`,
    );
  const contradictions = contradictionsOf(report);
  if (contradictions.length > 0)
    throw new UsageError(
      ...contradictions.slice(0, MOST_CONTRADICTIONS).map((one) => `${file} ${one}`),
      `${file} was changed after policy audit wrote it, so it proves nothing`,
    );
  return found;
}
