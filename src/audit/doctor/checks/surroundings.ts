/** Settings around the hook with which an agent goes past it. */
import { allRunners } from '../../../runner/registry.js';
import { type Surrounding, serverSecrets, surroundingsOf } from '../../surroundings.js';
import type { CheckResult, DoctorCheck } from '../check.js';
import { openedWorkspace } from '../subject.js';

export const surroundings: DoctorCheck = {
  id: 'surroundings',
  examine: (subject) => {
    const { places, runners } = subject;
    const opened = openedWorkspace(subject);
    const workspace = opened.ok ? opened.workspace : null;
    const named = allRunners().filter(({ id }) => runners.length === 0 || runners.includes(id));
    return [
      ...named.flatMap((runner) => surroundingsOf(runner, places, workspace).map((one) => resultOf(runner.id, one))),
      ...serverSecrets(places).map((one) => resultOf(null, one)),
    ];
  },
};

function resultOf(runner: string | null, { level, message, fix }: Surrounding): CheckResult {
  return { level, runner, message, fix };
}
