/** The identity of a project's repository for trust: no file in a project can borrow another project's identity. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDirectory } from './directory.js';

export interface Repository {
  /** Real path of the git common directory; of the project if it has none of its own. */
  readonly path: string;
  /** The files that this depends on: they change when it does. */
  readonly sources: readonly string[];
}

/**
 * Returns the identity of the project at `top` (a real path).
 *
 * A linked worktree is identified with its main repository only if both sides confirm it: the entry that its `.git` file names is
 * in `worktrees/` of the common directory, and that entry points back. Every other `.git` that leads elsewhere (a link, a file, a
 * submodule, `commondir` in a plain `.git`) is ignored: then the project is only itself.
 */
export function repositoryOf(top: string): Repository {
  const dot = join(top, '.git');
  const stat = lstatSync(dot, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { path: dot, sources: [join(dot, 'HEAD')] };
  if (!stat?.isFile()) return { path: top, sources: [dot] };
  const { folders, hazards } = gitDirectory(top);
  const [entry, common] = folders;
  const files = entry === undefined ? [] : [join(entry, 'gitdir'), join(entry, 'commondir')];
  const sources = [dot, ...files, ...(common === undefined ? [] : [common])];
  const linked = entry !== undefined && common !== undefined && hazards.length === 0 ? linkedTo(entry, common) : null;
  return { path: linked ?? top, sources };
}

/** Returns the real common directory if `entry` really is one of its worktrees. */
function linkedTo(entry: string, common: string): string | null {
  try {
    const real = realpathSync.native(common);
    return dirname(realpathSync.native(entry)) === join(real, 'worktrees') ? real : null;
  } catch {
    // One of them does not exist, so nothing is linked.
    return null;
  }
}
