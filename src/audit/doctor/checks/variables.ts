/**
 * Variables that the project's own files set for the runner, and that a shell obeys before it reads the hook's line: bash called as `sh`
 * does not execute any command with `SHELLOPTS=noexec`, and exits with 0. No line can deny then, so this is reported before it happens. The
 * same applies to variables that a runner reads itself: a project may set only a few harmless ones of these (rules/known-settings/).
 */
import { join } from 'node:path';
import { traitsOf } from '../../../call/traits.js';
import { data } from '../../../generated/data.js';
import type { InstallPlaces } from '../../../install/target.js';
import type { Runner } from '../../../runner/hook/runner.js';
import { type CheckResult, type DoctorCheck, problem } from '../found/check.js';
import { type PlacedVariable, variablesIn } from '../found/switch-variables.js';

/**
 * Variables that change how a shell starts, load code into every program that the line starts, or make Claude Code pass the line
 * to another program (tried with 2.1.330: the prefix is also added to the lines of hooks).
 */
const OBEYED =
  /^(?:CLAUDE_CODE_SHELL_PREFIX|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|ZDOTDIR|_{0,2}BASH_FUNC.*|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_.*|PERL5(?:OPT|LIB|DB)|GCONV_PATH)$/;

/** Names of variables; a `*` at the end matches any ending. */
interface KnownVariables {
  readonly read: readonly string[];
  readonly harmless: readonly string[];
}

const LONGEST = 80;

export const variables: DoctorCheck = {
  id: 'variables',
  examine: ({ examined, places }) =>
    examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).flatMap(({ runner }) => variablesOf(runner, places)),
};

/** Returns the results for the variables that a project sets for a runner. */
export function variablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  return [
    ...obeyedVariables(runner, places).map((one) =>
      saidOf(runner, one, `which may make a shell exit before it starts the hook: ${runner.id} would run calls unchecked`),
    ),
    ...leadingVariables(runner, places).map((one) =>
      saidOf(
        runner,
        one,
        `which may make ${runner.id} use other settings, start commands, write files or contact another server, unchecked`,
      ),
    ),
  ];
}

function saidOf({ id }: Runner, { file, name, line }: PlacedVariable, does: string): CheckResult {
  const message = `${file}:${line} sets ${name.slice(0, LONGEST)}, ${does}`;
  return problem(
    id,
    message,
    `remove it from ${file}:${line}, or do not start ${id} in this project; set the variables that you want yourself`,
  );
}

/** Returns the variables of the project that a shell obeys. */
export function obeyedVariables(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  return projectVariables(runner, places, (name) => OBEYED.test(name));
}

/** Returns the variables that the runner itself reads: where it looks for settings, what it starts and writes, which server it talks to. */
export function leadingVariables(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  const known = (data(`known-settings/${runner.id}`) as { readonly variables?: KnownVariables } | undefined)?.variables;
  // In the home directory the same files belong to the person.
  if (known === undefined || places.project === places.home) return [];
  const harmless = new Set(known.harmless);
  const isRead = (name: string) =>
    known.read.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  // Variables that a shell obeys are already reported.
  return projectVariables(runner, places, (name) => isRead(name) && !harmless.has(name) && !OBEYED.test(name));
}

function projectVariables(runner: Runner, places: InstallPlaces, isMeant: (name: string) => boolean): readonly PlacedVariable[] {
  return projectFiles(runner, places).flatMap((file) =>
    variablesIn(file)
      .filter(({ name }) => isMeant(name))
      .map(({ name, line }) => ({ file, name, line })),
  );
}

/** Returns the files of the project from which a runner takes variables for itself. */
export function projectFiles(runner: Runner, { project }: InstallPlaces): readonly string[] {
  return (traitsOf(runner.id).variableFiles ?? []).map((path) => join(project, path));
}
