/**
 * Command substitutions whose output may appear where any string is harmless: their extent is certain in every shell. The
 * commands in them are judged like all others.
 */
import { forEachChild, type SyntaxNode } from '../syntax/parser.js';

type CommandSubstitution = Extract<SyntaxNode, { type: 'CommandExpansion' }>;
type ProcessSubstitution = Extract<SyntaxNode, { type: 'ProcessSubstitution' }>;

/** A substitution that a word of data may contain. */
export type Substitution = CommandSubstitution | ProcessSubstitution;

/** The substitutions in a word, including those in its double quotes, but not those nested in other substitutions. */
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
 * The `$(…)` of a word that starts at an offset in the place's text.
 * @param substitutions the substitutions of the word
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
 * Whether a word is a single `<(…)` whose extent is certain. The parser ends the word after it although the shell continues
 * (`<(a)b`), so the next character must not be part of a word.
 */
export function isLonePipe(text: string, word: SyntaxNode, substitutions: readonly Substitution[]): boolean {
  const [only] = substitutions;
  if (only?.type !== 'ProcessSubstitution' || substitutions.length > 1) return false;
  if (only.pos !== word.pos || only.end !== word.end || !isCertain(text, only, '<(')) return false;
  return /^[\s;|)]?$/.test(text.charAt(word.end)) && /^[\s(]?$/.test(text.charAt(word.pos - 1));
}

/** Whether the parser's script extends exactly from the opening to `)`, and bash 3.2 (macOS) reads it the same way or not at all. */
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

/** A pair of parentheses on one line, with nothing between them that could quote only one of them. */
const PAIR = /(?<!\\)\([^()'"`\\#$\n]*\)/g;
/** In a word with more substitutions than this, none is followed. */
const MAX_SUBSTITUTIONS = 32;
/** At most this many levels of nested parentheses are read; deeper ones are not certain. */
const MAX_NESTING = 4;
const HERE_DELIMITER = /<<-?\s*(?:'[\w.+-]+'|"[\w.+-]+"|\\[\w.+-]+)/g;

/**
 * bash 3.2 finds the end of a substitution by counting parentheses and quotes, and does not recognise here-documents there: an
 * unmatched parenthesis in one would end it early, and what follows would run. After an unmatched quote it continues to a later
 * parenthesis; if there is none, it reports a syntax error and runs nothing.
 */
function isCertainInOldBash(content: string, rest: string): boolean {
  if (!content.includes('<<') && !content.includes('#')) return true;
  let bare = content;
  for (let level = 0; level < MAX_NESTING && bare.includes(')'); level++) bare = bare.replace(PAIR, 'x');
  return !bare.includes(')') && (!rest.includes(')') || !/['"`\\]/.test(content.replace(HERE_DELIMITER, '')));
}
