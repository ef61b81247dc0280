/** Which repository a project is, for trust: an identity that no file in the project can borrow from another one. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDirectory } from './directory.js';

export interface Repository {
  /** Real path of the git common directory; of the project where it has none of its own. */
  readonly path: string;
  /** What that rests on: files that change when it does. */
  readonly sources: readonly string[];
}

/**
 * The identity of the project at `top` (a real path).
 *
 * A linked worktree is its main repository only when both sides say so: the entry that its `.git` file names lies in
 * `worktrees/` of the common directory, and that entry points back. Every other `.git` that leads elsewhere (a link, a file, a
 * submodule, `commondir` in a plain `.git`) counts for nothing: then the project is only itself.
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

/** The real common directory when `entry` really is one of its worktrees. */
function linkedTo(entry: string, common: string): string | null {
  try {
    const real = realpathSync.native(common);
    return dirname(realpathSync.native(entry)) === join(real, 'worktrees') ? real : null;
  } catch {
    // One of them does not exist: nothing is linked.
    return null;
  }
}
