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

/**
 * With these Gemini CLI takes settings, hooks and servers from a folder or a file that the project names, or starts a command. Its `.env`
 * sets all of them (0.61.0); that of Qwen Code is kept from its own (0.24.4).
 */
const LEADING: Readonly<Record<string, RegExp>> = {
  'gemini-cli':
    /^(?:GEMINI_CLI_(?:HOME|SYSTEM_SETTINGS_PATH|SYSTEM_DEFAULTS_PATH|TRUSTED_FOLDERS_PATH|IDE_SERVER_STDIO_COMMAND)|GEMINI_SANDBOX_(?:IMAGE|PROXY_COMMAND)|SANDBOX_(?:FLAGS|MOUNTS))$/,
};

const LONGEST = 80;

export const variables: DoctorCheck = {
  id: 'variables',
  examine: ({ examined, places }) =>
    examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).flatMap(({ runner }) => variablesOf(runner, places)),
};

/** What there is to say of the variables that a project sets for a runner. */
export function variablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  return [
    ...obeyedVariables(runner, places).map((one) =>
      saidOf(runner, one, `by which a shell may end before it starts the hook: ${runner.id} would run calls unchecked`),
    ),
    ...leadingVariables(runner, places).map((one) =>
      saidOf(runner, one, `with which ${runner.id} may start commands, or obey settings and hooks, that nobody looked at`),
    ),
  ];
}

function saidOf({ id }: Runner, { file, name, line }: PlacedVariable, does: string): CheckResult {
  const message = `${file}:${line} sets ${name.slice(0, LONGEST)}, ${does}`;
  return problem(id, message, `take it out of ${file}:${line}, or do not start ${id} in this project`);
}

/** The variables of the project that a shell obeys. */
export function obeyedVariables(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  return projectVariables(runner, places, OBEYED);
}

/** Those with which the runner looks elsewhere for its settings, or starts a command. */
export function leadingVariables(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  const names = LEADING[runner.id];
  return names === undefined ? [] : projectVariables(runner, places, names);
}

function projectVariables(runner: Runner, places: InstallPlaces, names: RegExp): readonly PlacedVariable[] {
  return projectFiles(runner, places).flatMap((file) =>
    variablesIn(file)
      .filter(({ name }) => names.test(name))
      .map(({ name, line }) => ({ file, name, line })),
  );
}

/** The files of the project whose variables a runner sets for itself. */
export function projectFiles(runner: Runner, { project }: InstallPlaces): readonly string[] {
  return (FILES[runner.id] ?? []).map((names) => join(project, ...names));
}
