/** The scripts that a project lists for its package manager. */
import { posix } from 'node:path';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';

const MOST_BYTES = 256 * 1024;

/**
 * Returns the names in `scripts` of the nearest file of that name, from its folder up to the top of the project; none if it cannot be read.
 */
export function scriptsOf(file: string, project: string): readonly string[] {
  const name = posix.basename(file);
  for (let folder = posix.dirname(file); isInside(folder, project); folder = posix.dirname(folder)) {
    const read = readText(posix.join(folder, name), { limit: MOST_BYTES });
    if (read.ok) return scriptsIn(read.text);
    if (read.code !== 'missing' || folder === project) break;
  }
  return [];
}

function scriptsIn(text: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}
