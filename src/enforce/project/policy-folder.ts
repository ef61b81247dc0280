/** Which policies of nested packages a call meets, told without reading any: a hook looks at every call. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../log/log-error.js';
import { isInside } from '../facts/inside.js';
import { projectOf } from './project.js';

const NAMES = ['policy', 'policy.local'].flatMap((stem) => ['yaml', 'json', 'toml'].map((ending) => `${stem}.${ending}`));

/**
 * The deepest folder from `cwd` up to the project that holds a policy file; the project when none below it does. For a `cwd`
 * elsewhere: the deepest from there up to its own project's top (a policy found over there tightens).
 * Calls with the same folder meet the same policies. Both are real paths.
 */
export function policyFolder(project: string, cwd: string): string {
  const top = isInside(cwd, project) ? project : projectOf(cwd);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder === project) return project;
    if (NAMES.some((name) => isThere(join(folder, name)))) return folder;
    if (folder === top || folder === dirname(folder)) return project;
  }
}

/** A dangling link is there, too; so is what may not be looked at, but nothing below a file or by a name that is too long. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !['ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error));
  }
}
