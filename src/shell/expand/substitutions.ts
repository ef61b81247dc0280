/**
 * Command substitutions whose output may stand where a text is harmless: their extent is certain in every shell. What runs in them is
 * judged like every other command.
 */
import { forEachChild, type SyntaxNode } from '../syntax/parser.js';

type CommandSubstitution = Extract<SyntaxNode, { type: 'CommandExpansion' }>;
type ProcessSubstitution = Extract<SyntaxNode, { type: 'ProcessSubstitution' }>;

/** A substitution that a word of data may hold. */
export type Substitution = CommandSubstitution | ProcessSubstitution;

/** The substitutions that stand in a word, or in double quotes in it; those inside of others are not among them. */
export function substitutionsIn(node: SyntaxNode): readonly Substitution[] {
  const found: Substitution[] = [];
  const seek = (child: SyntaxNode): void => {
    if (child.type === 'CommandExpansion' || child.type === 'ProcessSubstitution') found.push(child);
    else if (child.type === 'DoubleQuoted' || child.type === 'Word') forEachChild(child, seek);
  };
  forEachChild(node, seek);
  return found;
}

/**
 * The `$(…)` of a word that begins at an offset of the place's text.
 * @param substitutions those of the word
 * @returns null when its extent is not certain
 */
export function dataSubstitution(
  text: string,
  substitutions: readonly Substitution[],
  offset: number,
): CommandSubstitution | null {
  if (substitutions.length > MAX_SUBSTITUTIONS) return null;
  const node = substitutions.find(({ pos }) => pos === offset);
  return node?.type === 'CommandExpansion' && isCertain(text, node, '$(') ? node : null;
}

/**
 * Whether a word is one `<(…)` whose extent is certain. The parser ends a word behind it though the shell goes on (`<(a)b`), so what
 * follows must be no part of a word.
 */
export function isLonePipe(text: string, word: SyntaxNode, substitutions: readonly Substitution[]): boolean {
  const [only] = substitutions;
  if (only?.type !== 'ProcessSubstitution' || substitutions.length > 1) return false;
  if (only.pos !== word.pos || only.end !== word.end || !isCertain(text, only, '<(')) return false;
  return /^[\s;|)]?$/.test(text.charAt(word.end)) && /^[\s(]?$/.test(text.charAt(word.pos - 1));
}

/** The parser's script fills it from its opening to `)`, and the bash of macOS (3.2) reads it in the same way or not at all. */
function isCertain(text: string, { pos, end, script }: Substitution, opening: '$(' | '<('): boolean {
  if (script === undefined || script.source !== undefined || script.commands.length === 0) return false;
  if (
    !text.startsWith(opening, pos) ||
    text.startsWith(`${opening}(`, pos) ||
    text.charAt(end - 1) !== ')' ||
    text.charAt(end - 2) === '\\'
  )
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
