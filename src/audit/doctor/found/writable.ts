/** Places that everybody can write: anyone who can rename a folder can put another one in its place, with other settings or programs. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { realPath } from '../../../disk/real-path.js';

/** Checks a path, its target, and the folders above both; returns those that everybody can write and remove entries from. */
export function writableOnTheWay(path: string): readonly string[] {
  const found = new Set<string>();
  for (const start of [path, realPath(path) ?? path])
    for (let at = start; ; at = dirname(at)) {
      const mode = process.getuid === undefined ? 0 : (statSync(at, { throwIfNoEntry: false })?.mode ?? 0);
      // In a sticky folder only the owner of an entry can remove it.
      if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) found.add(at);
      if (at === dirname(at)) break;
    }
  return [...found];
}
