/** Hooks of others that may rewrite a call: all are asked about it as it was, and what one makes of it is not judged again. */
import { type DoctorCheck, note } from '../check.js';
import { otherHooks } from '../other-hooks.js';

/** Runners that take another input from a hook (spec: runners, §1.2; claude-code, §2.4). */
const REWRITING: ReadonlySet<string> = new Set(['claude-code', 'codex', 'gemini-cli', 'copilot-cli']);
const LONGEST = 80;

export const others: DoctorCheck = {
  id: 'others',
  examine: ({ examined, places }) =>
    examined
      .filter(({ runner, hooks }) => REWRITING.has(runner.id) && hooks.some(({ gates }) => gates))
      .flatMap(({ runner }) => otherHooks(runner, places).map(({ file, what }) => ({ id: runner.id, file, what })))
      .map(({ id, file, what }) =>
        note(
          id,
          `Another hook in ${file} (${what.slice(0, LONGEST)}) is asked about the same calls: should it rewrite one, ${id} runs what nobody judged`,
          `look whether that hook rewrites calls, and take it out of ${file} if it does`,
        ),
      ),
};
