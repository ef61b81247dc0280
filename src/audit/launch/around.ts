/** Before `policy run` starts a runner: which files of the project act past the hook? */
import type { InstallPlaces } from '../../enforce/install/target.js';
import type { Workspace } from '../../enforce/project/workspace.js';
import type { Runner } from '../../runner/runner.js';
import { othersOf } from '../doctor/checks/others.js';
import { variablesOf } from '../doctor/checks/variables.js';
import { serverSurroundings, surroundingsOf } from '../surroundings.js';
import type { HookProblem } from './hook-ready.js';

/** Hooks that may rewrite a call once it was judged, and variables that keep the hook from starting: with them nothing is started. */
export function pastTheHook(runner: Runner, places: InstallPlaces, workspace: Workspace): readonly HookProblem[] {
  return [...othersOf(runner, places, workspace), ...variablesOf(runner, places)].flatMap(({ level, message, fix }) =>
    level === 'problem' ? [{ message, fix: fix ?? `policy doctor ${runner.id}` }] : [],
  );
}

/** What the runner starts or sends by itself, and no call of an agent: the hook does not judge it, so a person has to know of it. */
export function unjudged(runner: Runner, places: InstallPlaces, workspace: Workspace): readonly HookProblem[] {
  return [...surroundingsOf(runner, places, workspace), ...serverSurroundings(places, workspace)].filter(
    ({ level }) => level === 'problem',
  );
}
