/** The protected paths that a written glob may match, as far as its text shows. */
import { type Protection, protectedPath, protectedPatterns, secretNames, segmentsMayMeet } from './sensitive-paths.js';

/** The home directory and the program's own directories, which determine the protected paths. */
export interface GuardedPlaces {
  readonly home: string;
  readonly ownDirectories: readonly string[];
}

/**
 * A protected path that a glob (an absolute path with wildcards) may match, with the strictest effect that applies.
 * @param listed whether the glob's current matches are judged path by path: then a segment of wildcards alone (`build/*`) adds
 * nothing, while one with part of a name (`.g*`) still matters for future files
 * @param deleted whether everything below a folder is deleted with it
 * @param besides a pattern to ignore
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
  /** Matched from the root, not at any depth. */
  readonly rooted: boolean;
}

/** Caches the last places, because the globs of a line are judged one after the other. */
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

/** Whether a segment is only wildcards, except for the leading dot of hidden files. */
function isBare(segment: string): boolean {
  return /^\.?(?:[*?]|\[[^\]]*\])+$/.test(segment);
}

/** Whether a glob, from one of its segments on, may match the wanted path or something in it (`inside`), or a folder above it (`above`). */
function reachOf(glob: readonly string[], from: number, wanted: readonly string[], listed: boolean): 'inside' | 'above' | null {
  for (let at = from; at < glob.length; at += 1) {
    const name = wanted[at - from];
    if (name === undefined) return 'inside';
    if (!meets(glob[at] ?? '', name, listed)) return null;
  }
  return glob.length - from >= wanted.length ? 'inside' : 'above';
}

/** A quick check: most names differ in their first characters, and patterns (`*1`) in their last. */
function differ(segment: string, wanted: string): boolean {
  if (areOther(segment.charCodeAt(0), wanted.charCodeAt(0))) return true;
  return areOther(segment.charCodeAt(segment.length - 1), wanted.charCodeAt(wanted.length - 1)) && !segment.includes('[');
}

/** Whether two characters are both literal and differ. */
function areOther(one: number, other: number): boolean {
  return one !== other && isCommonInNames(one) && isCommonInNames(other);
}

/** A digit, a lower-case letter, or the dot of hidden files. */
function isCommonInNames(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** `listed`: the matches of bare wildcards, or of a protected name with wildcards, were looked up. */
function meets(segment: string, wanted: string, listed: boolean): boolean {
  if (differ(segment, wanted)) return false;
  return !(listed && (isBare(segment) || wanted.includes('*'))) && segmentsMayMeet(segment, wanted);
}
