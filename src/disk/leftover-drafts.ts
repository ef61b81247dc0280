/** Drafts that a killed process left next to the file that it was about to replace. */
import { lstatSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasProcess } from '../run/process-identity.js';
import { namesIn } from './folder-entries.js';
import { readText } from './read.js';

/** Writing a draft never takes this long. */
const OLD_MILLISECONDS = 60_000;
/** Matches drafts of a file, or of the copy that an installation keeps of it (install/install.ts). */
const DRAFT = /^(?:\.before-policy-\d{8}T\d{6}Z(?:-\d+)?)?\.(\d{1,10})\.\d{6,20}\.tmp$/;

/** Returns the name of a draft of `path`, which no other process uses. */
export function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${process.hrtime.bigint()}.tmp`);
}

/** Returns the user's files next to `path` that are named like its drafts, are old, and whose writer is gone. Never throws. */
export function leftoverDrafts(path: string): readonly string[] {
  const start = `.${basename(path)}`;
  return namesIn(dirname(path)).flatMap((name) => {
    const [, pid] = name.startsWith(start) ? (DRAFT.exec(name.slice(start.length)) ?? []) : [];
    const file = join(dirname(path), name);
    return pid !== undefined && isOld(file) && !hasProcess(Number(pid)) ? [file] : [];
  });
}

/** Removes those whose content is the beginning of one of `texts`, which proves that they are ours. */
export function clearDrafts(path: string, texts: readonly (string | null)[]): void {
  for (const file of leftoverDrafts(path)) {
    const read = readText(file, { follow: false });
    if (!read.ok || !texts.some((text) => text?.startsWith(read.text))) continue;
    try {
      unlinkSync(file);
    } catch {
      // The draft stays, and `policy doctor` reports it.
    }
  }
}

function isOld(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  const own = process.getuid?.();
  return stat?.isFile() === true && stat.uid === (own ?? stat.uid) && Date.now() - stat.mtimeMs > OLD_MILLISECONDS;
}
