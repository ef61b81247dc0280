/** Events besides tool calls that the engine needs: ends of subagents and of sessions. */
import { type DoctorCheck, worthKnowing } from '../found/check.js';
import { readHooks } from '../found/read-hooks.js';
import { installLine } from '../found/words.js';

export const events: DoctorCheck = {
  id: 'events',
  examine: ({ examined }) =>
    examined.flatMap((one) => {
      const { runner, hooks } = one;
      const first = hooks.find(({ blocks, event }) => blocks && event !== null);
      if (first === undefined) return [];
      // Our own settings as they would look in a file of their own.
      const text = runner.settings(first.command).text;
      const wanted = readHooks(runner, { scope: first.scope, file: first.file, text }).hooks.map(({ event }) => event);
      const missing = [...new Set(wanted)].filter(
        (event) => !hooks.some((hook) => hook.event === event && hook.scope === first.scope),
      );
      if (missing.length === 0) return [];
      const what = `${first.file} has no hook for ${missing.join(', ')}, so the log does not show what they report`;
      return [worthKnowing(runner.id, what, installLine(runner.id, first, one))];
    }),
};
