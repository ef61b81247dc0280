/** The other worktrees of a project's repository: its main checkout and the linked ones, if both sides confirm the link. */
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isAbsent } from '../../run/own-file.js';
import { pathIn } from '../inside.js';
import { readText } from '../read.js';
import { repositoryOf } from './common-directory.js';
import { realOrSelf } from './directory.js';

/** At most this many linked worktrees are examined. */
const MOST = 64;

/** Returns the main checkout of a linked worktree; null if the project is no linked worktree, or the repository is bare. */
export function mainCheckout(project: string): string | null {
  const { path: common } = repositoryOf(project);
  const main = dirname(common);
  return common !== project && main !== project && basename(common) === '.git' && repositoryOf(main).path === common
    ? main
    : null;
}

/**
 * Returns real paths. A folder is a linked worktree if the repository lists it and its own `.git` points back, so no file that an
 * agent may write makes it one.
 */
export function otherCheckouts(project: string): readonly string[] {
  const { path: common } = repositoryOf(project);
  if (common === project) return NONE;
  const folder = pathIn(common, 'worktrees');
  const entries = listed(folder);
  if (entries.length === 0) return NONE;
  const tops = entries.flatMap((entry) => {
    const back = readText(pathIn(folder, `${entry}/gitdir`), { limit: 4096 });
    const top = back.ok ? realOrSelf(dirname(back.text.trim())) : project;
    return top !== project && repositoryOf(top).path === common ? [top] : [];
  });
  const main = mainCheckout(project);
  return main === null ? tops : [main, ...tops];
}

const NONE: readonly string[] = [];

function listed(folder: string): readonly string[] {
  if (isAbsent(folder)) return NONE;
  try {
    return readdirSync(folder).slice(0, MOST);
  } catch {
    // There are no linked worktrees.
    return NONE;
  }
}
