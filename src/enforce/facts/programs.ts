/** Whether a word is the name of a program, as a script that runs its arguments would find it. */
import { posix } from 'node:path';
import { statOf } from '../../disk/stat-of.js';
import { systemCode } from '../../log/files/log-error.js';

/** Where projects install programs, in folders that their tools add to PATH. */
const INSTALLED = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin', 'bin'];
/** Where systems install theirs, in case PATH does not name them. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];
const ENDINGS = ['.exe', '.cmd', '.bat', '.com', '.ps1'];
/** With more folders in PATH, every word is treated as a program. */
const MOST_FOLDERS = 128;

interface Around {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly project: string;
}

export function programReader({ environment, platform, project }: Around, cwd: string): (word: string) => boolean {
  const listed = (environment.PATH ?? environment.Path ?? '').split(platform === 'win32' ? ';' : ':');
  const own = [...new Set([project, cwd])].flatMap((top) => INSTALLED.map((folder) => posix.join(top, folder)));
  const folders = [...new Set([...listed.map((folder) => posix.resolve(cwd, folder)), ...own, ...SYSTEM])];
  const endings = platform === 'win32' ? ['', ...ENDINGS] : [''];
  return (word) =>
    folders.length > MOST_FOLDERS ||
    folders.some((folder) => endings.some((ending) => isThere(posix.join(folder, word + ending))));
}

function isThere(path: string): boolean {
  try {
    return statOf(path)?.isFile() === true;
  } catch (error) {
    // No program can be started from a folder that may not be entered either.
    return systemCode(error) !== 'EACCES';
  }
}
