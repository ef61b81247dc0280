/** Which policies of nested packages a call meets, told without reading any: a hook looks at every call. */
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../disk/inside.js';
import { systemCode } from '../log/files/log-error.js';
import { projectOf } from './project.js';

const NAMES = ['policy', 'policy.local'].flatMap((stem) => ['yaml', 'json', 'toml'].map((ending) => `${stem}.${ending}`));

/** What files of policies are called. */
export const POLICY_NAMES: ReadonlySet<string> = new Set(NAMES);

/**
 * The deepest folder from `cwd` up to the project that holds a policy file; the project when none below it does. For a `cwd`
 * elsewhere: the deepest from there up to its own project's top (a policy found over there tightens).
 * Calls with the same folder meet the same policies. Both are real paths.
 * @param seen folders that were looked at, and whether they hold one
 */
export function policyFolder(project: string, cwd: string, seen = new Map<string, boolean>()): string {
  const top = isInside(cwd, project) ? project : projectOf(cwd);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder === project) return project;
    const isHolder = seen.get(folder) ?? holdsPolicy(folder);
    seen.set(folder, isHolder);
    if (isHolder) return folder;
    if (folder === top || folder === dirname(folder)) return project;
  }
}

/** No path is joined here: a hook asks about every word of a line, most of which are no folders. */
function holdsPolicy(folder: string): boolean {
  return (
    isThere(() => statSync(folder, ONLY)?.isDirectory()) &&
    NAMES.some((name) => isThere(() => lstatSync(`${folder}/${name}`, ONLY)))
  );
}

const ONLY = { throwIfNoEntry: false } as const;

/** A dangling link is there, too; so is what may not be looked at, but nothing below a file or by a name that is too long. */
function isThere(look: () => unknown): boolean {
  try {
    return Boolean(look());
  } catch (error) {
    return !['ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error));
  }
}
