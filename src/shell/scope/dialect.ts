/** Words, pipelines and redirections that other shells read differently from bash. */

import type { HereDoc, Pipeline, Redirection } from '../syntax/parser.js';
import type { ShellDialect } from '../syntax/types.js';
import type { Place, Reading } from './context.js';

/** Which shells read a text differently from bash: none; only dash (zsh was seen to read it as bash does); or zsh, and perhaps dash. */
export type Difference = 'nowhere' | 'dash' | 'zsh';

/** Whether the shell may be dash, which any plain `sh` may be. */
export function mayBeDash(shell: ShellDialect): boolean {
  return shell === 'sh' || shell === 'union';
}

/** Whether the shell that reads a text may read it differently from bash. */
export function mayDiffer(where: Difference, shell: ShellDialect): boolean {
  if (where === 'nowhere') return false;
  return where === 'dash' ? mayBeDash(shell) : shell !== 'bash';
}

/**
 * `time` is a keyword with options in bash, a keyword without options in zsh, and a program in dash; `! !` and `|&` are syntax
 * errors in dash.
 */
export function notePipelineDialect(reading: Reading, place: Place, node: Pipeline): void {
  const { prefixes, operators } = node;
  const [command] = node.commands;
  const name = command?.type === 'Command' ? command.name : undefined;
  const differs =
    (operators.includes('|&') && mayBeDash(reading.shell)) ||
    prefixes.length > 1 ||
    prefixes.some(
      (prefix) => prefix.type === 'Time' && (prefix.end !== prefix.keywordEnd || (name?.text ?? '-').startsWith('-')),
    );
  if (differs) reading.note('shell-dialect', place, node.pos, node.end);
}

/**
 * dash does not know `&>` and `{fd}>`; `<<<` is a syntax error there, so it runs nothing of the line. zsh reads `>!`, `&>|` and
 * `<1-9>` differently, and a number before `&>` as a descriptor.
 */
export function noteRedirectionDialect(reading: Reading, place: Place, node: Exclude<Redirection, HereDoc>): void {
  const { operator, target, pos, end } = node;
  const isZshPattern = operator === '<' && target !== undefined && /^\d*-\d*$/.test(target.text);
  const isBoth = operator === '&>' || operator === '&>>';
  const differs = isBoth && (mayBeDash(reading.shell) || /\d/.test(place.text.charAt(pos - 1)));
  if (differs || target?.text.startsWith('!') || isZshPattern) reading.note('shell-dialect', place, pos, end);
}

/** A word such as `{fd}`, with any blanks after it; or the end of one that starts too far back to see. */
const DESCRIPTOR_VARIABLE = /(?:^\w+|(?<!\$)\{\w+)\}[\s\\]*$/;
/** At most this many UTF-16 units before a redirection are searched. */
const LOOK_BACK = 80;

/** zsh reads a word `{name}` before a redirection as a variable that receives the descriptor, even with a blank between them. */
export function noteDescriptorVariable(reading: Reading, place: Place, { pos, end }: Redirection): void {
  if (!/[\s}]/.test(place.text.charAt(pos - 1))) return;
  if (DESCRIPTOR_VARIABLE.test(place.text.slice(Math.max(0, pos - LOOK_BACK), pos)))
    reading.note('shell-dialect', place, pos, end);
}
