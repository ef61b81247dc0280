/** The entries of a folder, for callers that need to know all of them. */
import { type Dirent, readdirSync } from 'node:fs';
import { systemCode } from '../log/files/log-error.js';

/**
 * Returns the entries of a folder; none for a file or a missing folder. Null for a folder that cannot be listed: its files may
 * still be opened by name, by another process or from another folder.
 */
export function folderEntries(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : null;
  }
}

/** Returns the names in a folder; none if it is missing or cannot be listed. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
