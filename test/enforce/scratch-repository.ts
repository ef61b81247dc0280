/** Scratch repositories that git itself makes. */
import { spawnSync } from 'node:child_process';
import { withFiles } from './scratch.js';

const PERSON = { NAME: 'Somebody', EMAIL: 'somebody@example.com' };
const ENVIRONMENT = {
  ...{ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...Object.fromEntries(
    Object.entries(PERSON).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]),
  ),
};

/**
 * Makes a repository with one commit of `src/a.ts` and `README.md` on `main`, runs the lines of a shell in it, then `use`, and removes it.
 * @param lines `commit` there adds and commits everything
 */
export function withRepository<Result>(lines: string, use: (folder: string) => Result): Result {
  return withFiles({ 'src/a.ts': 'x\n', 'README.md': 'x\n' }, (folder) => {
    const start = 'commit() { git add -A && git commit -q -m next; }; git init -q -b main . && commit';
    const { status, stderr } = spawnSync('/bin/sh', ['-e', '-c', `${start}\n${lines}`], {
      cwd: folder,
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the repository could not be made: ${stderr}`);
    return use(folder);
  });
}
