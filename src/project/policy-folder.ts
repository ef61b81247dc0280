/** Which policies of nested packages apply to a call, determined without reading any: a hook checks that at every call. */
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../disk/inside.js';
import { systemCode } from '../log/files/log-error.js';
import { projectOf } from './project.js';

const NAMES = ['policy', 'policy.local'].flatMap((stem) => ['yaml', 'json', 'toml'].map((ending) => `${stem}.${ending}`));

/** Names of policy files. */
export const POLICY_NAMES: ReadonlySet<string> = new Set(NAMES);

/**
 * Returns the deepest folder from `cwd` up to the project that contains a policy file; the project if none below it does. For a
 * `cwd` elsewhere: the deepest from there up to the top of its own project (a policy found there adds restrictions). The same
 * policies apply to calls with the same folder. Both are real paths.
 * @param seen folders that were examined, and whether they contain a policy
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

/** Joins no paths: a hook asks about every word of a line, and most words are no folders. */
function holdsPolicy(folder: string): boolean {
  return (
    isThere(() => statSync(folder, ONLY)?.isDirectory()) &&
    NAMES.some((name) => isThere(() => lstatSync(`${folder}/${name}`, ONLY)))
  );
}

const ONLY = { throwIfNoEntry: false } as const;

/**
 * Also true for a dangling link and for an entry that may not be examined, but not for a path below a file or with a name that is too long.
 */
function isThere(look: () => unknown): boolean {
  try {
    return Boolean(look());
  } catch (error) {
    return !['ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error));
  }
}
