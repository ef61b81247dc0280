/** Path rules by their leading literal segments: a path looks at the rules that begin like it. */
import type { Count, Hit } from './command-index.js';
import { foldPath, type PathLocation, segmentsOf } from './path-location.js';
import {
  MAX_PATH,
  MAX_SEGMENT,
  type PathAnchor,
  type PathPattern,
  type SegmentTest,
  segmentTests,
  testsMatch,
} from './path-pattern.js';

interface PathEntry {
  readonly rule: number;
  /** What follows the literal segments; none when they settle it. */
  readonly tests: readonly SegmentTest[];
}

interface PathNode {
  readonly children: Map<string, PathNode>;
  readonly entries: PathEntry[];
}

const pathNode = (): PathNode => ({ children: new Map(), entries: [] });

/** One trie per anchor, in the spelling of one kind of file system. */
class PathTries {
  readonly #tries: Readonly<Record<PathAnchor, PathNode>> = {
    root: pathNode(),
    home: pathNode(),
    project: pathNode(),
    anywhere: pathNode(),
  };
  readonly #count: Count;

  constructor(patterns: readonly (readonly [number, PathPattern])[], caseless: boolean, count: Count) {
    this.#count = count;
    for (const [rule, pattern] of patterns) this.#add(rule, pattern, caseless);
  }

  #add(rule: number, pattern: PathPattern, caseless: boolean): void {
    const tests = segmentTests(pattern.segments, caseless);
    let node = this.#tries[pattern.anchor];
    let depth = 0;
    for (let test = tests[0]; typeof test === 'string'; test = tests[depth]) {
      const known = node.children.get(test);
      const next = known ?? pathNode();
      if (known === undefined) node.children.set(test, next);
      node = next;
      depth++;
    }
    node.entries.push({ rule, tests: tests.slice(depth) });
  }

  /** True when no pattern begins there. */
  isEmpty(anchor: PathAnchor): boolean {
    const { children, entries } = this.#tries[anchor];
    return children.size === 0 && entries.length === 0;
  }

  /** Patterns anchored at the start of `path`. */
  anchored(anchor: PathAnchor, path: readonly string[], hit: Hit): void {
    this.#walk(this.#tries[anchor], path, 0, hit);
  }

  /** Patterns of any depth. */
  anywhere(path: readonly string[], hit: Hit): void {
    for (let start = 0; start === 0 || start < path.length; start++) this.#walk(this.#tries.anywhere, path, start, hit);
  }

  #walk(root: PathNode, path: readonly string[], start: number, hit: Hit): void {
    let node: PathNode | undefined = root;
    for (let at = start; node !== undefined; at++) {
      for (const entry of node.entries) {
        if (entry.tests.length === 0) {
          hit(entry.rule);
          continue;
        }
        this.#count();
        if (testsMatch(entry.tests, path, at)) hit(entry.rule);
      }
      const segment: string | undefined = path[at];
      node = segment === undefined ? undefined : node.children.get(segment);
    }
  }
}

/** Path rules of one tool and one direction (allow, or ask and deny). */
export class PathIndex {
  readonly #patterns: (readonly [number, PathPattern])[] = [];
  readonly #count: Count;
  #exact: PathTries | null = null;
  #folded: PathTries | null = null;

  constructor(count: Count) {
    this.#count = count;
  }

  add(rule: number, pattern: PathPattern): void {
    this.#patterns.push([rule, pattern]);
  }

  /** Every allow rule that covers the place; none for a path that no file system could hold. */
  covering(location: PathLocation, hit: Hit): void {
    if (/[\u0000-\u001f\u007f]/.test(location.absolute)) return;
    if (!isPossible(location.absolute)) return;
    const tries = this.#triesFor(location);
    this.#anchored(tries, location, false, hit);
    if (location.project !== null && !tries.isEmpty('anywhere')) tries.anywhere(split(location.project, location, false), hit);
  }

  /** Every ask and deny rule that meets the place; a backslash separates too, as a runner on Windows may take it so. */
  meeting(location: PathLocation, hit: Hit): void {
    this.#meeting(location, false, hit);
    if (location.absolute.includes('\\')) this.#meeting(location, true, hit);
  }

  #meeting(location: PathLocation, backslashes: boolean, hit: Hit): void {
    if (!isPossible(location.absolute)) {
      for (const [rule] of this.#patterns) hit(rule);
      return;
    }
    const tries = this.#triesFor(location);
    this.#anchored(tries, location, backslashes, hit);
    if (!tries.isEmpty('anywhere')) tries.anywhere(split(location.project ?? location.absolute, location, backslashes), hit);
  }

  #anchored(tries: PathTries, location: PathLocation, backslashes: boolean, hit: Hit): void {
    const { absolute, home, project } = location;
    if (!tries.isEmpty('root')) tries.anchored('root', split(absolute, location, backslashes), hit);
    if (home !== null && !tries.isEmpty('home')) tries.anchored('home', split(home, location, backslashes), hit);
    if (project !== null && !tries.isEmpty('project')) tries.anchored('project', split(project, location, backslashes), hit);
  }

  #triesFor(location: PathLocation): PathTries {
    if (location.caseless) {
      this.#folded ??= new PathTries(this.#patterns, true, this.#count);
      return this.#folded;
    }
    this.#exact ??= new PathTries(this.#patterns, false, this.#count);
    return this.#exact;
  }
}

function split(path: string, location: PathLocation, backslashes: boolean): string[] {
  const spelled = location.caseless ? foldPath(path) : path;
  return segmentsOf(backslashes ? spelled.replaceAll('\\', '/') : spelled);
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
