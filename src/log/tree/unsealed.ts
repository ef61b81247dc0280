/** The part of the log that no checkpoint covers yet: until it is sealed, anyone who may write the log can also change it. */
import { visitLineHeads } from '../files/log-files.js';
import { latin1Of } from '../record/bytes.js';
import { sealedUpTo, treeFiles } from './files.js';
import type { TreeState } from './state.js';

export interface UnsealedTail {
  /** Complete lines. */
  readonly records: number;
  readonly bytes: number;
  /** Time of the oldest record, ISO 8601; null if there is none. */
  readonly oldest: string | null;
  /** Number of lines without a time, or with a future one: their age is unknown. */
  readonly undated: number;
  /** Age of the oldest record in milliseconds; null if there is none. */
  readonly age: number | null;
}

/**
 * Returns the unsealed part. Throws LogError when the log cannot be read.
 * @param tree from readTree
 * @param now milliseconds since 1970
 */
export function unsealedTail(stateDirectory: string, tree: TreeState | null, now: number): UnsealedTail {
  let [records, bytes, undated, oldest]: [number, number, number, string | null] = [0, 0, 0, null];
  const latest = new Date(now + MEANWHILE).toISOString();
  for (const found of treeFiles(stateDirectory, tree).found) {
    if (found.file.packed) continue;
    visitLineHeads(found.file.path, sealedUpTo(found), HEAD, (line, from, to, length) => {
      records += 1;
      bytes += length;
      // Most lines are later than the first one, and have their time in the same place.
      if (oldest !== null && line[from + COMMA_AT] === COMMA && isBetween(line, from + TIME_AT, to, oldest, latest)) return true;
      const time = TIME.exec(latin1Of(line, from, to))?.[1] ?? null;
      if (time === null || Number.isNaN(Date.parse(time)) || time > latest) undated += 1;
      else if (oldest === null || time < oldest) oldest = time;
      return true;
    });
  }
  return { records, bytes, oldest, undated, age: oldest === null ? null : Math.max(0, now - Date.parse(oldest)) };
}

/** Tolerance in milliseconds: the clocks of machines that share a log differ, and are sometimes adjusted. */
const MEANWHILE = 60_000;

function isBetween(bytes: Uint8Array, from: number, to: number, oldest: string, latest: string): boolean {
  return isTime(bytes, from, to) && isSince(bytes, from, to, oldest) && !isSince(bytes, from, to, latest);
}

const SHAPE = '0000-00-00T00:00:00.000Z';
const [ZERO, NINE] = [0x30, 0x39];

/** Whether digits and separators are where a time has them. */
function isTime(bytes: Uint8Array, from: number, to: number): boolean {
  if (from + SHAPE.length > to) return false;
  for (let index = 0; index < SHAPE.length; index += 1) {
    const [byte, wanted] = [bytes[from + index] ?? 0, SHAPE.charCodeAt(index)];
    if (wanted === ZERO ? byte < ZERO || byte > NINE : byte !== wanted) return false;
  }
  return true;
}

/** True if the text between two places is a time not before `oldest`. */
function isSince(bytes: Uint8Array, from: number, to: number, oldest: string): boolean {
  for (let index = 0; index < oldest.length; index += 1) {
    const [byte, least] = [from + index < to ? (bytes[from + index] ?? 0) : 0, oldest.charCodeAt(index)];
    if (byte !== least) return byte > least;
  }
  return true;
}

const HEAD = 100;
/** Position and value of the character after a one-digit version. */
const [COMMA_AT, COMMA] = ['{"v":1'.length, 0x2c];
/** Position of the time in records with a one-digit version. */
const TIME_AT = '{"v":1,"id":"","time":"'.length + 36;
/** In our records, the time follows the id. */
const TIME = /^\{"v":\d{1,3},"id":"[0-9a-f-]{36}","time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
