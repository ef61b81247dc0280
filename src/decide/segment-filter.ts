/** A quick no: most paths hold no segment that any pattern of a set could begin with, and then the set need not be searched. */

const SLASH = 47;
const BACKSLASH = 92;
const DOT = 46;
const STAR = 42;
/** Lengths from here on share one bit. */
const LONGEST = 31;

/** Patterns' first segments by their first character and length, and `*.pem`-like ones by the first character and length of the ending. */
export class SegmentFilter {
  /** By character code: bit n is set when a segment of n characters may meet a pattern. */
  readonly #starts = new Int32Array(128);
  /** The same for what follows the last dot of a segment, the dot included. */
  readonly #endings = new Int32Array(128);
  #always = false;

  /** Adds the first segment of a pattern, in lower case; `*` is its only wildcard. */
  add(first: string): void {
    const code = first.charCodeAt(0);
    const star = first.indexOf('*');
    const ending = first.slice(1);
    if (star < 0) this.#set(this.#starts, code, 1 << Math.min(first.length, LONGEST));
    else if (code !== STAR) this.#set(this.#starts, code, -1 << Math.min(first.length - starsIn(first), LONGEST));
    else if (isEnding(ending)) this.#set(this.#endings, ending.charCodeAt(1), 1 << Math.min(ending.length, LONGEST));
    else this.#always = true;
  }

  #set(table: Int32Array, code: number, bits: number): void {
    const known = table[code];
    if (known === undefined) this.#always = true;
    else table[code] = known | bits;
  }

  /** False when no segment of the path, in whatever case, can be where a pattern begins. */
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
    const starts = this.#starts[lower(path.charCodeAt(start))] ?? -1;
    if ((starts >> Math.min(end - start, LONGEST)) & 1) return true;
    if (dot < 0 || dot + 1 === end) return false;
    const endings = this.#endings[lower(path.charCodeAt(dot + 1))] ?? -1;
    return ((endings >> Math.min(end - dot, LONGEST)) & 1) === 1;
  }
}

/** `.pem`: a dot, and no further dot or star. */
function isEnding(text: string): boolean {
  return text.length > 1 && text.startsWith('.') && text.lastIndexOf('.') === 0 && !text.includes('*');
}

function starsIn(text: string): number {
  return text.split('*').length - 1;
}

/** The code of an ASCII letter in lower case. */
function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
