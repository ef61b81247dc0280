/** Whether the hook is alone with the calls, told without any policy: there is nothing that one would have to judge. */
import type { InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/runner.js';
import { variablesOf } from '../doctor/checks/variables.js';
import { otherHooks } from '../doctor/found/other-hooks.js';
import { sandboxOpenings } from '../surroundings/openings.js';
import { riskyServers, riskySettings } from '../surroundings/risky-settings.js';
import { unknownSettings } from './known-settings.js';

/** True only where pastTheHook, unknownOf and unjudged (around.ts) have nothing to say under any policy. */
export function isAlone(runner: Runner, places: InstallPlaces): boolean {
  return (
    variablesOf(runner, places).length === 0 &&
    otherHooks(runner, places).length === 0 &&
    riskySettings(runner, places).length === 0 &&
    sandboxOpenings(runner, places).length === 0 &&
    riskyServers(places).length === 0 &&
    unknownSettings(runner, places).length === 0
  );
}
