/**
 * Where protected places really lie when they are links: people keep settings and start files in a repository of their own, and a
 * project may come with a link in the place of its settings. Whoever writes there writes the protected file.
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

/** Settings of runners of which only a folder above is named as protected; not asked of each runner, which would start all of them. */
const WITHIN = [
  '.copilot/hooks/policy.json',
  '.github/hooks/policy.json',
  '.config/opencode/plugins/policy.js',
  '.opencode/plugins/policy.js',
];

/** The paths that are looked at for links when a policy is prepared: below the home, and below the project. */
export function linkablePaths(): { readonly home: readonly string[]; readonly project: readonly string[] } {
  const { anywhere, home } = protectedPatterns('deny');
  return { home: [...home, ...anywhere, ...WITHIN], project: [...anywhere, ...WITHIN] };
}

/**
 * The real places of everything that is protected below the home and at the top of the project, as far as they are elsewhere: for
 * who prepares a policy.
 * @param own the folders of policy, state and program, and the policy's files
 */
export function linkedPlaces({ home, project }: Places, own: readonly string[]): readonly string[] {
  const paths = linkablePaths();
  const all = [...own, ...paths.home.map((path) => `${home}/${path}`), ...paths.project.map((path) => `${project}/${path}`)];
  return elsewhere(all, { home, project });
}

/**
 * The real places of the settings that the runner reads its hooks from. They are looked up at every call that writes: a link that
 * came after the policy was prepared leads there, too.
 */
export function linkedSettings(runner: RunnerId, places: Places): readonly string[] {
  // What is not there at all is told without an error, which would cost more than all else here.
  return elsewhere(settingsOf(runner, places).filter(isThere), places);
}

/** Whether something stands at a path, if only a link; true as well where nobody can tell. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file where a folder would have to be, or a folder that cannot be looked into: its path tells.
    return true;
  }
}

function settingsOf(runner: RunnerId, { home, project }: Places): readonly string[] {
  const places = runnerNamed(runner)?.places;
  const below = [places?.user, places?.project].flatMap((file) => file?.path ?? []);
  return [home, project].flatMap((folder) => below.map((path) => `${folder}/${path}`));
}

/** A folder that holds the project or the home stays what it is: there every write would be one to a protected place. */
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
  /** False where nothing is, or nothing can be told: then what is below it has no links of its own. */
  readonly there: boolean;
}

/** Where paths lead. Many of them lie in the same few folders, and most of those are not there: each is looked at once. */
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
      // A folder that cannot be looked into: its path tells.
    }
    const leads = realPath(path);
    return { real: leads ?? pathFact(path)?.real ?? real, there: leads !== null };
  };
  return placeOf;
}
