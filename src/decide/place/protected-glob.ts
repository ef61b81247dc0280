/** Which protected paths a glob that is written to may stand for, as far as its text tells. */
import { type Protection, protectedPath, protectedPatterns, secretNames, segmentsMayMeet } from './sensitive-paths.js';

/** Whose protected paths they are. */
export interface GuardedPlaces {
  readonly home: string;
  readonly ownDirectories: readonly string[];
}

/**
 * A protected path that a glob (an absolute path with wildcards) may stand for, and what a write there gets: the strictest.
 * @param listed what the glob stands for on the disk is judged path by path: then a segment of wildcards alone (`build/*`) says
 *   nothing more, while one with a part of a name (`.g*`) still counts for what may yet come
 * @param deleted what lies below a folder goes with it
 * @param besides a pattern that does not count
 */
export function protectedGlob(
  glob: string,
  places: GuardedPlaces,
  listed: boolean,
  deleted: boolean,
  besides?: string,
): Protection | null {
  const certain = protectedPath(glob.slice(0, Math.max(1, glob.search(/[*?[]/))), places.home, places.ownDirectories);
  if (certain?.effect === 'deny' && certain.pattern !== besides) return certain;
  const segments = segmentsOf(glob);
  for (const effect of ['deny', 'ask'] as const) {
    for (const { segments: wanted, text, rooted } of wantedBy(effect, places)) {
      if (text === besides) continue;
      if (rooted && certain?.within !== undefined && text === `~/${certain.within}`) continue;
      for (let at = 0; at < (rooted ? 1 : segments.length); at += 1) {
        const reach = reachOf(segments, at, wanted, listed);
        if (reach === 'inside' || (reach === 'above' && deleted && rooted && !listed)) return { effect, pattern: text };
      }
    }
  }
  return certain?.pattern === besides ? null : certain;
}

interface Wanted {
  readonly text: string;
  readonly segments: readonly string[];
  /** From the root, and not at any depth. */
  readonly rooted: boolean;
}

/** The globs of a line are judged one after the other. */
let last: (GuardedPlaces & { readonly deny: readonly Wanted[]; readonly ask: readonly Wanted[] }) | null = null;

function wantedBy(effect: 'deny' | 'ask', places: GuardedPlaces): readonly Wanted[] {
  const { home, ownDirectories } = places;
  if (last?.home !== home || last.ownDirectories !== ownDirectories)
    last = { home, ownDirectories, deny: readWanted('deny', places), ask: readWanted('ask', places) };
  return last[effect];
}

function readWanted(effect: 'deny' | 'ask', { home, ownDirectories }: GuardedPlaces): readonly Wanted[] {
  const { anywhere, home: inHome, absolute } = protectedPatterns(effect);
  const own = effect === 'deny' ? ownDirectories : [];
  return [
    ...[...anywhere, ...(effect === 'ask' ? secretNames() : [])].map((text) => ({
      text,
      segments: segmentsOf(text),
      rooted: false,
    })),
    ...inHome.map((text) => ({ text: `~/${text}`, segments: segmentsOf(`${home}/${text}`), rooted: true })),
    ...[...absolute, ...own].map((text) => ({ text, segments: segmentsOf(text), rooted: true })),
  ];
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
}

/** Wildcards and nothing else, but for the dot of hidden files. */
function isBare(segment: string): boolean {
  return /^\.?(?:[*?]|\[[^\]]*\])+$/.test(segment);
}

/** Whether a glob, from one of its segments on, may stand for what is wanted or something in it, or for a folder above it. */
function reachOf(glob: readonly string[], from: number, wanted: readonly string[], listed: boolean): 'inside' | 'above' | null {
  for (let at = from; at < glob.length; at += 1) {
    const name = wanted[at - from];
    if (name === undefined) return 'inside';
    if (!meets(glob[at] ?? '', name, listed)) return null;
  }
  return glob.length - from >= wanted.length ? 'inside' : 'above';
}

/** Most names are told from others by their first letters, and patterns (`*1`) by their last. */
function differ(segment: string, wanted: string): boolean {
  if (areOther(segment.charCodeAt(0), wanted.charCodeAt(0))) return true;
  return areOther(segment.charCodeAt(segment.length - 1), wanted.charCodeAt(wanted.length - 1)) && !segment.includes('[');
}

/** Two characters that each stand for nothing but themselves, and differ. */
function areOther(one: number, other: number): boolean {
  return one !== other && isPlain(one) && isPlain(other);
}

/** A digit, a letter in lower case, or the dot of hidden files. */
function isPlain(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** `listed`: what wildcards alone, or those of the protected name, stand for was looked up. */
function meets(segment: string, wanted: string, listed: boolean): boolean {
  if (differ(segment, wanted)) return false;
  return !(listed && (isBare(segment) || wanted.includes('*'))) && segmentsMayMeet(segment, wanted);
}
