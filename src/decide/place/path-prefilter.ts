/** A quick negative check: most paths contain no segment that a pattern of a set could begin with, so the set need not be searched. */

const SLASH = 47;
const BACKSLASH = 92;
const DOT = 46;
/** Lengths from this one on share one bit. */
export const LONGEST = 31;

/**
 * The beginnings of a set's patterns, as pairs of a character code and bits: bit n is set if a segment of n characters may match a pattern.
 * The build computes it (path-prefilter-data.ts), because computing it would cost a starting hook more than all of its other checks.
 */
export interface FilterData {
  /** First characters of complete names, and these names in lower case, each between slashes. */
  readonly starts: readonly number[];
  readonly names: string;
  /** First characters of names that contain a star, and the text before the first star. */
  readonly open: readonly number[];
  readonly beginnings: readonly string[];
  /** First characters after the last dot of a segment, for `*.pem`; lengths include the dot. */
  readonly endings: readonly number[];
  /** A pattern of the set may match anything. */
  readonly always: boolean;
}

/** Compares first segments of patterns by character and length, and then by name. */
export class SegmentFilter {
  readonly #starts: Int32Array;
  readonly #names: string;
  readonly #open: Int32Array;
  readonly #beginnings: readonly string[];
  readonly #endings: Int32Array;
  readonly #always: boolean;

  constructor({ starts, names, open, beginnings, endings, always }: FilterData) {
    this.#starts = tableOf(starts);
    this.#names = names;
    this.#open = tableOf(open);
    this.#beginnings = beginnings;
    this.#endings = tableOf(endings);
    this.#always = always;
  }

  /** False if no pattern can begin at any segment of the path, in upper or lower case. */
  mayMeet(path: string): boolean {
    if (this.#always) return true;
    let start = 0;
    let dot = -1;
    for (let at = 0; at <= path.length; at += 1) {
      const code = at === path.length ? SLASH : path.charCodeAt(at);
      // Other scripts may have letters whose lower case is ASCII.
      if (code > 127) return true;
      if (code === DOT) dot = at;
      if (code !== SLASH && code !== BACKSLASH) continue;
      if (at > start && this.#mayBegin(path, start, dot, at)) return true;
      start = at + 1;
      dot = -1;
    }
    return false;
  }

  #mayBegin(path: string, start: number, dot: number, end: number): boolean {
    const first = lower(path.charCodeAt(start));
    const length = Math.min(end - start, LONGEST);
    if ((((this.#starts[first] ?? -1) | (this.#open[first] ?? -1)) >> length) & 1) {
      const segment = path.slice(start, end).toLowerCase();
      if (this.#names.includes(`/${segment}/`)) return true;
      for (const beginning of this.#beginnings) if (segment.startsWith(beginning)) return true;
    }
    if (dot < 0 || dot + 1 === end) return false;
    const endings = this.#endings[lower(path.charCodeAt(dot + 1))] ?? -1;
    return ((endings >> Math.min(end - dot, LONGEST)) & 1) === 1;
  }
}

function tableOf(pairs: readonly number[]): Int32Array {
  const table = new Int32Array(128);
  for (let at = 0; at < pairs.length; at += 2) table[pairs[at] ?? 0] = pairs[at + 1] ?? -1;
  return table;
}

/** The code of an ASCII letter in lower case. */
function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
