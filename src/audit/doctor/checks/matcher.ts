/** Hooks that do not run before every call: matchers, conditions, timeouts. */
import { type DoctorCheck, problem } from '../found/check.js';
import { installLine } from '../found/words.js';

export const matcher: DoctorCheck = {
  id: 'matcher',
  examine: ({ examined }) =>
    examined.flatMap((one) =>
      one.hooks.flatMap(({ gaps, file, place, scope }) =>
        gaps.map((gap) =>
          problem(
            one.runner.id,
            `The hook in ${file}:${place} misses calls: ${gap}`,
            installLine(one.runner.id, { scope, file }, one),
          ),
        ),
      ),
    ),
};
