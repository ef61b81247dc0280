/** Drafts that a process which was killed left beside the file that it was about to replace. */
import { lstatSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasProcess } from '../run/process-identity.js';
import { namesIn } from './folder-entries.js';
import { readText } from './read.js';

/** Nobody writes a draft this long. */
const OLD_MILLISECONDS = 60_000;
/** Of a file, or of the copy that an installation keeps of it (install/install.ts). */
const DRAFT = /^(?:\.before-policy-\d{8}T\d{6}Z(?:-\d+)?)?\.(\d{1,10})\.\d{6,20}\.tmp$/;

/** The name of a draft of `path`: no two processes ever write the same. */
export function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${process.hrtime.bigint()}.tmp`);
}

/** Files of the user beside `path` that are named like drafts of it, are old, and whose writer is gone. Nothing throws. */
export function leftoverDrafts(path: string): readonly string[] {
  const start = `.${basename(path)}`;
  return namesIn(dirname(path)).flatMap((name) => {
    const [, pid] = name.startsWith(start) ? (DRAFT.exec(name.slice(start.length)) ?? []) : [];
    const file = join(dirname(path), name);
    return pid !== undefined && isOld(file) && !hasProcess(Number(pid)) ? [file] : [];
  });
}

/** Removes those of them that hold the beginning of one of `texts`, so that they provably are ours. */
export function clearDrafts(path: string, texts: readonly (string | null)[]): void {
  for (const file of leftoverDrafts(path)) {
    const read = readText(file, { follow: false });
    if (!read.ok || !texts.some((text) => text?.startsWith(read.text))) continue;
    try {
      unlinkSync(file);
    } catch {
      // Then it stays, and `policy doctor` names it.
    }
  }
}

function isOld(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  const own = process.getuid?.();
  return stat?.isFile() === true && stat.uid === (own ?? stat.uid) && Date.now() - stat.mtimeMs > OLD_MILLISECONDS;
}
