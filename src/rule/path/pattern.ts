/** Matches path patterns segment by segment, so that no pattern can make a match slow. compile.ts compiles them. */

/** One segment of a compiled pattern; plain data. Folded forms are for file systems that ignore case. */
export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string; readonly folded: string }
  | { readonly kind: 'glob'; readonly source: string; readonly folded: string }
  /** `**`: any number of segments, including none. */
  | { readonly kind: 'any' };

/**
 * Where the pattern begins. `anywhere` is any depth: for an allow only inside the project; for ask and deny inside the project if
 * the path is there, else from the root.
 */
export const PATH_ANCHORS = ['root', 'home', 'project', 'anywhere'] as const;
export type PathAnchor = (typeof PATH_ANCHORS)[number];

/** A compiled path pattern; it also covers everything below a match (gitignore). Without segments: the whole anchor. */
export interface PathPattern {
  readonly anchor: PathAnchor;
  readonly segments: readonly PathSegment[];
}

/**
 * The longest path, and the longest name in it, that is compared; a longer one cannot exist, so no allow covers it and every ask
 * and deny meets it.
 */
export const MAX_PATH = 4096;
export const MAX_SEGMENT = 255;

/** The test for one segment. */
export type SegmentTest = string | RegExp | null;

/** Builds the tests for a pattern's segments once, when the index is built; null stands for `**`. */
export function segmentTests(segments: readonly PathSegment[], caseless: boolean): SegmentTest[] {
  return segments.map((segment) => {
    if (segment.kind === 'any') return null;
    if (segment.kind === 'literal') return caseless ? segment.folded : segment.text;
    return new RegExp(caseless ? segment.folded : segment.source, 's');
  });
}

/**
 * True when the tests match `path` from segment `start` up to any segment: the rest is below the match. Two pointers over
 * segments; once a later `**` is reached, an earlier one is never tried again.
 */
export function testsMatch(tests: readonly SegmentTest[], path: readonly string[], start: number): boolean {
  let at = 0;
  let position = start;
  let star = -1;
  let resume = start;
  while (at < tests.length) {
    const test = tests[at];
    if (test === null) {
      star = at++;
      resume = position;
    } else if (position < path.length && segmentMatches(test, path[position])) {
      at++;
      position++;
    } else if (star >= 0 && resume < path.length) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  return true;
}

function segmentMatches(test: string | RegExp | undefined, segment: string | undefined): boolean {
  if (test === undefined || segment === undefined) return false;
  return typeof test === 'string' ? test === segment : test.test(segment);
}
