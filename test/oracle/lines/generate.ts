/** Makes the line of a seed and an index: mostly from the grammar, some damaged, some from the fixed lines. */
import type { FixedLine } from './corpus.js';
import { Grammar } from './grammar.js';
import { knownLine } from './known.js';
import { mutate } from './mutate.js';
import { nameLine } from './names.js';
import { neighbour } from './neighbours.js';
import { Random } from './random.js';
import { ReaderLine } from './readers.js';
import { toolLine } from './tools.js';
import { variableLine } from './variables.js';
import type { Production } from './vocabulary.js';

export interface Generated {
  readonly line: string;
  /** Constructs that it is made of; nothing is known of a damaged line. */
  readonly productions: ReadonlySet<Production>;
}

const NOTHING: ReadonlySet<Production> = new Set();
const NAMES: ReadonlySet<Production> = new Set(['names']);
const TOOLS: ReadonlySet<Production> = new Set(['tool']);
const VARIABLES: ReadonlySet<Production> = new Set(['variable']);

/** The same line for the same seed, index and fixed lines. */
export function generate(seed: number, index: number, fixed: readonly FixedLine[]): Generated {
  const random = new Random(seed, index);
  const kind = random.below(100);
  if (kind < 10) return { line: mutate(random.pick(fixed).line, random.pick(fixed).line, random), productions: NOTHING };
  if (kind < 13) return { line: nameLine(random), productions: NAMES };
  if (kind < 21) return { line: toolLine(random), productions: TOOLS };
  if (kind < 31) return { line: random.below(3) === 0 ? knownLine(random) : variableLine(random), productions: VARIABLES };
  if (kind < 63) return readerLine(random);
  const grammar = new Grammar(random);
  const line = grammar.line();
  if (kind < 69) return { line: mutate(line, random.pick(fixed).line, random), productions: NOTHING };
  return { line, productions: grammar.used };
}

/** A line that only reads, or now and then one that is a sign away from it, of which nothing is known. */
function readerLine(random: Random): Generated {
  const reader = new ReaderLine(random);
  const line = reader.line();
  return random.chance(30) ? { line: neighbour(line, random), productions: NOTHING } : { line, productions: reader.used };
}
