/** Secret files below a directory, for commands that read whole trees. */
import { type Dirent, opendirSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { secretPath } from '../../decide/place/sensitive-paths.js';
import { isDotGit, type NestedFound } from '../../disk/git/nested-repositories.js';
import { isInside } from '../../disk/inside.js';
import { pathFact, realPath } from '../../disk/real-path.js';
import { systemCode } from '../../log/files/log-error.js';
import { credentialFilesIn, credentialFileTest } from './credential-files.js';
import { holdsNoSecret } from './secretless-files.js';

const MAX_TREE_ENTRIES = 50_000;
/** Folders that tree readers skip: the repository's own, and installed packages. */
export const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The contents of one real directory; paths are real up to the link itself. */
interface Contents {
  readonly secrets: readonly string[];
  /** Links to folders within the boundary: they are not walked, but a program that follows them reads their targets. */
  readonly folderLinks: readonly { readonly path: string; readonly target: string }[];
}

/**
 * Returns a function that lists the secret files below a directory, without `.git` and installed packages; null when there are
 * too many entries. A link is listed itself when it leads to a secret, out of the project (or out of a tree outside the project),
 * or to a folder with secrets. All calls share one budget of entries, and each directory is walked only once.
 * @param nested collects the repositories and installed packages that the walks find
 */
export function secretTreeReader(
  home: string,
  project: string,
  budget: number = MAX_TREE_ENTRIES,
  nested?: NestedFound,
): (tree: string) => readonly string[] | null {
  let left = budget;
  const walked = new Map<string, Map<string, Contents | null>>();
  const holdsCredential = credentialFileTest(project, home);

  function contentsOf(directory: string, boundary: string): Contents | null {
    const known = walked.get(boundary) ?? new Map<string, Contents | null>();
    walked.set(boundary, known);
    const before = known.get(directory);
    if (before !== undefined) return before;
    const contents = walk(directory, boundary);
    known.set(directory, contents);
    return contents;
  }

  function walk(directory: string, boundary: string): Contents | null {
    // Never renewed: several trees that are too large must not each cost a walk.
    if (left < 0) return null;
    const entries = list(directory, left);
    if (entries === null) return null;
    left -= entries.length;
    if (left < 0) return null;
    const secrets: string[] = [];
    const folderLinks: Contents['folderLinks'][number][] = [];
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (nested !== undefined && isDotGit(entry.name)) nested.trees.add(directory);
      if (entry.isDirectory()) {
        if (SKIPPED.has(entry.name)) {
          if (entry.name === 'node_modules') nested?.packed.add(path);
          else for (const file of credentialFilesIn(path, holdsCredential)) secrets.push(file);
          continue;
        }
        const below = contentsOf(path, boundary);
        if (below === null) return null;
        for (const secret of below.secrets) secrets.push(secret);
        for (const link of below.folderLinks) folderLinks.push(link);
      } else if (secretPath(path, home) !== null || holdsCredential(path)) {
        if (!entry.isFile() || !holdsNoSecret(path)) secrets.push(path);
      } else if (entry.isSymbolicLink()) {
        const fact = pathFact(path);
        if (fact !== null && SKIPPED.has(entry.name) && basename(fact.real) === entry.name) continue;
        if (fact === null || secretPath(fact.real, home) !== null || !isInside(fact.real, boundary)) secrets.push(path);
        else if (fact.kind === 'directory') folderLinks.push({ path, target: fact.real });
      }
    }
    return { secrets, folderLinks };
  }

  /** Whether following the link, and the links below its target, leads to a secret; null if that cannot be determined. */
  function leadsToSecrets(target: string, base: string, boundary: string): boolean | null {
    const pending = [target];
    const visited = new Set<string>();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (visited.has(next) || isInside(next, base)) continue;
      visited.add(next);
      const contents = contentsOf(next, boundary);
      if (contents === null) return null;
      if (contents.secrets.length > 0) return true;
      for (const link of contents.folderLinks) pending.push(link.target);
    }
    return false;
  }

  return (tree) => {
    const base = realPath(tree) ?? normalize(tree);
    if (!canList(base)) return [];
    const boundary = isInside(base, project) ? project : base;
    const contents = contentsOf(base, boundary);
    if (contents === null) return null;
    const found = [...contents.secrets];
    for (const { path, target } of contents.folderLinks) {
      const leads = leadsToSecrets(target, base, boundary);
      if (leads === null) return null;
      if (leads) found.push(path);
    }
    return found.map((path) => join(tree, path.slice(base.length))).sort();
  };
}

/** Returns the entries of a directory, at most one more than `limit`; null when it cannot be listed (or is a file). */
function list(directory: string, limit: number): Dirent[] | null {
  try {
    const handle = opendirSync(directory);
    const entries: Dirent[] = [];
    try {
      for (let entry = handle.readSync(); entry !== null && entries.length <= limit; entry = handle.readSync())
        entries.push(entry);
    } finally {
      handle.closeSync();
    }
    return entries;
  } catch {
    return null;
  }
}

function canList(directory: string): boolean {
  try {
    opendirSync(directory).closeSync();
    return true;
  } catch (error) {
    // In these cases the program that reads the tree cannot list it either. After any other error, the walk reports that the tree
    // is unknown.
    return !['EACCES', 'ENOENT', 'ENOTDIR'].includes(systemCode(error));
  }
}
