/** Ids of records: UUID version 7 (RFC 9562), so that sorting by id is sorting by time. */
import { hexOf } from './bytes.js';
import { randomBytes } from './random.js';

const MOST_IN_A_MILLISECOND = 0xfff;
/** Maximum milliseconds that a clock may go back while ids keep rising. */
const LONGEST_FALL = 1_000;
let last = { time: -1, count: 0 };

/**
 * Returns a new id. Ids of one process also rise within a millisecond; ids of several processes differ by 62 random bits.
 * @param time milliseconds since 1970; if it goes back by less than a second, ids keep rising
 */
export function newRecordId(time: number): string {
  const random = hexOf(randomBytes(10));
  last = next(time, Number.parseInt(random.slice(0, 3), 16) >> 1);
  const stamp = last.time.toString(16).padStart(12, '0');
  const count = last.count.toString(16).padStart(3, '0');
  const variant = VARIANTS[Number.parseInt(random.slice(3, 4), 16) & 3];
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${count}-${variant}${random.slice(4, 7)}-${random.slice(8, 20)}`;
}

const VARIANTS = '89ab';

/** Returns time and count of the next id; a full millisecond borrows from the next one. */
function next(time: number, start: number): { readonly time: number; readonly count: number } {
  if (time > last.time || last.time - time >= LONGEST_FALL) return { time, count: start };
  if (last.count < MOST_IN_A_MILLISECOND) return { time: last.time, count: last.count + 1 };
  return { time: last.time + 1, count: 0 };
}
