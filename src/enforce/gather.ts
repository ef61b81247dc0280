/** Gathers the facts of a call from the file system and the environment: exactly what `factsNeeded` names, bounded. */
import { lstatSync, opendirSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { type CallAnalysis, factsNeeded } from '../decide/analysis.js';
import type { BudgetFacts, Facts, PathFact } from '../decide/facts.js';
import { secretPath } from '../decide/sensitive-paths.js';
import { data } from '../generated/data.js';
import { gitFacts } from './git-facts.js';

/** Where the tool runs: what the facts are relative to. */
export interface Surroundings {
  /** Real path of the project. */
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ownDirectories: readonly string[];
  readonly budget: BudgetFacts | null;
}

const MAX_TREE_ENTRIES = 50_000;
const MAX_LINKS = 40;
const environmentData = data('environment') as {
  readonly variables: Readonly<Record<string, string>>;
  readonly harmless: Readonly<Record<string, readonly string[]>>;
};

/** The facts of one call made in `cwd`. */
export function gatherFacts(analysis: CallAnalysis, cwd: string, around: Surroundings): Facts {
  const needed = factsNeeded(analysis, { cwd, home: around.home });
  const paths: Record<string, PathFact> = {};
  for (const path of needed.paths) {
    const fact = pathFact(path);
    if (fact !== null) paths[path] = fact;
  }
  const secretTrees: Record<string, readonly string[] | null> = {};
  for (const tree of needed.trees) secretTrees[tree] = secretsBelow(tree, around.home);
  const { platform } = around;
  return {
    project: around.project,
    cwd: realPath(cwd) ?? cwd,
    home: around.home,
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    paths,
    secretTrees,
    git: needed.gitDirectories.length > 0 ? gitFacts(realPath(cwd) ?? cwd, needed.gitDirectories) : null,
    environment: hazardousVariables(around.environment),
    budget: around.budget,
    ownDirectories: around.ownDirectories,
  };
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Where a path really leads, symlinks of its existing parents resolved and a dangling link followed; null when that cannot be
 * told (a loop, no permission). The path is not collapsed first: `a/../b` depends on where `a` leads.
 */
export function pathFact(path: string): PathFact | null {
  if (!isAbsolute(path) || path.includes('\0')) return null;
  let pending = path;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    const real = realPath(pending);
    if (real !== null) return { real, kind: kindOf(real) };
    const { parent, rest } = existingParent(pending);
    if (parent === null) return null;
    if (rest.includes('..')) return null;
    const [next, ...below] = rest;
    const entry = next === undefined ? parent : join(parent, next);
    const link = linkTarget(entry);
    if (link === null) return { real: join(parent, ...rest), kind: 'missing' };
    pending = [isAbsolute(link) ? link : `${parent}/${link}`, ...below].join('/');
  }
  return null;
}

/** The longest existing beginning of a path, really resolved, and the segments that do not exist. */
function existingParent(path: string): { readonly parent: string | null; readonly rest: readonly string[] } {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (let count = segments.length - 1; count >= 0; count -= 1) {
    const real = realPath(`/${segments.slice(0, count).join('/')}`);
    if (real !== null) return { parent: real, rest: segments.slice(count) };
  }
  return { parent: null, rest: [] };
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function kindOf(path: string): PathFact['kind'] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  return stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other';
}

/** Secret files below a directory, without `.git` and installed packages; null when there are too many entries to say. */
export function secretsBelow(tree: string, home: string): readonly string[] | null {
  const found: string[] = [];
  const pending = [realPath(tree) ?? normalize(tree)];
  const base = pending[0] ?? tree;
  let seen = 0;
  while (pending.length > 0) {
    const directory = pending.pop() ?? '';
    const entries = list(directory);
    if (entries === null) {
      if (directory === base) return [];
      return null;
    }
    for (const entry of entries) {
      seen += 1;
      if (seen > MAX_TREE_ENTRIES) return null;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && entry.name !== 'node_modules') pending.push(path);
      } else if (secretPath(path, home) !== null) found.push(join(tree, path.slice(base.length)));
    }
  }
  return found.sort();
}

/** The entries of a directory; null when it cannot be listed (or is a file). Reads at most one more than the bound. */
function list(directory: string) {
  try {
    const handle = opendirSync(directory);
    const entries = [];
    try {
      for (let entry = handle.readSync(); entry !== null && entries.length <= MAX_TREE_ENTRIES; entry = handle.readSync())
        entries.push(entry);
    } finally {
      handle.closeSync();
    }
    return entries;
  } catch {
    return null;
  }
}

/** Variables of rules/environment.yaml that are set, and a PATH that looks into relative folders. */
function hazardousVariables(environment: Surroundings['environment']): Facts['environment'] {
  const found = Object.entries(environmentData.variables).flatMap(([name, affects]) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [{ name, affects }];
  });
  const path = environment.PATH ?? '';
  if (path.split(':').some((folder) => folder !== '' && !folder.startsWith('/') && !/^[A-Za-z]:/.test(folder)))
    found.push({ name: 'PATH', affects: '*' });
  return found;
}
