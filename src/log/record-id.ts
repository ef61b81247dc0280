/** Ids of records: UUID version 7 (RFC 9562), so that sorting by id is sorting by time. */
import { randomBytes } from './random.js';

const MOST_IN_A_MILLISECOND = 0xfff;
/** Milliseconds that a clock may fall back without ids falling with it. */
const LONGEST_FALL = 1_000;
let last = { time: -1, count: 0 };

/**
 * A new id. Ids of one process rise also within a millisecond; ids of several processes differ by 62 random bits.
 * @param time milliseconds since 1970; when it falls by less than a second, ids go on rising
 */
export function newRecordId(time: number): string {
  const bytes = Buffer.from(randomBytes(16));
  last = next(time, bytes.readUInt16BE(6) & 0x7ff);
  bytes.writeUIntBE(last.time, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.count, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Time and count of the next id; a full millisecond borrows from the one after it. */
function next(time: number, start: number): { readonly time: number; readonly count: number } {
  if (time > last.time || last.time - time >= LONGEST_FALL) return { time, count: start };
  if (last.count < MOST_IN_A_MILLISECOND) return { time: last.time, count: last.count + 1 };
  return { time: last.time + 1, count: 0 };
}
