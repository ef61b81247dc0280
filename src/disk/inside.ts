/** The relation of paths to folders, by their text alone. */
import { isAbsolute, relative, sep } from 'node:path';

/** True if the path is in the folder, or is the folder itself. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder || (path.startsWith(`${folder}/`) && !path.includes('/..', folder.length))) return true;
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/** Returns the path of `name` in a folder. Like `join`, which each hook would first have to compile. */
export function pathIn(folder: string, name: string): string {
  return folder.endsWith('/') || folder.endsWith(sep) ? folder + name : folder + sep + name;
}
