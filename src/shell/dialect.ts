/** What shells other than bash read differently in pipelines and redirections (spec: shell, section 5, the last row). */
import type { HereDoc, Pipeline, Redirection } from './parser.js';
import type { Place, Reading } from './reading.js';

/**
 * `time` is a keyword with options in bash, a program in dash, and in zsh a keyword without options; `! !` and `|&` are mistakes in dash.
 */
export function notePipelineDialect(reading: Reading, place: Place, node: Pipeline): void {
  const { prefixes, operators } = node;
  const [command] = node.commands;
  const name = command?.type === 'Command' ? command.name : undefined;
  const differs =
    operators.includes('|&') ||
    prefixes.length > 1 ||
    prefixes.some(
      (prefix) => prefix.type === 'Time' && (prefix.end !== prefix.keywordEnd || (name?.text ?? '-').startsWith('-')),
    );
  if (differs) reading.note('shell-dialect', place, node.pos, node.end);
}

/** dash knows no `&>` and `{fd}>`; `<<<` is a mistake to it, and then it runs nothing of the line; zsh takes `>!` and `<1-9>` for something else. */
export function noteRedirectionDialect(reading: Reading, place: Place, node: Exclude<Redirection, HereDoc>): void {
  const { operator, target, pos, end } = node;
  const isZshPattern = operator === '<' && target !== undefined && /^\d*-\d*$/.test(target.text);
  if (operator === '&>' || operator === '&>>' || target?.text.startsWith('!') || isZshPattern)
    reading.note('shell-dialect', place, pos, end);
}
