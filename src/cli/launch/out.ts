/**
 * `--out FILE`: the last message of a run. What it says is the agent's word, and a repository or an agent may have put a link in the
 * place of the file; through it, that word would become the person's policy or a shell's startup file. So no link of the project is
 * followed. What lies elsewhere is the person's, `/dev/stdout` among it.
 */
import { closeSync, constants, lstatSync, openSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { shellWord } from '../../audit/doctor/words.js';
import { isDirectory } from '../../enforce/facts/git/directory.js';
import { isInside } from '../../enforce/facts/inside.js';
import { realPath } from '../../enforce/facts/real-path.js';
import { type Arguments, textFlag } from '../arguments.js';
import { UsageError } from '../exit.js';
import { warn } from '../terminal.js';

/** Before anything is started. Throws UsageError. @param project real path */
export function refuseWrongOut(args: Arguments, project: string): void {
  const file = textFlag(args, 'out');
  if (file === undefined) return;
  const wrong = whyNotWritten(file, project);
  if (wrong === null) return;
  const fix = wrong.startsWith(NO_FOLDER) ? [`  fix: mkdir -p ${shellWord(dirname(file))}`] : [];
  throw new UsageError(`--out ${file}${wrong}`, ...fix);
}

/** False when it could not be written: the work is done, but whoever waits for the file has nothing. */
export function writeOut(args: Arguments, message: string, project: string): boolean {
  const file = textFlag(args, 'out');
  if (file === undefined) return true;
  try {
    // The agent has worked since it was looked at.
    const wrong = whyNotWritten(file, project);
    if (wrong !== null) throw new Error(wrong.replace(/^:? (?:is )?/, ''));
    const path = resolve(file);
    const careful = entriesInside(path, project).length === 0 ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | careful, 0o666);
    try {
      writeFileSync(descriptor, `${message}\n`);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    warn(`--out ${file} cannot be written (${error instanceof Error ? error.message : error})`);
    return false;
  }
}

const NO_FOLDER = ': there is no directory';

/** The end of a sentence that begins with the file's name. */
function whyNotWritten(file: string, project: string): string | null {
  const path = resolve(file);
  if (file === '') return 'needs the name of a file: --out answer.md';
  const link = entriesInside(path, project).find((entry) => statusOf(entry)?.isSymbolicLink() === true);
  if (link !== undefined)
    return `: ${link} is a link in the project, which may lead anywhere; name the file itself, or one outside of the project`;
  if (!isDirectory(dirname(path))) return `${NO_FOLDER} ${dirname(file)}`;
  if (isDirectory(path)) return ' is a directory';
  const status = entriesInside(path, project).length === 0 ? undefined : statusOf(path);
  return status === undefined || status.isFile() ? null : ' is not a regular file';
}

/** The parts of a path that lie in the project: each may be a link that the repository brought. */
function entriesInside(path: string, project: string): readonly string[] {
  const { root } = parse(path);
  let at = root;
  let inside = false;
  const entries: string[] = [];
  for (const name of path.slice(root.length).split(sep)) {
    at = join(at, name);
    if (inside) entries.push(at);
    else {
      const real = realPath(at);
      inside = real !== null && isInside(real, project);
    }
  }
  return entries;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
