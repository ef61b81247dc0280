/** Which paths are protected from writes, and which hold secrets: rules/protected.yaml and rules/secrets.yaml, compiled once. */
import { data } from '../generated/data.js';
import { globMatch } from '../rule/wildcard.js';

interface PatternSet {
  readonly anywhere: readonly string[];
  readonly home: readonly string[];
  readonly absolute: readonly string[];
}

interface SegmentPattern {
  readonly text: string;
  readonly segments: readonly string[];
}

/** Patterns by their literal first segment, so that a path is looked up segment by segment. */
interface SegmentIndex {
  readonly literal: ReadonlyMap<string, readonly SegmentPattern[]>;
  readonly globs: readonly SegmentPattern[];
}

interface CompiledSet {
  readonly anywhere: SegmentIndex;
  readonly home: SegmentIndex;
  readonly absolute: SegmentIndex;
}

/** Segments of a path; a backslash separates too, since a runner on Windows (or a careless tool) may take it so. */
export function segmentsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((segment) => segment !== '' && segment !== '.');
}

function indexOf(patterns: readonly string[]): SegmentIndex {
  const literal = new Map<string, SegmentPattern[]>();
  const globs: SegmentPattern[] = [];
  for (const text of patterns) {
    const segments = segmentsOf(text.toLowerCase());
    const first = segments[0];
    if (first === undefined) continue;
    const pattern = { text, segments };
    if (first.includes('*')) globs.push(pattern);
    else literal.set(first, [...(literal.get(first) ?? []), pattern]);
  }
  return { literal, globs };
}

function compileSet(set: PatternSet): CompiledSet {
  return { anywhere: indexOf(set.anywhere), home: indexOf(set.home), absolute: indexOf(set.absolute) };
}

const protectedData = data('protected') as { deny: PatternSet; ask: PatternSet };
const secretData = data('secrets') as PatternSet & {
  except: readonly string[];
  listers: readonly string[];
  skipHidden: Readonly<Record<string, readonly string[]>>;
};

const deniedWrites = compileSet(protectedData.deny);
const askedWrites = compileSet(protectedData.ask);
const secrets = compileSet(secretData);
const notSecret = secretData.except.map((pattern) => pattern.toLowerCase());
const listers = new Set(secretData.listers);
const skipHidden = new Map(Object.entries(secretData.skipHidden));

/** True when the pattern's segments stand in `path` from `at` on; a directory covers everything below it. */
function standsAt(pattern: SegmentPattern, path: readonly string[], at: number): boolean {
  if (at + pattern.segments.length > path.length) return false;
  return pattern.segments.every((segment, offset) => {
    const actual = path[at + offset] ?? '';
    return segment.includes('*') ? globMatch(segment, actual) : segment === actual;
  });
}

function findAt(index: SegmentIndex, path: readonly string[], at: number): SegmentPattern | null {
  const segment = path[at];
  if (segment === undefined) return null;
  for (const pattern of index.literal.get(segment) ?? []) if (standsAt(pattern, path, at)) return pattern;
  for (const pattern of index.globs) if (standsAt(pattern, path, at)) return pattern;
  return null;
}

/** Paths are compared in lower case everywhere: a case-blind file system must not open a way around. */
function find(set: CompiledSet, path: string, home: string): SegmentPattern | null {
  const segments = segmentsOf(path.toLowerCase());
  for (let at = 0; at < segments.length; at += 1) {
    const hit = findAt(set.anywhere, segments, at);
    if (hit) return hit;
  }
  const homeSegments = segmentsOf(home.toLowerCase());
  if (homeSegments.length > 0 && homeSegments.every((segment, at) => segments[at] === segment)) {
    const hit = findAt(set.home, segments, homeSegments.length);
    if (hit) return hit;
  }
  return findAt(set.absolute, segments, 0);
}

/** A protected path that `path` is or lies below, and what a write to it gets; null when it is not protected. */
export function protectedPath(
  path: string,
  home: string,
  ownDirectories: readonly string[],
): { readonly effect: 'deny' | 'ask'; readonly pattern: string } | null {
  const own = ownDirectories.find((directory) => path === directory || path.startsWith(`${directory}/`));
  if (own !== undefined) return { effect: 'deny', pattern: own };
  const denied = find(deniedWrites, path, home);
  if (denied) return { effect: 'deny', pattern: denied.text };
  const asked = find(askedWrites, path, home);
  return asked ? { effect: 'ask', pattern: asked.text } : null;
}

/** The secret pattern that `path` meets, or null. */
export function secretPath(path: string, home: string): string | null {
  const segments = segmentsOf(path.toLowerCase());
  const last = segments.at(-1) ?? '';
  if (notSecret.some((pattern) => globMatch(pattern, last))) return null;
  return find(secrets, path, home)?.text ?? null;
}

/** True for commands that walk a tree and print names, never contents. */
export function listsNamesOnly(command: string): boolean {
  return listers.has(command);
}

/** True when a tree reader, called with these words, passes over hidden files. */
export function skipsHiddenFiles(command: string, words: readonly (string | null)[]): boolean {
  const lifting = skipHidden.get(command);
  return (
    lifting !== undefined &&
    words.every((word) => word !== null && !lifting.some((option) => word === option || word.startsWith(`${option}=`)))
  );
}
