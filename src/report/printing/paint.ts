/** The one set of colours: decision words, headings, marks of problems and what stands back look the same in every command. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** How bad something is: what lint finds, and what doctor and status say. */
export type Mark = 'error' | 'warning' | 'info' | 'ok';

export interface TextOptions {
  /** Colour is for terminals; the caller knows whether it writes to one. */
  readonly color: boolean;
  /** Columns of the terminal; lines of an explanation stay within it. */
  readonly width: number;
}

export interface Painter {
  /** A decision word, or one with words around it such as `allow (would deny)`. */
  readonly effect: (effect: Effect, text: string) => string;
  readonly mark: (mark: Mark, text: string) => string;
  readonly title: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** @param color colour is for terminals; the caller knows whether it writes to one */
export function painter(color: boolean): Painter {
  const chalk: ChalkInstance = new Chalk({ level: color ? 1 : 0 });
  const effects = { allow: chalk.green.bold, ask: chalk.yellow.bold, deny: chalk.red.bold };
  const marks = { error: chalk.red.bold, warning: chalk.yellow.bold, info: chalk.cyan, ok: chalk.green };
  return {
    effect: (effect, text) => effects[effect](text),
    mark: (mark, text) => marks[mark](text),
    title: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
  };
}
