/** Variables that make a runner start no hook, and their sources: its environment, `env` of its settings, files of variables. */
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
  /** As a string; a program may read it with different blanks and quotes. */
  readonly value: string;
  /** Counts from 1. */
  readonly line: number;
}

export interface PlacedVariable {
  readonly file: string;
  readonly name: string;
  readonly line: number;
}

/** Reports a problem for each place in which such a variable is set. */
export function switchVariablesOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  const inFiles = offInFiles(runner, places).map(({ file, name, line }) =>
    problem(
      runner.id,
      `${file}:${line} sets ${name}, which makes ${runner.id} run no hook: every call would go unchecked`,
      `take ${name} out of ${file}:${line}`,
    ),
  );
  const inEnvironment = (runner.hookVariables?.off ?? [])
    .filter((name) => meansOn(places.environment[name]))
    .map((name) =>
      problem(runner.id, `${name} is set in the environment, so ${runner.id} runs no hook if started from here`, `unset ${name}`),
    );
  return [...inFiles, ...inEnvironment];
}

/** Returns the places where files set a variable that makes the runner start no hook, unless its environment overrides it. */
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

/** Returns the files that may set these variables. */
export function variableFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  return (runner.hookVariables?.files ?? []).flatMap((one) => filesOf(runner, one, places));
}

/** Returns variables that let commands run outside of the runner's sandbox, in files and (with file null) in the environment. */
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

/** Returns the files that may set sandbox variables. */
export function sandboxVariableFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  return (runner.sandboxVariables?.files ?? []).flatMap((one) => filesOf(runner, one, places));
}

/** Of several variable files, a runner takes the nearest one, even above the project. */
function filesOf(runner: Runner, { scope, path, isNearest }: VariableFile, places: InstallPlaces): readonly string[] {
  const file = switchFile(runner, { scope, path }, places);
  if (isNearest !== true) return [file];
  for (let folder = places.project; folder !== places.home; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return [join(folder, path)];
    if (folder === dirname(folder)) break;
  }
  return [];
}

/**
 * Returns the variables that the file sets: `env` of settings in JSON, otherwise lines of the form `NAME=value`. Empty for an
 * unreadable file, which is reported elsewhere.
 */
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
 * `NAME=value`, as dotenv reads it: any of JavaScript's line terminators ends a line, and the sign or a quoted value may follow
 * on a later line. Text inside a quoted value is also taken for variables.
 */
const ASSIGNED = /^[^\S\n\r\u2028\u2029]*(?:export\s+)?([A-Za-z_][\w%()]*)\s*[=:](?=(\s*(["'`])[\s\S]*?\3|.*))/gm;

function inEnvironmentFile(text: string): readonly SetVariable[] {
  return [...text.matchAll(ASSIGNED)].map(({ 0: { length }, 1: name = '', 2: rest = '', index }) => ({
    name,
    value: assignedValue(rest),
    line: lineOf(text, index + Math.max(0, text.slice(index, index + length).indexOf(name))),
  }));
}

function assignedValue(text: string): string {
  const [, , quoted] = /^\s*(["'`])([\s\S]*?)\1/.exec(text) ?? [];
  return quoted ?? text.replace(/#.*$/, '').trim();
}
