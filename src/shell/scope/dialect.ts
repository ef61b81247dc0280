/** What shells other than bash read differently in words, pipelines and redirections. */

import type { HereDoc, Pipeline, Redirection } from '../syntax/parser.js';
import type { ShellDialect } from '../syntax/types.js';
import type { Place, Reading } from './context.js';

/** Where a text means something else than in bash: nowhere; in dash alone, which zsh was seen to read as bash does; or in zsh, and perhaps in dash. */
export type Difference = 'nowhere' | 'dash' | 'zsh';

/** Whether the shell may be dash, which stands for every plain `sh`. */
export function mayBeDash(shell: ShellDialect): boolean {
  return shell === 'sh' || shell === 'union';
}

/** Whether the shell that reads a text may take it for something else than bash does. */
export function mayDiffer(where: Difference, shell: ShellDialect): boolean {
  if (where === 'nowhere') return false;
  return where === 'dash' ? mayBeDash(shell) : shell !== 'bash';
}

/** `time` is a keyword with options in bash, a program in dash, and in zsh a keyword without options; `! !` and `|&` are mistakes in dash. */
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
 * dash knows no `&>` and `{fd}>`; `<<<` is a mistake to it, and then it runs nothing of the line. zsh takes `>!`, `&>|` and `<1-9>` for
 * something else, and a number before `&>` for a descriptor.
 */
export function noteRedirectionDialect(reading: Reading, place: Place, node: Exclude<Redirection, HereDoc>): void {
  const { operator, target, pos, end } = node;
  const isZshPattern = operator === '<' && target !== undefined && /^\d*-\d*$/.test(target.text);
  const isBoth = operator === '&>' || operator === '&>>';
  const differs = isBoth && (mayBeDash(reading.shell) || /\d/.test(place.text.charAt(pos - 1)));
  if (differs || target?.text.startsWith('!') || isZshPattern) reading.note('shell-dialect', place, pos, end);
}

/** A word such as `{fd}`, with blanks between it and what follows; or the end of one that begins too far away to see. */
const DESCRIPTOR_VARIABLE = /(?:^\w+|(?<!\$)\{\w+)\}[\s\\]*$/;
/** UTF-16 units before a redirection that are looked at. */
const LOOK_BACK = 80;

/** zsh takes a word `{name}` before a redirection for a variable that receives the descriptor, also where a blank stands between. */
export function noteDescriptorVariable(reading: Reading, place: Place, { pos, end }: Redirection): void {
  if (!/[\s}]/.test(place.text.charAt(pos - 1))) return;
  if (DESCRIPTOR_VARIABLE.test(place.text.slice(Math.max(0, pos - LOOK_BACK), pos)))
    reading.note('shell-dialect', place, pos, end);
}
