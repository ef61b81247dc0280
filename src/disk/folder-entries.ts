/** What a folder holds, for those who have to know all of it. */
import { type Dirent, readdirSync } from 'node:fs';
import { systemCode } from '../log/files/log-error.js';

/**
 * The entries of a folder; none for a file or something missing. Null for one that cannot be listed: what is in it can still be opened
 * by name, by another process or from another folder.
 */
export function folderEntries(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : null;
  }
}

/** The names in a folder; none for one that is missing or cannot be listed. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
