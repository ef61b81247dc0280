/** Makes the line of a seed and an index: mostly from the grammar, some damaged, some from the fixed lines. */
import type { FixedLine } from './corpus.js';
import { Grammar } from './grammar.js';
import { mutate } from './mutate.js';
import { nameLine } from './names.js';
import { Random } from './random.js';
import { toolLine } from './tools.js';
import { variableLine } from './variables.js';
import type { Production } from './vocabulary.js';

export interface Generated {
  readonly line: string;
  /** Constructs that it is made of; nothing is known of a damaged line. */
  readonly productions: ReadonlySet<Production>;
}

const NOTHING: ReadonlySet<Production> = new Set();
const TOOLS: ReadonlySet<Production> = new Set(['tool']);
const VARIABLES: ReadonlySet<Production> = new Set(['variable']);

/** The same line for the same seed, index and fixed lines. */
export function generate(seed: number, index: number, fixed: readonly FixedLine[]): Generated {
  const random = new Random(seed, index);
  const kind = random.below(100);
  if (kind < 15) return { line: mutate(random.pick(fixed).line, random.pick(fixed).line, random), productions: NOTHING };
  if (kind < 27) return { line: random.below(3) === 0 ? nameLine(random) : toolLine(random), productions: TOOLS };
  if (kind < 40) return { line: variableLine(random), productions: VARIABLES };
  const grammar = new Grammar(random);
  const line = grammar.line();
  if (kind < 48) return { line: mutate(line, random.pick(fixed).line, random), productions: NOTHING };
  return { line, productions: grammar.used };
}
