/** Times as people write them on a command line. */

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns milliseconds since 1970 for `2026-01-31`, `2026-01-31T12:00` or `2h` (ago); null for anything else. UTC unless the text
 * names another zone.
 * @param now milliseconds since 1970
 * @param edge which end of a day is meant
 */
export function momentOf(text: string, now: number, edge: 'start' | 'end'): number | null {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * (UNITS[unit] ?? 0);
  if (DAY.test(text)) return orNull(Date.parse(`${text}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`));
  const zone = TIME.exec(text);
  if (zone === null) return null;
  return orNull(Date.parse(`${text.replace(' ', 'T')}${zone[1] === undefined ? 'Z' : ''}`));
}

function orNull(moment: number): number | null {
  return Number.isNaN(moment) ? null : moment;
}
