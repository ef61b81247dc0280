/**
 * Variables that the project's own files set for the runner, and that a shell obeys before it reads the hook's line: bash called as `sh`
 * reads no command at all with `SHELLOPTS=noexec`, and ends with 0. No line can deny then, so that is told before it happens.
 */
import { join } from 'node:path';
import type { InstallPlaces } from '../../../enforce/install/target.js';
import type { Runner } from '../../../runner/runner.js';
import { type CheckResult, type DoctorCheck, problem } from '../check.js';
import { variablesIn } from '../switch-variables.js';

/** Files of the project, from its top, whose variables a runner sets for itself. */
const FILES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'claude-code': [
    ['.claude', 'settings.json'],
    ['.claude', 'settings.local.json'],
  ],
  'gemini-cli': [['.gemini', '.env'], ['.env']],
  'qwen-code': [['.qwen', '.env'], ['.env']],
};

/** What changes how a shell starts, or loads code into every program that the line starts. */
const OBEYED =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|ZDOTDIR|_{0,2}BASH_FUNC.*|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_.*|PERL5(?:OPT|LIB|DB)|GCONV_PATH)$/;

const LONGEST = 80;

export const variables: DoctorCheck = {
  id: 'variables',
  examine: ({ examined, places }) =>
    examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).flatMap(({ runner }) => variablesOf(runner, places)),
};

/** What there is to say of the variables that a project sets for a runner. */
export function variablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  return (FILES[runner.id] ?? []).flatMap((names) => {
    const file = join(places.project, ...names);
    return variablesIn(file)
      .filter(({ name }) => OBEYED.test(name))
      .map(({ name, line }) =>
        problem(
          runner.id,
          `${file}:${line} sets ${name.slice(0, LONGEST)}, by which a shell may end before it starts the hook: ${runner.id} would run calls unchecked`,
          `take it out of ${file}:${line}, or do not start ${runner.id} in this project`,
        ),
      );
  });
}
