/** Reads the arguments parsed by yargs with their declared types, and reports a flag that was given twice. */
import { choiceAdvice } from '../../policy/nearest.js';
import { isDeadline } from '../../runner/hook/deadline.js';
import { UsageError } from '../terminal/exit.js';

/** The arguments of a command as returned by yargs. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Returns the value of a flag that takes a string; undefined when it was not given. Throws UsageError when it was given twice. */
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

/** Returns which one of these switches was given. Throws UsageError for two. */
export function oneSwitch<Name extends string>(args: Arguments, names: readonly Name[]): Name | undefined {
  const given = names.filter((name) => switchFlag(args, name));
  if (given.length > 1) throw new UsageError(`Give one of ${given.map((name) => `--${name}`).join(' and ')}, not both`);
  return given[0];
}

/** Returns the value of a flag that takes one of a few words. Throws UsageError that names them. */
export function choiceFlag<Choice extends string>(args: Arguments, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = textFlag(args, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new UsageError(`--${name} is ${JSON.stringify(value)}; ${choiceAdvice(value, choices)}`);
  return chosen;
}

/** Returns the values of a flag that may be repeated, in their order. */
export function textFlags(args: Arguments, name: string): readonly string[] {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Returns `--deadline`, in seconds. Throws UsageError for a value that is longer than any runner would wait. */
export function deadlineFlag(args: Arguments): number | undefined {
  const value = textFlag(args, 'deadline');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!isDeadline(seconds)) throw new UsageError('--deadline must be a number of seconds between 0.1 and 25');
  return seconds;
}

/** Units of durations as people write them: `300s`, `10m`, `1h30m`; a number alone is seconds. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const SPAN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Returns milliseconds; undefined when the flag was not given. Throws UsageError for an invalid duration. */
export function durationFlag(args: Arguments, name: string): number | undefined {
  const value = textFlag(args, name);
  if (value === undefined) return undefined;
  const written = /^\d+(?:\.\d+)?$/.test(value) ? `${value}s` : value;
  const total = SPAN.test(written)
    ? [...written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
        (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
        0,
      )
    : Number.NaN;
  if (!(total >= 1 && total <= 2_147_483_647))
    throw new UsageError(`--${name} must be a duration such as 90s, 10m or 1h30m, not ${JSON.stringify(value)}`);
  return Math.round(total);
}

/** Returns a whole number; undefined when the flag was not given. Throws UsageError for anything else. */
export function countFlag(args: Arguments, name: string, least: number, example: number): number | undefined {
  const value = textFlag(args, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= least))
    throw new UsageError(`--${name} must be a whole number from ${least}, such as ${example}, not ${JSON.stringify(value)}`);
  return count;
}
