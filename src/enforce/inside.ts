/** Whether a path lies in a folder, by its text alone. */
import { isAbsolute, relative } from 'node:path';

/** True when the path lies in the folder or is it. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder || (path.startsWith(`${folder}/`) && !path.includes('/..', folder.length))) return true;
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
