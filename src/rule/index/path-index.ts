/** Path rules by their leading literal segments: a path is compared only with rules that begin as it does. */

import { foldPath, type PathLocation, segmentsOf } from '../path/location.js';
import {
  MAX_PATH,
  MAX_SEGMENT,
  PATH_ANCHORS,
  type PathAnchor,
  type PathPattern,
  type PathSegment,
  type SegmentTest,
  segmentTests,
  testsMatch,
} from '../path/pattern.js';
import type { Count, Hit } from './command-index.js';
import { EMPTY_NODE, type IndexNode, type MutableNode } from './index-node.js';

/** A pattern in one of the trees, which use folded names: its remaining segments are compared, and the exact spelling of all. */
export interface PathEntry {
  readonly rule: number;
  readonly segments: readonly PathSegment[];
}

/** One tree for each anchor that occurs in a pattern. */
export type PathTrees = (anchor: PathAnchor) => IndexNode<PathEntry>;

/** Adds a pattern to the tree of its anchor, below its literal names. */
export function addPath(root: MutableNode<PathEntry>, rule: number, { segments }: PathPattern): void {
  root.grow(literals(segments)).open.push({ rule, segments });
}

function literals(segments: readonly PathSegment[]): string[] {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment.kind !== 'literal') break;
    names.push(segment.folded);
  }
  return names;
}

/** Path rules of one tool and one direction (allow, or ask and deny). */
export class PathIndex {
  readonly #trees: PathTrees;
  readonly #count: Count;
  readonly #exact = new Map<PathEntry, readonly SegmentTest[]>();
  readonly #folded = new Map<PathEntry, readonly SegmentTest[]>();

  constructor(trees: PathTrees, count: Count) {
    this.#trees = trees;
    this.#count = count;
  }

  /** Finds every allow rule that covers the place; none for a path that no file system could have. */
  covering(location: PathLocation, hit: Hit): void {
    if (/[\u0000-\u001f\u007f]/.test(location.absolute)) return;
    if (!isPossible(location.absolute)) return;
    this.#anchored(location, false, hit);
    if (location.project !== null) this.#anywhere(location.project, location, false, hit);
  }

  /**
   * Finds every ask and deny rule that meets the place; a backslash is also tried as a separator, since a runner on Windows may
   * read it as one.
   */
  meeting(location: PathLocation, hit: Hit): void {
    this.#meeting(location, false, hit);
    if (location.absolute.includes('\\')) this.#meeting(location, true, hit);
  }

  #meeting(location: PathLocation, backslashes: boolean, hit: Hit): void {
    if (!isPossible(location.absolute)) {
      for (const anchor of PATH_ANCHORS) this.#trees(anchor).each(({ rule }) => hit(rule));
      return;
    }
    this.#anchored(location, backslashes, hit);
    this.#anywhere(location.project ?? location.absolute, location, backslashes, hit);
  }

  /** Searches patterns that begin at their anchor. */
  #anchored(location: PathLocation, backslashes: boolean, hit: Hit): void {
    const { absolute, home, project } = location;
    this.#from('root', absolute, location, backslashes, hit);
    if (home !== null) this.#from('home', home, location, backslashes, hit);
    if (project !== null) this.#from('project', project, location, backslashes, hit);
  }

  #from(anchor: PathAnchor, path: string, location: PathLocation, backslashes: boolean, hit: Hit): void {
    const root = this.#trees(anchor);
    if (root === EMPTY_NODE) return;
    const names = namesOf(path, location, backslashes);
    this.#walk(root, names, 0, hit);
  }

  /** Searches patterns of any depth. */
  #anywhere(path: string, location: PathLocation, backslashes: boolean, hit: Hit): void {
    const root = this.#trees('anywhere');
    if (root === EMPTY_NODE) return;
    const names = namesOf(path, location, backslashes);
    for (let start = 0; start === 0 || start < names.folded.length; start++) this.#walk(root, names, start, hit);
  }

  #walk(root: IndexNode<PathEntry>, { folded, exact }: Names, start: number, hit: Hit): void {
    let node: IndexNode<PathEntry> | undefined = root;
    for (let at = start; node !== undefined; at++) {
      for (const entry of node.open) {
        if (at - start === entry.segments.length && exact === null) {
          hit(entry.rule);
          continue;
        }
        this.#count();
        if (testsMatch(this.#tests(entry, exact === null), exact ?? folded, start)) hit(entry.rule);
      }
      const name: string | undefined = folded[at];
      node = name === undefined ? undefined : node.child(name);
    }
  }

  #tests(entry: PathEntry, caseless: boolean): readonly SegmentTest[] {
    const known = caseless ? this.#folded : this.#exact;
    let tests = known.get(entry);
    if (tests === undefined) {
      tests = segmentTests(entry.segments, caseless);
      known.set(entry, tests);
    }
    return tests;
  }
}

/** The names of a path: folded, as in the trees, and exact; null if its file system ignores case. */
interface Names {
  readonly folded: readonly string[];
  readonly exact: readonly string[] | null;
}

function namesOf(path: string, { caseless }: PathLocation, backslashes: boolean): Names {
  const spelled = backslashes ? path.replaceAll('\\', '/') : path;
  if (caseless) return { folded: segmentsOf(foldPath(spelled)), exact: null };
  const exact = segmentsOf(spelled);
  return { folded: isFolded(spelled) ? exact : exact.map(foldPath), exact };
}

/** True for plain ASCII without capitals, like most paths. */
function isFolded(path: string): boolean {
  return /^[\u0000-@[-\u007f]*$/.test(path);
}

/** False for a path, or a name in it, that is too long for any file system. */
function isPossible(path: string): boolean {
  if (path.length <= MAX_SEGMENT) return true;
  if (path.length > MAX_PATH) return false;
  let start = 0;
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', start)) {
    if (end - start > MAX_SEGMENT) return false;
    start = end + 1;
  }
  return path.length - start <= MAX_SEGMENT;
}
