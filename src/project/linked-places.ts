/**
 * The real places of protected paths that are links: people keep settings and start files in a repository of their own, and a
 * project may contain a link in place of its settings. Writing to the target changes the protected file.
 */
import { lstatSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import type { RunnerId } from '../call/tool-call.js';
import { protectedPatterns } from '../decide/place/sensitive-paths.js';
import { isInside } from '../disk/inside.js';
import { pathFact, realPath } from '../disk/real-path.js';
import { runnerNamed } from '../runner/runners.js';

interface Places {
  readonly home: string;
  /** Real path. */
  readonly project: string;
}

/** Settings of runners that are only protected by a folder above; listed here, since asking each runner would load all of them. */
const WITHIN = [
  '.copilot/hooks/policy.json',
  '.github/hooks/policy.json',
  '.config/opencode/plugins/policy.js',
  '.opencode/plugins/policy.js',
];

/** Returns the paths that are checked for links when a policy is prepared: below the home directory, and below the project. */
export function linkablePaths(): { readonly home: readonly string[]; readonly project: readonly string[] } {
  const { anywhere, home } = protectedPatterns('deny');
  return { home: [...home, ...anywhere, ...WITHIN], project: [...anywhere, ...WITHIN] };
}

/**
 * Returns the real places of all protected paths below the home directory and at the top of the project, if they are elsewhere;
 * for preparing a policy.
 * @param own the folders of policy, state and program, and the policy's files
 */
export function linkedPlaces({ home, project }: Places, own: readonly string[]): readonly string[] {
  const paths = linkablePaths();
  const all = [...own, ...paths.home.map((path) => `${home}/${path}`), ...paths.project.map((path) => `${project}/${path}`)];
  return elsewhere(all, { home, project });
}

/**
 * Returns the real places of the settings from which the runner reads its hooks. Looked up at every call that writes, since a
 * link may have been created after the policy was prepared.
 */
export function linkedSettings(runner: RunnerId, places: Places): readonly string[] {
  // Missing paths are filtered out without an exception, which would cost more than all other work here.
  return elsewhere(settingsOf(runner, places).filter(isThere), places);
}

/** Whether an entry exists at a path, even if it is only a link; true also if that cannot be determined. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file in place of a folder, or a folder that may not be entered: the path itself is used.
    return true;
  }
}

function settingsOf(runner: RunnerId, { home, project }: Places): readonly string[] {
  const places = runnerNamed(runner)?.places;
  const below = [places?.user, places?.project].flatMap((file) => file?.path ?? []);
  return [home, project].flatMap((folder) => below.map((path) => `${folder}/${path}`));
}

/** Omits folders that contain the project or the home directory: otherwise every write there would be one to a protected place. */
function elsewhere(paths: readonly string[], { home, project }: Places): readonly string[] {
  const found = new Set<string>();
  const placeOf = places();
  for (const path of paths) {
    const { real } = placeOf(path);
    if (real !== path && !isInside(project, real) && !isInside(home, real)) found.add(real);
  }
  return [...found];
}

interface RealPlace {
  readonly real: string;
  /** False if there is no folder, or that cannot be determined: then nothing below it is a link. */
  readonly there: boolean;
}

/**
 * Returns a function that resolves paths. Many of them are in the same few folders, and most of these do not exist: each is examined once.
 */
function places(): (path: string) => RealPlace {
  const known = new Map<string, RealPlace>();
  const placeOf = (path: string): RealPlace => {
    const found = known.get(path) ?? look(path);
    known.set(path, found);
    return found;
  };
  const look = (path: string): RealPlace => {
    const folder = dirname(path);
    if (folder === path) return { real: path, there: true };
    const around = placeOf(folder);
    const real = around.real.endsWith(sep) ? `${around.real}${basename(path)}` : `${around.real}${sep}${basename(path)}`;
    if (!around.there) return { real, there: false };
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isSymbolicLink()) return { real, there: stat?.isDirectory() ?? false };
    } catch {
      // A folder that may not be entered: the path itself is used.
    }
    const leads = realPath(path);
    return { real: leads ?? pathFact(path)?.real ?? real, there: leads !== null };
  };
  return placeOf;
}
