/** "Did you mean …?": the nearest of a few known words. */

const LONGEST = 64;

/**
 * The candidate that `word` most probably means, or null if none is near: at most one edit per three letters (two for words of
 * four or five), where swapping neighbours is one edit and case, `-` and `_` are ignored.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
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

/** Optimal string alignment distance (insert, delete, replace, swap two neighbours), ignoring case, `-` and `_`. */
export function editDistance(word: string, candidate: string): number {
  const [left, right] = [folded(word), folded(candidate)];
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

/** The nearest candidate, or the only one that begins with the word; null if there is none. */
function meantWord(word: string, candidates: readonly string[]): string | null {
  const [begun, ...others] = word.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(word));
  return nearestWord(word, candidates) ?? (others.length === 0 ? (begun ?? null) : null);
}

/** The words to use instead, as text after a semicolon: the probable word first, then the list of all. */
export function choiceAdvice(word: string, choices: readonly string[]): string {
  const near = meantWord(word, choices);
  return `${near === null ? 'it has' : `did you mean ${near}? It has`} to be one of ${choices.join(', ')}`;
}
