/** Before `policy run` starts a runner: which files of the project act past the hook? */
import { dirname } from 'node:path';
import type { InstallPlaces } from '../../enforce/install/target.js';
import type { Workspace } from '../../enforce/project/workspace.js';
import type { Runner } from '../../runner/runner.js';
import { othersOf } from '../doctor/checks/others.js';
import { variablesOf } from '../doctor/checks/variables.js';
import { serverSurroundings, surroundingsOf } from '../surroundings.js';
import type { HookProblem } from './hook-ready.js';

/**
 * Hooks that may rewrite a call once it was judged, and variables that keep the hook from starting: with them nothing is started.
 * @param cwd where the runner works, in the project: it reads the files of that folder, and of those above it
 */
export function pastTheHook(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  const found = eachFolder(places, cwd).flatMap((here) => [...othersOf(runner, here, workspace), ...variablesOf(runner, here)]);
  return once(
    found.flatMap(({ level, message, fix }) =>
      level === 'problem' ? [{ message, fix: fix ?? `policy doctor ${runner.id}` }] : [],
    ),
  );
}

/** What the runner starts or sends by itself, and no call of an agent: the hook does not judge it, so a person has to know of it. */
export function unjudged(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  const found = eachFolder(places, cwd).flatMap((here) => [
    ...surroundingsOf(runner, here, workspace),
    ...serverSurroundings(here, workspace),
  ]);
  return once(found.filter(({ level }) => level === 'problem'));
}

/** The project, and each folder on the way from it to the one where the runner works. */
function eachFolder(places: InstallPlaces, cwd: string): readonly InstallPlaces[] {
  const folders = [places.project];
  for (let at = cwd; at !== places.project && at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders.map((project) => ({ ...places, project }));
}

/** What lies outside of the project is found from each folder. */
function once<Found extends { readonly message: string }>(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [one.message, one])).values()];
}
