/** Settings around the hook by which an agent bypasses it. */
import { allRunners } from '../../../runner/runners.js';
import { type Surrounding, serverSurroundings, surroundingsOf } from '../../surroundings/surroundings.js';
import type { CheckResult, DoctorCheck } from '../found/check.js';
import { openedWorkspace } from '../found/subject.js';
import { isNews } from './others.js';

export const surroundings: DoctorCheck = {
  id: 'surroundings',
  examine: (subject) => {
    const { places, runners, examined } = subject;
    // The settings check reports these files as unreadable.
    const said = new Set(
      examined.flatMap(({ sources, unread, hooks }) => [
        ...sources.filter((one) => one.unread !== null || one.ignored !== null).map(({ file }) => file),
        ...(hooks.length === 0 ? [] : unread.map(({ file }) => file)),
      ]),
    );
    const isUnsaid = ({ file, message }: Surrounding) => !(said.has(file) && message.startsWith(`${file} cannot be read`));
    const opened = openedWorkspace(subject);
    const workspace = opened.ok ? opened.workspace : null;
    const named = allRunners().filter(({ id }) => runners.length === 0 || runners.includes(id));
    return [
      ...named.flatMap((runner) =>
        surroundingsOf(runner, places, workspace, isNews(subject, runner))
          .filter(isUnsaid)
          .map((one) => resultOf(runner.id, one)),
      ),
      ...serverSurroundings(places, workspace).map((one) => resultOf(null, one)),
    ];
  },
};

function resultOf(runner: string | null, { level, message, fix }: Surrounding): CheckResult {
  return { level, runner, message, fix };
}
