/** Arithmetic commands and loops, `((i++))` and `for ((i = 0; i < 3; i++))`: harmless if they can only count. */

import { visitEvaluatedQuotes } from '../expand/expansions.js';
import { isNumeric } from '../scope/binding.js';
import { enclosed, type Place, type Reading } from '../scope/context.js';
import { mayBeDash } from '../scope/dialect.js';
import { isOwnVariable } from '../scope/variables.js';
import { type Arithmetic, countingLoop, wholeArithmetic } from '../syntax/arithmetic.js';
import type { CommandNode } from '../syntax/parser.js';

type NodeOf<T extends CommandNode['type']> = Extract<CommandNode, { type: T }>;

/** `((…))`, which dash reads as nested subshells. */
export function readArithmeticCommand(reading: Reading, place: Place, node: NodeOf<'ArithmeticCommand'>): void {
  const { pos, end } = node;
  if (!knowsArithmetic(reading) || !countsOnly(reading, wholeArithmetic(place.text.slice(pos, end), '(('))) {
    reading.note('arithmetic', place, pos, end);
    if (node.expression === undefined) reading.note('unexplained-bytes', place, pos, end);
    visitEvaluatedQuotes(reading, place, node);
  }
  reading.directory.settle(reading.directory.state);
}

/** `for ((…; …; …))`: the first expression certainly runs, before the body and the other expressions. */
export function readCountingLoop(reading: Reading, place: Place, node: NodeOf<'ArithmeticFor'>): void {
  reading.inBranches(() => {
    const parts = knowsArithmetic(reading) ? countingLoop(place.text, node) : null;
    if (parts === null || !parts.every((part) => countsOnly(reading, part))) {
      reading.note('compound-command', place, node.pos, node.end);
      reading.note('arithmetic', place, node.pos, node.end);
      for (const part of [node.initialize, node.test, node.update])
        if (part !== undefined) visitEvaluatedQuotes(reading, place, part);
    }
    reading.readNode(reading, enclosed(place, 'loop'), node.body);
  });
}

function knowsArithmetic({ shell }: Reading): boolean {
  return !mayBeDash(shell);
}

/**
 * Whether an expression can only count: it reads only numeric variables, and sets only variables that belong to the line alone.
 * If so, records the assignments.
 */
function countsOnly({ bindings }: Reading, expression: Arithmetic | null): boolean {
  if (expression === null || !expression.read.every((name) => isNumeric(bindings.of(name)))) return false;
  if (!expression.assigned.every(isOwnVariable)) return false;
  for (const name of expression.assigned) {
    if (expression.certain) bindings.assign(name, null);
    else bindings.count(name);
  }
  return true;
}
