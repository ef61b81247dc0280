/** The flags that compare an audit with something else: `--baseline`, `--exceptions`, `--gate`. */
import { join, resolve } from 'node:path';
import type { HeldAgainst } from '../../audit/accepted/acceptance.js';
import type { EarlierReport } from '../../audit/accepted/baseline.js';
import { EXCEPTIONS_FILE, type ExceptionsFile, parseExceptions } from '../../audit/accepted/exceptions.js';
import { originOf } from '../../audit/model/origin.js';
import { RELEASE_CHECKS } from '../../audit/model/results.js';
import { isInside } from '../../disk/inside.js';
import { type FileText, readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { formatOf } from '../../policy/read/located.js';
import type { Workspace } from '../../project/workspace.js';
import { UsageError } from '../terminal/exit.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';
import { reportFile } from './report-file.js';

export const HELD_AGAINST = ['baseline', 'exceptions', 'no-exceptions', 'gate'];

/** Reads the files and flags. Throws UsageError for files that cannot be used. */
export function heldAgainstOf(args: Arguments, workspace: Workspace): HeldAgainst {
  return {
    baseline: baselineOf(args, workspace),
    exceptions: exceptionsOf(args, workspace),
    gate: choiceFlag(args, 'gate', RELEASE_CHECKS) ?? null,
  };
}

/**
 * Returns the baseline, which has to be of the same project, in this folder or in another checkout: a finding that another
 * project lacks is not new here.
 */
function baselineOf(args: Arguments, { surroundings: { project } }: Workspace): EarlierReport | null {
  const file = textFlag(args, 'baseline');
  if (file === undefined) return null;
  const found = reportFile(file);
  const { meta } = found.report;
  const origin = originOf(project);
  if (meta.project === project || (origin !== null && meta.origin === origin)) return found;
  throw new UsageError(
    `${file} is about another project: ${named(meta.project, meta.origin)}; this is ${named(project, origin)}. A baseline is an earlier report on the same folder, or on one with the same remote origin`,
  );
}

function named(project: string, origin: string | null): string {
  return `${project} (${origin === null ? 'without a remote origin' : origin})`;
}

/** Anyone who can commit to the project can write this file, even after a person has trusted the policy. */
const NOT_NAMED = `These exceptions come with the project, so they do not count; \`--exceptions ${EXCEPTIONS_FILE}\` applies them.`;

/** Returns the named file, else that of the project, which is listed but does not apply. */
function exceptionsOf(args: Arguments, { surroundings }: Workspace): ExceptionsFile | null {
  const named = textFlag(args, 'exceptions');
  if (switchFlag(args, 'no-exceptions')) {
    if (named !== undefined) throw new UsageError('--exceptions and --no-exceptions were both given; give one of them');
    return null;
  }
  const { project } = surroundings;
  if (named !== undefined) {
    const path = resolve(named);
    const file = { file: named, inRepository: isInside(realPath(path) ?? path, project), ignored: null };
    return { ...file, entries: parsedEntries(named, path, readText(path)) };
  }
  const path = join(project, EXCEPTIONS_FILE);
  const text = readText(path, { follow: false });
  if (!text.ok && text.code === 'missing') return null;
  const file = { file: EXCEPTIONS_FILE, inRepository: true, ignored: NOT_NAMED };
  return { ...file, entries: parsedEntries(EXCEPTIONS_FILE, path, text) };
}

/** @param shown the file name for messages */
function parsedEntries(shown: string, path: string, text: FileText): ExceptionsFile['entries'] {
  if (!text.ok) throw new UsageError(`${shown} ${text.message}`);
  const parsed = parseExceptions(text.text, shown, formatOf(path));
  if ('problems' in parsed) throw new UsageError(...parsed.problems);
  return parsed.entries;
}
