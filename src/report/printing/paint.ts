/** The only set of colors: decision words, headings, marks of problems and secondary text look the same in every command. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** Severities of lint's findings, and of the results of doctor and status. */
export type Mark = 'error' | 'warning' | 'info' | 'ok';

export interface TextOptions {
  /** Color is for terminals; the caller knows whether it writes to one. */
  readonly color: boolean;
  /** Columns of the terminal; lines of an explanation stay within it. */
  readonly width: number;
}

export interface Painter {
  /** Paints a decision word, or a phrase with one such as `allow (would deny)`. */
  readonly effect: (effect: Effect, text: string) => string;
  readonly mark: (mark: Mark, text: string) => string;
  readonly title: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** @param color color is for terminals; the caller knows whether it writes to one */
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
