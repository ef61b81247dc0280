/** Variables that make a runner start no hook, where it takes them from: its environment, `env` of its settings, files of variables. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, JsonTextError, type JsonValue, lineOf, readJsonText } from '../../../disk/json-text.js';
import { readText } from '../../../disk/read.js';
import type { InstallPlaces } from '../../../install/target.js';
import { meansOn, type Runner, type VariableFile } from '../../../runner/hook/runner.js';
import { type CheckResult, problem } from './check.js';
import { switchFile } from './switch-file.js';

export interface SetVariable {
  readonly name: string;
  /** As text; what a program reads may differ in blanks and quotes. */
  readonly value: string;
  /** Counts from 1. */
  readonly line: number;
}

export interface PlacedVariable {
  readonly file: string;
  readonly name: string;
  readonly line: number;
}

/** A problem for each place in which such a variable is set. */
export function switchVariablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  const inFiles = offInFiles(runner, places).map(({ file, name, line }) =>
    problem(
      runner.id,
      `${file}:${line} sets ${name}, with which ${runner.id} runs no hook: every call would go unchecked`,
      `take ${name} out of ${file}:${line}`,
    ),
  );
  const inEnvironment = (runner.hookVariables?.off ?? [])
    .filter((name) => meansOn(places.environment[name]))
    .map((name) =>
      problem(
        runner.id,
        `${name} is set in the environment, so that ${runner.id} runs no hook when it is started from here`,
        `unset ${name}`,
      ),
    );
  return [...inFiles, ...inEnvironment];
}

/** Where files set a variable with which the runner starts no hook, and its environment says nothing else. */
export function offInFiles(runner: Runner, places: InstallPlaces): readonly PlacedVariable[] {
  const { hookVariables } = runner;
  if (hookVariables === undefined) return [];
  const { environmentWins } = hookVariables;
  const isDecided = (name: string) => environmentWins && places.environment[name] !== undefined;
  const off = hookVariables.off.filter((name) => !isDecided(name));
  return variableFiles(runner, places).flatMap((file) =>
    variablesIn(file)
      .filter(({ name, value }) => off.includes(name) && meansOn(value))
      .map(({ name, line }) => ({ file, name, line })),
  );
}

/** The files that may set them. */
export function variableFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  return (runner.hookVariables?.files ?? []).flatMap((one) => filesOf(runner, one, places));
}

/** Variables with which commands may run outside of the runner's sandbox, in files and (without a file) in the environment. */
export function sandboxVariablesIn(
  runner: Runner,
  places: InstallPlaces,
): readonly (Omit<PlacedVariable, 'file'> & { readonly file: string | null })[] {
  const { sandboxVariables } = runner;
  if (sandboxVariables === undefined) return [];
  const opens = (name: string, value: string) =>
    value !== '' &&
    sandboxVariables.prefixes.some((start) => name.startsWith(start)) &&
    !(name === sandboxVariables.switch && sandboxVariables.on.includes(value.trim().toLowerCase()));
  const inFiles = sandboxVariableFiles(runner, places).flatMap((file) =>
    variablesIn(file).flatMap(({ name, value, line }) => (opens(name, value) ? [{ file, name, line }] : [])),
  );
  const inEnvironment = Object.entries(places.environment).flatMap(([name, value]) =>
    opens(name, value ?? '') ? [{ file: null, name, line: 1 }] : [],
  );
  return [...inFiles, ...inEnvironment];
}

/** The files that may set those. */
export function sandboxVariableFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  return (runner.sandboxVariables?.files ?? []).flatMap((one) => filesOf(runner, one, places));
}

/** Of files of variables a runner takes the nearest, above the project, too. */
function filesOf(runner: Runner, { scope, path, isNearest }: VariableFile, places: InstallPlaces): readonly string[] {
  const file = switchFile(runner, { scope, path }, places);
  if (isNearest !== true) return [file];
  for (let folder = places.project; folder !== places.home; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return [join(folder, path)];
    if (folder === dirname(folder)) break;
  }
  return [];
}

/** What the file sets: `env` of settings in JSON, else lines `NAME=value`. Nothing of a file that cannot be read, which is told elsewhere. */
export function variablesIn(file: string): readonly SetVariable[] {
  const read = readText(file);
  if (!read.ok) return [];
  return file.endsWith('.json') ? inSettings(read.text) : inEnvironmentFile(read.text);
}

function inSettings(text: string): readonly SetVariable[] {
  return [...environmentIn(text)].map(([name, value]) => ({
    name,
    value: typeof value === 'object' ? '' : String(value),
    line: lineOf(text, Math.max(0, text.indexOf(JSON.stringify(name)))),
  }));
}

function environmentIn(text: string): ReadonlyMap<string, JsonValue> {
  try {
    const { value } = readJsonText(text, false);
    const set = isMap(value) ? value.get('env') : undefined;
    return isMap(set) ? set : new Map();
  } catch (error) {
    if (error instanceof JsonTextError) return new Map();
    throw error;
  }
}

/**
 * `NAME=value`, as dotenv reads it: a line ends with any of JavaScript's line ends, and the sign or a quoted value may follow on a later
 * line. What stands in a quoted value is taken for variables, too.
 */
const ASSIGNED = /^[^\S\n\r\u2028\u2029]*(?:export\s+)?([A-Za-z_][\w%()]*)\s*[=:](?=(\s*(["'`])[\s\S]*?\3|.*))/gm;

function inEnvironmentFile(text: string): readonly SetVariable[] {
  return [...text.matchAll(ASSIGNED)].map(({ 0: { length }, 1: name = '', 2: rest = '', index }) => ({
    name,
    value: unquoted(rest),
    line: lineOf(text, index + Math.max(0, text.slice(index, index + length).indexOf(name))),
  }));
}

function unquoted(text: string): string {
  const [, , quoted] = /^\s*(["'`])([\s\S]*?)\1/.exec(text) ?? [];
  return quoted ?? text.replace(/#.*$/, '').trim();
}
