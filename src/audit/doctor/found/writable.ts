/** What everybody can write: whoever can rename a folder can put another in its place, with other settings or programs in it. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { realPath } from '../../../disk/real-path.js';

/** Of a path, of what it leads to, and of the folders above both: those that everybody can write, and take things out of. */
export function writableOnTheWay(path: string): readonly string[] {
  const found = new Set<string>();
  for (const start of [path, realPath(path) ?? path])
    for (let at = start; ; at = dirname(at)) {
      const mode = process.getuid === undefined ? 0 : (statSync(at, { throwIfNoEntry: false })?.mode ?? 0);
      // In a sticky folder only the owner of a thing can take it out.
      if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) found.add(at);
      if (at === dirname(at)) break;
    }
  return [...found];
}
