/** Folders of an audit in the system's temporary folder: removed when the work is done, when a signal ends it, or otherwise a day later. */
import { lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from '../../disk/folder-entries.js';
import { atEnd } from './at-end.js';

export interface ScratchFolder {
  /** Its real path. */
  readonly path: string;
  readonly remove: () => void;
}

const PREFIX = 'policy-';
const PURPOSES = ['audit', 'fleet'] as const;
/** The names that `mkdtemp` gives them. */
const OURS = new RegExp(`^${PREFIX}(?:${PURPOSES.join('|')})-[A-Za-z0-9]{6}$`);
const DAY = 24 * 60 * 60 * 1000;
let pruned = false;

/** Creates a folder that only this user can enter. */
export function scratchFolder(purpose: (typeof PURPOSES)[number]): ScratchFolder {
  if (!pruned) pruneStale();
  pruned = true;
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${purpose}-`)));
  const forget = atEnd(() => removeQuietly(path));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      forget();
    },
  };
}

/** Removes leftovers of an audit that was killed with SIGKILL: folders of this user that nothing has used for a day. */
function pruneStale(): void {
  const user = process.getuid?.();
  const latest = Date.now() - DAY;
  for (const name of namesIn(tmpdir())) {
    if (!OURS.test(name)) continue;
    const path = join(tmpdir(), name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true && stat.uid === user && stat.mtimeMs < latest) removeQuietly(path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A file in it is still being written; the next audit removes it.
  }
}
