/** Spans of time as people write them: `300s`, `10m`, `1h30m`; a number alone is seconds. */
import { type Arguments, textFlag } from '../arguments.js';
import { UsageError } from '../exit.js';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const SPAN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Milliseconds; undefined when the flag was not given. Throws UsageError for what is no span of time. */
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
    throw new UsageError(`--${name} is a span of time such as 90s, 10m or 1h30m, not ${JSON.stringify(value)}`);
  return Math.round(total);
}

/** A whole number; undefined when the flag was not given. Throws UsageError for anything else. */
export function countFlag(args: Arguments, name: string, least: number, example: number): number | undefined {
  const value = textFlag(args, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= least))
    throw new UsageError(`--${name} is a whole number from ${least}, such as ${example}, not ${JSON.stringify(value)}`);
  return count;
}
