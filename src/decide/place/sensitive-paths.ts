/** Which paths are protected from writes, and which hold secrets: rules/protected.yaml and rules/secrets.yaml, compiled once. */
import { data, member } from '../../generated/data.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import { type FilterData, SegmentFilter } from './path-prefilter.js';

/** What a write to a protected path gets, and the pattern that protects it. */
export interface Protection {
  readonly effect: 'deny' | 'ask';
  readonly pattern: string;
  /** The folder of the home that is denied but for this part of it (`.claude` for `.claude/skills`). */
  readonly within?: string;
  /** It is a file that may hold secrets: runners and programs start with the variables that stand there. */
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

/** Patterns by their first segment: literal ones in a map, `*.pem` by ending, the few others in a list. */
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
 * Segments of a path; a backslash separates too, since a runner on Windows (or a careless tool) may take it so. Split in one go:
 * a loop over characters, run for every pattern, has a process that starts compile it, which takes time and memory.
 */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of (path.includes('\\') ? path.replaceAll('\\', '/') : path).split('/'))
    if (segment !== '' && segment !== '.') segments.push(segment);
  return segments;
}

/** The ending from the last dot on of `*.pem`-like patterns; null for all others. */
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

/** Says no to nearly every path, so that few calls compile the patterns. */
function filterOf(name: 'protected' | 'secrets'): SegmentFilter {
  return new SegmentFilter(member('#firsts', name) as FilterData);
}

/** Compiled when a path has got through the filter. */
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

/** True when the pattern's segments stand in `path` from `at` on; a directory covers everything below it. */
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
 * A protected path that `path` is or lies below, and what a write to it gets; null when it is not protected. A secret file asks.
 * Compared in lower case everywhere: a case-blind file system must not open a way around.
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
 * The part of a runner's folder in the home that a person may well have edited (instructions, skills, notes), where nothing else
 * protects the path: a question, as in a project, while the rest of the folder stays denied.
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
 * A protected path that lies below the folder `path`, and what happens to who takes the folder away: for our own files and those of
 * the home a denial, a question where a folder only has the name of one that holds such files (`.claude`).
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

/** How all begins that lies in a folder and in the home, from the home on; null where nothing can. */
function belowHome(folder: string, home: string): string | null {
  if (home.startsWith(folder)) return '';
  return folder.startsWith(home) ? folder.slice(home.length) : null;
}

/** The secret pattern that `path` meets, or null. */
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

/** The protected patterns with this effect, as written: not compiled, for who only wants to read them. */
export function protectedPatterns(effect: Protection['effect']): PatternSet {
  const written = protectedPaths?.written ?? (data('protected') as SensitivePaths['written']);
  return written[effect];
}

/** The files of the project whose commands coding agents start; of a folder (`x/`) those that end in `.json`. */
export function startingSettings(): readonly string[] {
  return (data('protected') as { readonly starting: readonly string[] }).starting;
}

/** Names that secret files have at any depth: those of a pattern without its wildcard (`.env*`), where that is a name. */
export function secretNames(): readonly string[] {
  const { anywhere } = data('secrets') as PatternSet;
  return anywhere.map((pattern) => pattern.replace(/(?<=^[.\w-]+)\*$/, '')).filter((name) => !name.includes('*'));
}

/** The secret files and folders that have one place in the home, from `~/` on; what lies in another of them is left out. */
export function secretsOfHome(): readonly string[] {
  const named = [...(data('secrets') as PatternSet).home, ...secretNames().filter((name) => name.startsWith('.'))];
  const plain = named.filter((name) => !name.includes('*'));
  return plain.filter((name) => !plain.some((other) => name.startsWith(`${other}/`))).map((name) => `~/${name}`);
}

/** False when two patterns cannot meet, since the certain text at their ends differs (`*.o` and `*.pem`). */
function beginAndEndAlike(left: string, right: string): boolean {
  const [begin, other] = [left, right].map((text) => /^[^*?[]*/.exec(text)?.[0] ?? '') as [string, string];
  if (!begin.startsWith(other) && !other.startsWith(begin)) return false;
  const [end, last] = [left, right].map((text) => /[^*?\]]*$/.exec(text)?.[0] ?? '') as [string, string];
  return end.endsWith(last) || last.endsWith(end);
}

/** True when a segment with shell wildcards may be a name like `wanted` (which may hold `*` itself). */
export function segmentsMayMeet(segment: string, wanted: string): boolean {
  // A wildcard does not stand for a leading dot.
  if (wanted.startsWith('.') && (segment.startsWith('*') || segment.startsWith('?'))) return false;
  if (!/[*?[]/.test(segment)) return globMatch(wanted, segment);
  if (wanted.includes('*')) return beginAndEndAlike(segment, wanted);
  return globMatch(withoutLists(segment), wanted);
}
