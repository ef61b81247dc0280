/** Whether a place of a file is inside one of its permission rules. */
import type { LintFile } from './files.js';
import type { RuleText } from './policy-rules.js';

/** Returns a fast look-up of places among the rules that `wanted` selects, however many there are. */
export function ruleAt(file: LintFile, wanted: (rule: RuleText['rule']) => boolean): (offset: number) => boolean {
  const { source } = file;
  const spans = file.rules
    .filter(({ rule }) => wanted(rule))
    .map(({ span }) => ({ start: source.offsetAt(span), end: source.offsetAt({ line: span.endLine, column: span.endColumn }) }))
    .sort((left, right) => left.start - right.start);
  return (offset) => {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset < (spans[low - 1]?.end ?? 0);
  };
}
