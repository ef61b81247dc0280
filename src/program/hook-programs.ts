/**
 * The programs that the installed line starts before node: whoever puts another one in their place answers for the hook. They lie in the
 * system's folders; a client that looks for its shell itself takes the first one of the name in PATH, which may be a folder of the user's.
 */
import { posix } from 'node:path';
import { realPath } from '../disk/real-path.js';

/** As src/runner/hook/command-line.ts writes them, and the shell that reads the line. */
const PROGRAMS = ['/usr/bin/timeout', '/usr/bin/env', '/usr/bin/perl', '/bin/sh', '/usr/bin/sh', '/bin/bash', '/usr/bin/bash'];
const NAMES: ReadonlySet<string> = new Set([...PROGRAMS.map((path) => posix.basename(path)), 'node', 'zsh']);
/** What `sh` and the others are links to on some systems. */
const BEHIND: ReadonlySet<string> = new Set(['dash', 'busybox', 'coreutils', 'toybox']);
/** More folders than this in PATH are not looked at. */
const MOST_FOLDERS = 128;

/**
 * Where such programs lie or would be found, as far as one of the paths has their name: most calls write no file of these names.
 * @param paths absolute, as written and where they lead
 * @param path the variable PATH of the client
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
