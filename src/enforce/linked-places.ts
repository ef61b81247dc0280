/**
 * Where protected places really lie when they are links: people keep settings and start files in a repository of their own, and a
 * project may come with a link in the place of its settings. Whoever writes there writes the protected file.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerId } from '../call/tool-call.js';
import { protectedPatterns } from '../decide/sensitive-paths.js';
import { allRunners, runnerNamed } from '../runner/registry.js';
import { isInside } from './inside.js';
import { pathFact, realPath } from './real-path.js';

interface Places {
  readonly home: string;
  /** Real path. */
  readonly project: string;
}

/**
 * The real places of everything that is protected below the home and at the top of the project, as far as they are elsewhere: for
 * who compiles a gate.
 * @param own the folders of policy, state and program, and the policy's files
 */
export function linkedPlaces({ home, project }: Places, own: readonly string[]): readonly string[] {
  const { anywhere, home: inHome } = protectedPatterns('deny');
  const paths = [
    ...own,
    ...inHome.map((path) => join(home, path)),
    ...anywhere.map((path) => join(project, path)),
    ...allRunners().flatMap((runner) => settingsOf(runner.id, { home, project })),
  ];
  return elsewhere(paths, { home, project });
}

/**
 * The real places of the settings that the runner reads its hooks from. They are looked up at every call that writes: a link that
 * came after the gate was compiled leads there, too.
 */
export function linkedSettings(runner: RunnerId, places: Places): readonly string[] {
  // What is not there at all is told without an error, which would cost more than all else here.
  return elsewhere(settingsOf(runner, places).filter(isThere), places);
}

function isThere(path: string): boolean {
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
  for (const path of paths) {
    const real = realPath(path) ?? pathFact(path)?.real;
    if (real !== undefined && real !== path && !isInside(project, real) && !isInside(home, real)) found.add(real);
  }
  return [...found];
}
