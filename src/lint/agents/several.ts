/** One report for all entries with the same mistake: a list of twenty wrong names is one thing to correct. */
import { shown } from '../../policy/sentences.js';
import type { Report } from '../project/rule.js';
import type { RelatedPlace, Span } from '../text/finding.js';

/** An entry of a list, with a note about this entry alone. */
export interface Mistake {
  readonly text: string;
  readonly span: Span;
  /** Added after the entry in parentheses if several entries are listed: `Grep?`. */
  readonly note?: string;
}

const MOST_NAMED = 6;
const MOST_RELATED = 10;

/**
 * Null if there is no mistake.
 * @param one returns the sentence about a single entry
 * @param many returns the sentence about several entries, given `3 entries` and their list
 */
export function reportTogether<M extends Mistake>(
  mistakes: readonly M[],
  one: (mistake: M) => string,
  many: (count: string, list: string) => string,
): Report | null {
  const [first, ...others] = mistakes;
  if (first === undefined) return null;
  if (others.length === 0) return { at: first.span, message: one(first) };
  const related = others.slice(0, MOST_RELATED).map(
    ({ span: { file, line, column } }): RelatedPlace => ({
      message: 'and here',
      file,
      line,
      column,
    }),
  );
  return { at: first.span, message: many(`${mistakes.length} entries`, listOf(mistakes)), related };
}

/** `"a" (b?), "c" and 3 more` */
function listOf(mistakes: readonly Mistake[]): string {
  const distinct = [...new Map(mistakes.map((mistake) => [mistake.text, mistake])).values()];
  const named = distinct
    .slice(0, MOST_NAMED)
    .map(({ text, note }) => (note === undefined ? shown(text) : `${shown(text)} (${note})`))
    .join(', ');
  const left = distinct.length - MOST_NAMED;
  return left > 0 ? `${named} and ${left} more` : named;
}
