/** Policies, settings and hooks of nested projects, which are lost or changed with a folder that is deleted, moved, replaced or filled. */
import { posix } from 'node:path';
import type { Facts } from '../ruling/facts.js';
import { mayOpen } from './file-name-filters.js';
import type { PathReference } from './path-references.js';

/** A clause about the first of them below a folder, by its path, or about why that is unknown; null if there is none. */
export function settingsBelow(folder: string, facts: Facts, filter: PathReference['filter'] = null): string | null {
  const below = facts.settingsBelow?.[posix.normalize(folder).replace(/(?<=.)\/$/, '')];
  if (below === null) return 'it contains too many files to say which';
  const first = below?.find((path) => filter === null || mayOpen(filter, path.slice(folder.length + 1)));
  return first === undefined ? null : `${posix.relative(facts.project, first)}, which is protected, is inside it`;
}
