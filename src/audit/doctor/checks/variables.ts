/**
 * Variables that the project's own files set for the runner, and that a shell obeys before it reads the hook's line: bash called as `sh`
 * reads no command at all with `SHELLOPTS=noexec`, and ends with 0. No line can deny then, so that is told before it happens.
 */
import { join } from 'node:path';
import type { InstallPlaces } from '../../../enforce/install/target.js';
import type { Runner } from '../../../runner/runner.js';
import { type CheckResult, type DoctorCheck, problem } from '../check.js';
import { type PlacedVariable, variablesIn } from '../switch-variables.js';

/** Files of the project, from its top, whose variables a runner sets for itself. */
const FILES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'claude-code': [
    ['.claude', 'settings.json'],
    ['.claude', 'settings.local.json'],
  ],
  'gemini-cli': [['.gemini', '.env'], ['.env']],
  'qwen-code': [['.qwen', 'settings.json'], ['.qwen', '.env'], ['.env']],
};

/**
 * What changes how a shell starts, loads code into every program that the line starts, or has Claude Code give the line to another program
 * (tried with 2.1.330: the prefix stands before the lines of hooks, too).
 */
const OBEYED =
  /^(?:CLAUDE_CODE_SHELL_PREFIX|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|ZDOTDIR|_{0,2}BASH_FUNC.*|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_.*|PERL5(?:OPT|LIB|DB)|GCONV_PATH)$/;

const LONGEST = 80;

export const variables: DoctorCheck = {
  id: 'variables',
  examine: ({ examined, places }) =>
    examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).flatMap(({ runner }) => variablesOf(runner, places)),
};

/** What there is to say of the variables that a project sets for a runner. */
export function variablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  return obeyedVariables(runner, places).map(({ file, name, line }) =>
    problem(
      runner.id,
      `${file}:${line} sets ${name.slice(0, LONGEST)}, by which a shell may end before it starts the hook: ${runner.id} would run calls unchecked`,
      `take it out of ${file}:${line}, or do not start ${runner.id} in this project`,
    ),
  );
}

/** The variables of the project that a shell obeys. */
export function obeyedVariables(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  return projectFiles(runner, places).flatMap((file) =>
    variablesIn(file)
      .filter(({ name }) => OBEYED.test(name))
      .map(({ name, line }) => ({ file, name, line })),
  );
}

/** The files of the project whose variables a runner sets for itself. */
export function projectFiles(runner: Runner, { project }: InstallPlaces): readonly string[] {
  return (FILES[runner.id] ?? []).map((names) => join(project, ...names));
}
