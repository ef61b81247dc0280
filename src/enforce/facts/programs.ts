/** Whether a word is a program: what a script that runs what it is given would find. */
import { posix } from 'node:path';
import { statOf } from '../../disk/stat-of.js';
import { systemCode } from '../../log/files/log-error.js';

/** Where projects have programs installed, which their tools put on PATH. */
const INSTALLED = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin', 'bin'];
/** Where systems have theirs, if PATH leaves them out. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];
const ENDINGS = ['.exe', '.cmd', '.bat', '.com', '.ps1'];
/** With more folders in PATH every word may be one. */
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
    // Nor can a program be started from a folder that may not be entered.
    return systemCode(error) !== 'EACCES';
  }
}
