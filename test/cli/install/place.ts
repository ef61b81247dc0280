// A home and a repository in which the hook is installed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLEAN_REPOSITORY, policy, scratch } from '../spawned.js';

export function place(files: Readonly<Record<string, string>> = {}) {
  const cwd = scratch({ ...CLEAN_REPOSITORY, ...files });
  const HOME = scratch({});
  const env = { HOME };
  const settings = join(HOME, '.claude/settings.json');
  return {
    cwd,
    env,
    home: HOME,
    settings,
    write: (file: string, text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    run: (...args: readonly string[]) => policy(args, { cwd, env }),
  };
}
