/**
 * Command substitutions whose output may stand where a text is harmless: their extent is certain in every shell. What runs in them is
 * judged like every other command.
 */
import { forEachChild, type SyntaxNode } from './parser.js';

export type CommandSubstitution = Extract<SyntaxNode, { type: 'CommandExpansion' }>;

/** The command substitutions that stand in a word, or in double quotes in it; those inside of others are not among them. */
export function substitutionsIn(node: SyntaxNode): readonly CommandSubstitution[] {
  const found: CommandSubstitution[] = [];
  const seek = (child: SyntaxNode): void => {
    if (child.type === 'CommandExpansion') found.push(child);
    else if (child.type === 'DoubleQuoted' || child.type === 'Word') forEachChild(child, seek);
  };
  forEachChild(node, seek);
  return found;
}

/**
 * Where the `$(…)` of a word ends that begins at an offset of the place's text.
 * @param substitutions those of the word
 * @returns -1 plus the word's offset, which is nowhere in it, when its extent is not certain
 */
export function dataSubstitutionEnd(
  text: string,
  word: SyntaxNode,
  substitutions: readonly CommandSubstitution[],
  offset: number,
): number {
  const node = substitutions.length > MAX_SUBSTITUTIONS ? undefined : substitutions.find(({ pos }) => pos === offset);
  return node !== undefined && isCertain(text, node) ? node.end : word.pos - 1;
}

/** The parser's script fills it from `$(` to `)`, and the bash of macOS (3.2) reads it in the same way or not at all. */
function isCertain(text: string, { pos, end, script }: CommandSubstitution): boolean {
  if (script === undefined || script.source !== undefined || script.commands.length === 0) return false;
  if (!text.startsWith('$(', pos) || text.startsWith('$((', pos) || text.charAt(end - 1) !== ')' || text.charAt(end - 2) === '\\')
    return false;
  return script.pos === pos + 2 && script.end === end - 1 && isCertainInOldBash(text.slice(pos + 2, end - 1), text.slice(end));
}

/** A pair of parentheses on one line without anything between them that could quote one and not the other. */
const PAIR = /(?<!\\)\([^()'"`\\#$\n]*\)/g;
/** A word with more of them is not followed one by one. */
const MAX_SUBSTITUTIONS = 32;
/** Parentheses in parentheses that are looked at; deeper ones are not certain. */
const MAX_NESTING = 4;
const HERE_DELIMITER = /<<-?\s*(?:'[\w.+-]+'|"[\w.+-]+"|\\[\w.+-]+)/g;

/**
 * bash 3.2 finds the end of a substitution by counting parentheses and quotes, and knows no here-documents there: a lone parenthesis
 * in one would end it early, and what follows would run. Behind a lone quote it goes on to a later parenthesis; without one it finds a
 * mistake, and runs nothing.
 */
function isCertainInOldBash(content: string, rest: string): boolean {
  if (!content.includes('<<') && !content.includes('#')) return true;
  let bare = content;
  for (let level = 0; level < MAX_NESTING && bare.includes(')'); level++) bare = bare.replace(PAIR, 'x');
  return !bare.includes(')') && (!rest.includes(')') || !/['"`\\]/.test(content.replace(HERE_DELIMITER, '')));
}
