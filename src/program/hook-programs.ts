/**
 * The programs that the installed line starts before Node.js: whoever replaces one of them controls the hook's answers. They are in the
 * system's folders; but a runner that looks for its shell by itself takes the first one in PATH, which may be in a folder of the user.
 */
import { posix } from 'node:path';
import { realPath } from '../disk/real-path.js';

/** As written by src/runner/hook/command-line.ts, and the shell that interprets the line. */
const PROGRAMS = ['/usr/bin/timeout', '/usr/bin/env', '/usr/bin/perl', '/bin/sh', '/usr/bin/sh', '/bin/bash', '/usr/bin/bash'];
const NAMES: ReadonlySet<string> = new Set([...PROGRAMS.map((path) => posix.basename(path)), 'node', 'zsh']);
/** Targets of `sh` and the others on systems where these are links. */
const BEHIND: ReadonlySet<string> = new Set(['dash', 'busybox', 'coreutils', 'toybox']);
/** Maximum number of folders in PATH that are examined. */
const MOST_FOLDERS = 128;

/**
 * Returns where such programs are or would be found, if one of the paths has such a name: most calls write no file with these names.
 * @param paths absolute, as written and as real paths
 * @param path the variable PATH of the runner
 */
export function hookPrograms(paths: readonly string[], path: string | undefined, cwd: string): readonly string[] {
  const names = new Set(paths.map((one) => posix.basename(one)));
  const named = [...NAMES].filter((name) => names.has(name));
  if (named.length === 0 && ![...BEHIND].some((name) => names.has(name))) return [];
  const folders = [...new Set((path ?? '').split(':'))].slice(0, MOST_FOLDERS).map((folder) => posix.resolve(cwd, folder));
  return [
    ...PROGRAMS,
    ...PROGRAMS.flatMap((program) => realPath(program) ?? []),
    ...folders.flatMap((folder) => named.map((name) => posix.join(folder, name))),
  ];
}
