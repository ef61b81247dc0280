/** Which paths are protected from writes, and which contain secrets: rules/protected.yaml and rules/secrets.yaml, compiled once. */
import { data, member } from '../../generated/data.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import { type FilterData, SegmentFilter } from './path-prefilter.js';

/** The effect on a write to a protected path, and the pattern that protects it. */
export interface Protection {
  readonly effect: 'deny' | 'ask';
  readonly pattern: string;
  /** The denied folder in the home directory of which this is an exempt part (`.claude` for `.claude/skills`). */
  readonly within?: string;
  /** A file that may contain secrets: runners and programs load its variables when they start. */
  readonly secret?: true;
}

export interface PatternSet {
  readonly anywhere: readonly string[];
  readonly home: readonly string[];
  readonly absolute: readonly string[];
}

interface SegmentPattern {
  readonly text: string;
  readonly segments: readonly string[];
}

/** Patterns by their first segment: literal ones in a map, `*.pem` by extension, the few others in a list. */
interface SegmentIndex {
  readonly literal: ReadonlyMap<string, readonly SegmentPattern[]>;
  readonly endings: ReadonlyMap<string, readonly SegmentPattern[]>;
  readonly others: readonly SegmentPattern[];
}

interface CompiledSet {
  readonly anywhere: SegmentIndex;
  readonly home: SegmentIndex;
  readonly absolute: SegmentIndex;
}

/**
 * The segments of a path. A backslash separates too, because a runner on Windows (or a careless tool) may read it that way. Uses
 * one split: a loop over characters, run for every pattern, would be compiled in each new process, which costs time and memory.
 */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of (path.includes('\\') ? path.replaceAll('\\', '/') : path).split('/'))
    if (segment !== '' && segment !== '.') segments.push(segment);
  return segments;
}

/** The extension, from the last dot on, of patterns like `*.pem`; null for any other. */
function endingOf(pattern: string): string | null {
  const ending = pattern.slice(1);
  return pattern.startsWith('*.') && !ending.slice(1).includes('.') && !ending.includes('*') ? ending : null;
}

function indexOf(patterns: readonly string[]): SegmentIndex {
  const literal = new Map<string, SegmentPattern[]>();
  const endings = new Map<string, SegmentPattern[]>();
  const others: SegmentPattern[] = [];
  for (const text of patterns) {
    const segments = segmentsOf(text.toLowerCase());
    const first = segments[0];
    if (first === undefined) continue;
    const pattern = { text, segments };
    const ending = endingOf(first);
    if (!first.includes('*')) literal.set(first, [...(literal.get(first) ?? []), pattern]);
    else if (ending !== null) endings.set(ending, [...(endings.get(ending) ?? []), pattern]);
    else others.push(pattern);
  }
  return { literal, endings, others };
}

function compileSet(set: PatternSet): CompiledSet {
  return { anywhere: indexOf(set.anywhere), home: indexOf(set.home), absolute: indexOf(set.absolute) };
}

interface SensitivePaths {
  readonly written: { readonly deny: PatternSet; readonly ask: PatternSet };
  readonly deniedWrites: CompiledSet;
  readonly askedWrites: CompiledSet;
}

interface Secrets {
  readonly paths: CompiledSet;
  readonly except: readonly string[];
}

let protectedPaths: SensitivePaths | null = null;
let secrets: Secrets | null = null;
let protectedFilter: SegmentFilter | null = null;
let secretFilter: SegmentFilter | null = null;

/** Rejects nearly every path, so that few calls compile the patterns. */
function filterOf(name: 'protected' | 'secrets'): SegmentFilter {
  return new SegmentFilter(member('#firsts', name) as FilterData);
}

/** Compiled once a path has passed the filter. */
function protectedSets(): SensitivePaths {
  if (protectedPaths === null) {
    const written = data('protected') as SensitivePaths['written'];
    protectedPaths = { written, deniedWrites: compileSet(written.deny), askedWrites: compileSet(written.ask) };
  }
  return protectedPaths;
}

function secretSets(): Secrets {
  if (secrets === null) {
    const found = data('secrets') as PatternSet & { except: readonly string[] };
    secrets = { paths: compileSet(found), except: found.except.map((pattern) => pattern.toLowerCase()) };
  }
  return secrets;
}

/** True if the pattern's segments are in `path` from `at` on; a directory covers everything below it. */
function standsAt(pattern: SegmentPattern, path: readonly string[], at: number): boolean {
  const { segments } = pattern;
  if (at + segments.length > path.length || !startsAlike(segments[0] ?? '', path[at] ?? '')) return false;
  return segments.every((segment, offset) => globMatch(segment, path[at + offset] ?? ''));
}

function startsAlike(pattern: string, segment: string): boolean {
  return pattern.startsWith('*') || pattern.charCodeAt(0) === segment.charCodeAt(0);
}

function findAt(index: SegmentIndex, path: readonly string[], at: number): SegmentPattern | null {
  const segment = path[at];
  if (segment === undefined) return null;
  for (const pattern of index.literal.get(segment) ?? []) if (standsAt(pattern, path, at)) return pattern;
  const dot = index.endings.size === 0 ? -1 : segment.lastIndexOf('.');
  if (dot >= 0)
    for (const pattern of index.endings.get(segment.slice(dot)) ?? []) if (standsAt(pattern, path, at)) return pattern;
  for (const pattern of index.others) if (standsAt(pattern, path, at)) return pattern;
  return null;
}

function find(set: CompiledSet, segments: readonly string[], home: readonly string[]): SegmentPattern | null {
  for (let at = 0; at < segments.length; at += 1) {
    const hit = findAt(set.anywhere, segments, at);
    if (hit) return hit;
  }
  if (home.length > 0 && home.every((segment, at) => segments[at] === segment)) {
    const hit = findAt(set.home, segments, home.length);
    if (hit) return hit;
  }
  return findAt(set.absolute, segments, 0);
}

function homeSegments(home: string): readonly string[] {
  return segmentsOf(home.toLowerCase());
}

/**
 * The protected path that is `path` or contains it, and the effect on a write to it; null if it is not protected. A secret file
 * asks. Always compared in lower case: a case-insensitive file system must not offer a way around.
 */
export function protectedPath(path: string, home: string, ownDirectories: readonly string[]): Protection | null {
  for (const own of ownDirectories) if (path === own || path.startsWith(`${own}/`)) return { effect: 'deny', pattern: own };
  protectedFilter ??= filterOf('protected');
  if (!protectedFilter.mayMeet(path)) return secretProtection(path, home);
  const { deniedWrites, askedWrites } = protectedSets();
  const segments = segmentsOf(path.toLowerCase());
  const denied = find(deniedWrites, segments, homeSegments(home));
  if (denied)
    return openPart(denied, deniedWrites, askedWrites, segments, homeSegments(home)) ?? { effect: 'deny', pattern: denied.text };
  const asked = find(askedWrites, segments, homeSegments(home));
  return asked ? { effect: 'ask', pattern: asked.text } : secretProtection(path, home);
}

function secretProtection(path: string, home: string): Protection | null {
  const pattern = secretPath(path, home);
  return pattern === null ? null : { effect: 'ask', pattern, secret: true };
}

/**
 * The part of a runner's folder in the home directory that a person may well edit (instructions, skills, notes) and that nothing
 * else protects: it asks, as in a project, while the rest of the folder stays denied.
 */
function openPart(
  denied: SegmentPattern,
  deniedWrites: CompiledSet,
  askedWrites: CompiledSet,
  segments: readonly string[],
  home: readonly string[],
): Protection | null {
  if (findAt(deniedWrites.home, segments, home.length) !== denied) return null;
  const open = findAt(askedWrites.home, segments, home.length);
  return open?.text.startsWith(`${denied.text}/`) ? { effect: 'ask', pattern: open.text, within: denied.text } : null;
}

/**
 * A protected path below the folder `path`, and the effect on removing the folder: a denial for the program's own files and those
 * in the home directory, a question for a folder that merely has the name of one with such files (`.claude`).
 */
export function protectedBelow(path: string, home: string, ownDirectories: readonly string[]): Protection | null {
  const folder = path.endsWith('/') ? path : `${path}/`;
  for (const own of ownDirectories) if (own.startsWith(folder)) return { effect: 'deny', pattern: own };
  const { deny } = protectedSets().written;
  const below = belowHome(folder, `${home}/`);
  if (below !== null)
    for (const pattern of deny.home) if (pattern.startsWith(below)) return { effect: 'deny', pattern: `~/${pattern}` };
  for (const pattern of deny.absolute) if (pattern.startsWith(folder)) return { effect: 'deny', pattern };
  const lower = folder.toLowerCase();
  for (const pattern of deny.anywhere) {
    for (let slash = pattern.indexOf('/'); slash > 0; slash = pattern.indexOf('/', slash + 1))
      if (lower.endsWith(`/${pattern.slice(0, slash + 1)}`)) return { effect: 'ask', pattern };
  }
  return null;
}

/** The common prefix, relative to the home directory, of paths in both the folder and the home directory; null if there are none. */
function belowHome(folder: string, home: string): string | null {
  if (home.startsWith(folder)) return '';
  return folder.startsWith(home) ? folder.slice(home.length) : null;
}

/** The secret pattern that `path` matches, or null. */
export function secretPath(path: string, home: string): string | null {
  secretFilter ??= filterOf('secrets');
  if (!secretFilter.mayMeet(path)) return null;
  const { paths, except } = secretSets();
  const segments = segmentsOf(path.toLowerCase());
  const found = find(paths, segments, homeSegments(home));
  if (found === null) return null;
  const last = segments.at(-1) ?? '';
  return except.some((pattern) => globMatch(pattern, last)) ? null : found.text;
}

/** True for commands that walk a tree and print names, never contents. */
export function listsNamesOnly(command: string): boolean {
  return member('#listers', command) !== undefined;
}

/** The protected patterns with this effect, as written and not compiled, for callers that only read them. */
export function protectedPatterns(effect: Protection['effect']): PatternSet {
  const written = protectedPaths?.written ?? (data('protected') as SensitivePaths['written']);
  return written[effect];
}

/** The project files whose commands coding agents start; for a folder (`x/`), its `.json` files. */
export function startingSettings(): readonly string[] {
  return (data('protected') as { readonly starting: readonly string[] }).starting;
}

/** Names that secret files have at any depth, including those of patterns that are a name without their wildcard (`.env*`). */
export function secretNames(): readonly string[] {
  const { anywhere } = data('secrets') as PatternSet;
  return anywhere.map((pattern) => pattern.replace(/(?<=^[.\w-]+)\*$/, '')).filter((name) => !name.includes('*'));
}

/** The secret files and folders with a fixed place in the home directory, as `~/…`; those inside another one are omitted. */
export function secretsOfHome(): readonly string[] {
  const named = [...(data('secrets') as PatternSet).home, ...secretNames().filter((name) => name.startsWith('.'))];
  const plain = named.filter((name) => !name.includes('*'));
  return plain.filter((name) => !plain.some((other) => name.startsWith(`${other}/`))).map((name) => `~/${name}`);
}

/** False if two patterns cannot match the same name, because their literal ends differ (`*.o` and `*.pem`). */
function beginAndEndAlike(left: string, right: string): boolean {
  const [begin, other] = [left, right].map((text) => /^[^*?[]*/.exec(text)?.[0] ?? '') as [string, string];
  if (!begin.startsWith(other) && !other.startsWith(begin)) return false;
  const [end, last] = [left, right].map((text) => /[^*?\]]*$/.exec(text)?.[0] ?? '') as [string, string];
  return end.endsWith(last) || last.endsWith(end);
}

/** True if a segment with shell wildcards may match a name like `wanted` (which may contain `*` itself). */
export function segmentsMayMeet(segment: string, wanted: string): boolean {
  // A wildcard does not match a leading dot.
  if (wanted.startsWith('.') && (segment.startsWith('*') || segment.startsWith('?'))) return false;
  if (!/[*?[]/.test(segment)) return globMatch(wanted, segment);
  if (wanted.includes('*')) return beginAndEndAlike(segment, wanted);
  return globMatch(withoutLists(segment), wanted);
}
