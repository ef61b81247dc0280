/** Paths and the folders that they lie in, by their text alone. */
import { isAbsolute, relative, sep } from 'node:path';

/** True when the path lies in the folder or is it. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder || (path.startsWith(`${folder}/`) && !path.includes('/..', folder.length))) return true;
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/** The path of what is called `name` in a folder. As `join`, which each hook would have to compile first. */
export function pathIn(folder: string, name: string): string {
  return folder.endsWith('/') || folder.endsWith(sep) ? folder + name : folder + sep + name;
}
