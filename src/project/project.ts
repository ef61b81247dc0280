/** The project that a directory belongs to. */
import { dirname, join } from 'node:path';
import { repositoryTop } from '../disk/git/directory.js';
import { readText } from '../disk/read.js';

/** Returns the top of the directory's repository, else the nearest folder upwards with a policy file, else the directory itself. */
export function projectOf(cwd: string): string {
  const top = repositoryTop(cwd);
  if (top !== null) return top;
  for (let current = cwd, depth = 0; depth < 256; depth += 1) {
    if (['yaml', 'json', 'toml'].some((extension) => readText(join(current, `policy.${extension}`), { limit: 1024 * 1024 }).ok))
      return current;
    const parent = dirname(current);
    if (parent === current) return cwd;
    current = parent;
  }
  return cwd;
}
