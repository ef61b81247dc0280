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
    const tries = this.#triesFor(location);
    const [root, home, project] = split(location, false);
    if (![root, home, project].every(isPossible)) return;
    if (root) tries.anchored('root', root, hit);
    if (home) tries.anchored('home', home, hit);
    if (!project) return;
    tries.anchored('project', project, hit);
    tries.anywhere(project, hit);
  }

  /** Every ask and deny rule that meets the place; a backslash separates too, as a runner on Windows may take it so. */
  meeting(location: PathLocation, hit: Hit): void {
    this.#meeting(location, false, hit);
    if (location.absolute.includes('\\')) this.#meeting(location, true, hit);
  }

  #meeting(location: PathLocation, backslashes: boolean, hit: Hit): void {
    const tries = this.#triesFor(location);
    const [root, home, project] = split(location, backslashes);
    if (![root, home, project].every(isPossible)) {
      for (const [rule] of this.#patterns) hit(rule);
      return;
    }
    if (root) tries.anchored('root', root, hit);
    if (home) tries.anchored('home', home, hit);
    if (project) tries.anchored('project', project, hit);
    tries.anywhere(project ?? root ?? [], hit);
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

/** Segments from the root, the home and the project; null outside of them. */
function split(location: PathLocation, backslashes: boolean): (string[] | null)[] {
  const segments = (path: string | null) => {
    if (path === null) return null;
    const spelled = location.caseless ? foldPath(path) : path;
    return segmentsOf(backslashes ? spelled.replaceAll('\\', '/') : spelled);
  };
  return [segments(location.absolute), segments(location.home), segments(location.project)];
}

function isPossible(path: readonly string[] | null | undefined): boolean {
  if (!path) return true;
  let length = 0;
  for (const segment of path) {
    if (segment.length > MAX_SEGMENT) return false;
    length += segment.length + 1;
  }
  return length <= MAX_PATH + 1;
}
