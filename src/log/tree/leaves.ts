/** The lines of a file of the log as leaves of the tree: every line is a leaf, whatever it contains, without its line break. */

import type { Segment } from '../files/segment.js';
import { beginLeaf, leafHashIn } from './merkle.js';

export interface Leaf {
  readonly hash: Uint8Array;
  /** Offset of its line, and the offset after its line break. */
  readonly from: number;
  readonly to: number;
}

const CHUNK = 262_144;
const NEWLINE = 0x0a;

/**
 * Yields the complete lines from byte `start` on, up to byte `end` (default: all). A line of any length takes no more memory than a chunk.
 */
export function* leavesOf(segment: Segment, start: number, end = Number.POSITIVE_INFINITY): Generator<Leaf> {
  let from = start;
  let begun: ReturnType<typeof beginLeaf> | null = null;
  for (let position = start; position < end; ) {
    const chunk = segment.read(position, Math.min(CHUNK, end - position));
    if (chunk.length === 0) return;
    let at = 0;
    for (let next = chunk.indexOf(NEWLINE); next !== -1; next = chunk.indexOf(NEWLINE, at)) {
      const hash = begun === null ? leafHashIn(chunk, at, next) : begun.update(chunk.subarray(at, next)).digest();
      begun = null;
      at = next + 1;
      const to = position + at;
      yield { hash, from, to };
      from = to;
    }
    if (at < chunk.length) begun = (begun ?? beginLeaf()).update(chunk.subarray(at));
    position += chunk.length;
  }
}
