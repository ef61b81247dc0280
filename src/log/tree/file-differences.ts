/** Compares the lines of a file with the leaves that were sealed of it, and describes each difference. */

export interface Difference {
  readonly what: 'changed' | 'removed' | 'inserted' | 'moved';
  /** Number of the sealed record, counted from 0 over the whole log; null for an inserted line. */
  readonly record: number | null;
  /** Number of the line in the current file, counted from 0; null for a removed record. */
  readonly line: number | null;
}

/** A sealed leaf and its number. */
export interface Expected {
  readonly record: number;
  readonly hash: string;
}

/**
 * Returns the differences of a file. Lines after the last sealed one are new, not differences.
 *
 * The longest sequence of lines in their sealed order is considered untouched. Sealed lines elsewhere were moved. Between two
 * untouched lines, missing records and unknown lines are paired as changed; the remaining ones were removed or inserted.
 * @param lines hashes of the lines, in order
 */
export function differencesOf(expected: readonly Expected[], lines: readonly string[]): Difference[] {
  const places = placesOf(expected, lines);
  const untouched = longestRise(places);
  const found: Difference[] = [];
  const seen = new Set(places);
  let [before, from] = [-1, 0];
  for (const line of [...untouched, lines.length]) {
    const place = places[line] ?? expected.length;
    const gone = range(before + 1, place).filter((index) => !seen.has(index));
    const strange = range(from, line).filter((index) => places[index] === -1);
    range(from, line).forEach((index) => {
      const moved = expected[places[index] ?? -1];
      if (moved !== undefined) found.push({ what: 'moved', record: moved.record, line: index });
    });
    gone.forEach((index, nth) => {
      const other = strange[nth];
      const record = expected[index]?.record ?? null;
      found.push(other === undefined ? { what: 'removed', record, line: null } : { what: 'changed', record, line: other });
    });
    if (line < lines.length)
      for (const index of strange.slice(gone.length)) found.push({ what: 'inserted', record: null, line: index });
    [before, from] = [place, line + 1];
  }
  return found;
}

/** Returns for each line the index of its expected leaf; -1 for none. Each of several equal leaves is used once. */
function placesOf(expected: readonly Expected[], lines: readonly string[]): number[] {
  const byHash = new Map<string, number[]>();
  for (let index = expected.length - 1; index >= 0; index -= 1) {
    const hash = expected[index]?.hash ?? '';
    const known = byHash.get(hash);
    if (known === undefined) byHash.set(hash, [index]);
    else known.push(index);
  }
  return lines.map((hash) => byHash.get(hash)?.pop() ?? -1);
}

/** Returns the lines of the longest increasing subsequence of places. */
function longestRise(places: readonly number[]): number[] {
  const ends: number[] = [];
  const previous: number[] = [];
  places.forEach((place, line) => {
    if (place < 0) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((places[ends[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[line] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = line;
  });
  const rise: number[] = [];
  for (let line = ends.at(-1) ?? -1; line >= 0; line = previous[line] ?? -1) rise.push(line);
  return rise.reverse();
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
