/** What stands inside the words of a command, to be visited once the command itself is listed, so that all stay in source order. */
import { visitData, visitEvaluatedQuotes, visitExpansions } from '../expand/expansions.js';
import type { Place, Reading } from '../scope/context.js';
import type { SyntaxNode } from '../syntax/parser.js';

/** A node to be visited later: a whole word, or only the substitutions of one that is data. */
export interface Inside {
  readonly node: SyntaxNode;
  readonly isData: boolean;
}

/** Visits them in order. */
export function visitNestedExpansions(reading: Reading, place: Place, inside: readonly Inside[]): void {
  for (const { node, isData } of inside) {
    if (isData) visitData(reading, place, node);
    else if (node.type === 'HereDocBody') visitEvaluatedQuotes(reading, place, node);
    else visitExpansions(reading, place, node);
  }
}
