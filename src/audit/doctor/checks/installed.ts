/** Whether a hook of ours checks the calls of every runner on this machine. */
import { type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import { installLine, whereItApplies, working } from '../found/words.js';

export const installed: DoctorCheck = {
  id: 'installed',
  examine: ({ examined, runners }) => {
    if (examined.length === 0)
      return [
        problem(
          null,
          'Nothing is installed: no coding agent is on PATH, and no settings contain a policy hook',
          'policy install RUNNER',
        ),
      ];
    return examined.flatMap((one) => {
      const { id } = one.runner;
      const hooks = one.hooks.filter(({ blocks }) => blocks);
      const blocking = hooks.filter((hook) => working(one, hook));
      // A person is told to inspect a file that we cannot read.
      if (hooks.length === 0 && one.sources.some(({ unread }) => unread !== null)) return [];
      if (hooks.length === 0)
        return [problem(id, `No policy hook checks the calls of ${id}`, installLine(id, { scope: 'user' }, one))];
      const places = blocking.map(({ scope, file, place }) => `${whereItApplies(scope)} (${file}:${place})`);
      if (blocking.length === 0) return [];
      // Two hooks in one file of Codex: the trust check explains why (trust.ts).
      const twice = blocking.length > 1 && runners.length === 0 && new Set(blocking.map(({ file }) => file)).size > 1;
      const said = fine(id, `A policy hook checks the calls of ${id}: ${places.join(', ')}`);
      return twice
        ? [
            said,
            worthKnowing(
              id,
              `${blocking.length} policy hooks are installed; each call of ${id} is checked ${blocking.length} times`,
              `policy uninstall ${id} --${blocking.at(-1)?.scope}`,
            ),
          ]
        : [said];
    });
  },
};
