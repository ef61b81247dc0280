/** Reads what yargs parsed as what it was declared to be, and says so when a flag was given twice. */
import { choiceAdvice } from '../policy/nearest.js';
import { isDeadline } from '../runner/deadline.js';
import { UsageError } from './exit.js';

/** The arguments of a command as yargs hands them over. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The value of a flag that takes a text; undefined when it was not given. Throws UsageError when it was given twice. */
export function textFlag(args: Arguments, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (Array.isArray(value)) throw new UsageError(`--${name} was given ${value.length} times; give it once`);
  return value === undefined ? undefined : String(value);
}

/** Whether a switch was given. Throws UsageError when it was given twice. */
export function switchFlag(args: Arguments, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (Array.isArray(value)) throw new UsageError(`--${name} was given ${value.length} times; give it once`);
  return value === true;
}

/** The value of a flag that takes one of a few words. Throws UsageError that names them. */
export function choiceFlag<Choice extends string>(args: Arguments, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = textFlag(args, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new UsageError(`--${name} is ${JSON.stringify(value)}; ${choiceAdvice(value, choices)}`);
  return chosen;
}

/** The values of a flag that may be repeated, in their order. */
export function textFlags(args: Arguments, name: string): readonly string[] {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
}

/** `--deadline`, in seconds. Throws UsageError for what no client would wait for. */
export function deadlineFlag(args: Arguments): number | undefined {
  const value = textFlag(args, 'deadline');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!isDeadline(seconds)) throw new UsageError('--deadline is a number of seconds between 0.1 and 25');
  return seconds;
}
