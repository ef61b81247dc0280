/** The expansions in a command's words, visited only after the command itself is listed, so that all invocations stay in source order. */
import { visitData, visitEvaluatedQuotes, visitExpansions } from '../expand/expansions.js';
import type { Place, Reading } from '../scope/context.js';
import type { SyntaxNode } from '../syntax/parser.js';

/** A node to visit later: a whole word, or only the substitutions of a word that is data. */
export interface Inside {
  readonly node: SyntaxNode;
  readonly isData: boolean;
}

/** Visits the collected nodes in order. */
export function visitNestedExpansions(reading: Reading, place: Place, inside: readonly Inside[]): void {
  for (const { node, isData } of inside) {
    if (isData) visitData(reading, place, node);
    else if (node.type === 'HereDocBody') visitEvaluatedQuotes(reading, place, node);
    else visitExpansions(reading, place, node);
  }
}
