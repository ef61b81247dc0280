/**
 * Formats times in UTC like `toISOString`, which makes V8 determine the machine's time zone first, file by file: a waste for a
 * hook that writes one time.
 */

const DAY = 86_400_000;
/** The last millisecond of the year 9999; later years are written with a sign. */
const LAST = 253_402_300_799_999;
/** Days of 400 years, and days from 0000-03-01 to 1970-01-01: in years that begin in March, the leap day is the last day. */
const CYCLE = 146_097;
const BEFORE = 719_468;

/** Returns `2026-01-31T23:59:59.999Z` for milliseconds since 1970. */
export function isoTime(time: number): string {
  if (!Number.isInteger(time) || time < 0 || time > LAST) return new Date(time).toISOString();
  const ms = time % DAY;
  const days = (time - ms) / DAY + BEFORE;
  const day = days % CYCLE;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const ofYear = day - 365 * year - Math.floor(year / 4) + Math.floor(year / 100);
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const calendarYear = year + 400 * Math.floor(days / CYCLE) + (month < 10 ? 0 : 1);
  const date = `${digits(calendarYear, 4)}-${digits(month < 10 ? month + 3 : month - 9, 2)}-${digits(ofMonth, 2)}`;
  const clock = `${digits(Math.floor(ms / 3_600_000), 2)}:${digits(Math.floor(ms / 60_000) % 60, 2)}`;
  return `${date}T${clock}:${digits(Math.floor(ms / 1000) % 60, 2)}.${digits(ms % 1000, 3)}Z`;
}

function digits(value: number, least: number): string {
  return `${value}`.padStart(least, '0');
}
