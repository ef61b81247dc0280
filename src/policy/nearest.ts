/** "Did you mean …?": the nearest of a few known words. */

const LONGEST = 64;

/**
 * The candidate that `word` most probably means, or null when none is near: at most one edit per three letters (two for
 * words of four or five), where swapping neighbours is one edit and case, `-` and `_` do not count.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(folded(word), folded(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  const allowed = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 3));
  return bestDistance <= allowed && bestDistance < word.length ? best : null;
}

function folded(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

/** Optimal string alignment distance: insert, delete, replace, swap two neighbours. */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
