/**
 * `--out FILE`: writes the last message of a run, whose text the agent controls. Symlinks in the project are never followed;
 * paths outside the project, such as `/dev/stdout`, are the user's own.
 */
import { dirname, resolve } from 'node:path';
import { shellWord } from '../../audit/doctor/found/words.js';
import { entriesBelow, entryStatus, linkAmong, writeAnswer } from '../../disk/answer-file.js';
import { isDirectory } from '../../disk/git/directory.js';
import { isInside } from '../../disk/inside.js';
import { realPath } from '../../disk/real-path.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';

/**
 * Refuses an unusable `--out` before anything is started. Throws UsageError.
 * @param project real path of the project
 */
export function refuseWrongOut(args: Arguments, project: string): void {
  const file = textFlag(args, 'out');
  if (file === undefined) return;
  const wrong = whyNotWritten(file, project);
  if (wrong === null) return;
  const fix = wrong.startsWith(NO_FOLDER) ? [`  fix: mkdir -p ${shellWord(dirname(file))}`] : [];
  throw new UsageError(`--out ${file}${wrong}`, ...fix);
}

/** Writes the message to the `--out` file, if one is given; warns and returns false if that file cannot be written. */
export function writeOut(args: Arguments, message: string, project: string): boolean {
  const file = textFlag(args, 'out');
  if (file === undefined) return true;
  try {
    // Checked again: the agent may have changed the path since the first check.
    const wrong = whyNotWritten(file, project);
    if (wrong !== null) throw new Error(wrong.replace(/^:? (?:is )?/, ''));
    writeAnswer(file, `${message}\n`, entriesInside(file, project).length === 0);
    return true;
  } catch (error) {
    warn(`--out ${file} cannot be written (${error instanceof Error ? error.message : error})`);
    return false;
  }
}

const NO_FOLDER = ': there is no directory';

/** Returns why the file cannot be written, as the end of a sentence that begins with its name; null if it can be written. */
function whyNotWritten(file: string, project: string): string | null {
  const path = resolve(file);
  if (file === '') return 'needs the name of a file: --out answer.md';
  const inside = entriesInside(file, project);
  const link = linkAmong(inside);
  if (link !== undefined)
    return `: ${link} is a link in the project, which may lead anywhere; name the file itself, or one outside the project`;
  if (!isDirectory(dirname(path))) return `${NO_FOLDER} ${dirname(file)}`;
  if (isDirectory(path)) return ' is a directory';
  const status = inside.length === 0 ? undefined : entryStatus(path);
  return status === undefined || status.isFile() ? null : ' is not a regular file';
}

/** Returns the parts of the file's path that are in the project. */
function entriesInside(file: string, project: string): readonly string[] {
  return entriesBelow(file, (directory) => {
    const real = realPath(directory);
    return real !== null && isInside(real, project);
  });
}
