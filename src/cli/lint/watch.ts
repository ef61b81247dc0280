/** `policy lint --watch`: lints again after each change of a file that lint may read. */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CANDIDATE } from '../../lint/places/file-kind.js';
import { UsageError } from '../terminal/exit.js';

/** Systems limit the number of watched folders. */
const MOST_FOLDERS = 4_000;
/** An editor writes a file in several steps. */
const QUIET_MS = 100;

/**
 * Ends only with the process. Throws UsageError when no folder can be watched.
 * @param lint lints once; returns the folders that it searched, as absolute paths
 * @param isWritten whether lint itself writes a file
 */
export async function lintAtChanges(
  lint: () => Promise<readonly string[]>,
  isWritten: (file: string) => boolean,
): Promise<never> {
  const watchers = new Map<string, FSWatcher>();
  let isChanged = false;
  let wake = () => {};
  const close = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const open = (folder: string) => {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null && (!mayConcern(name) || isWritten(join(folder, name)))) return;
        isChanged = true;
        wake();
      });
      watchers.set(
        folder,
        watcher.on('error', () => close(folder)),
      );
    } catch {
      // The folder has been removed, or the system watches no more of them.
    }
  };
  for (;;) {
    isChanged = false;
    const folders = new Set((await lint()).slice(0, MOST_FOLDERS));
    for (const folder of watchers.keys()) if (!folders.has(folder)) close(folder);
    for (const folder of folders) if (!watchers.has(folder)) open(folder);
    if (watchers.size === 0) throw new UsageError('--watch: the system watches no folder here');
    if (!isChanged)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    await setTimeout(QUIET_MS);
  }
}

/** A file with an ending that lint reads, or a name without an ending, which may be a folder. */
function mayConcern(name: string): boolean {
  return CANDIDATE.test(name) || !/.\./.test(name);
}
