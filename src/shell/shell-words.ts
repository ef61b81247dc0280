/** From a word of the syntax tree to a `ShellWord`, with the reasons that its text alone gives. */
import type { ShellWord, Span } from './command-line.js';
import type { Word } from './parser.js';
import { isPlainWord, plainShellWord } from './plain-word.js';
import { type Place, placeSpan, type Reading } from './reading.js';
import { type CommandSubstitution, dataSubstitutionEnd, substitutionsIn } from './substitutions.js';
import { readWord } from './word.js';
import type { WordContext } from './word-context.js';
import type { WordReading } from './word-state.js';

/** Whether the inside of a word must be visited for what it expands to. */
export function mustVisit(word: ShellWord): boolean {
  return word.value === null;
}

/** Reads one word and notes what makes it opaque; nested commands are left to `visitExpansions`, or `visitData` for words of data. */
export function readShellWord(reading: Reading, place: Place, node: WordNode, isListed = false): ShellWord {
  const { text, pos, end } = node;
  if (text.length !== end - pos) reading.note('unexplained-bytes', place, pos, end);
  return readWordText(reading, place, text, node, isListed);
}

/** The same for a text that is not written so: what a brace list makes of the word `node`. */
export function readWordText(reading: Reading, place: Place, text: string, node: WordNode, isListed = false): ShellWord {
  const { pos, end } = node;
  const span = placeSpan(place, pos, end);
  if (isPlainWord(text)) return plainShellWord(text, span);
  noteBraces(reading, text, span);
  const read = readWord(text, false, contextOf(reading, place, node, isListed));
  noteWord(reading, place, read, pos, end);
  const { value, glob, tilde, literalPrefix, data } = read;
  return data === null
    ? { text, value, span, glob, tilde, literalPrefix }
    : { text, value, span, glob, tilde, literalPrefix, data };
}

/** A word of the tree, or what stands for one. */
type WordNode = Pick<Word, 'text' | 'pos' | 'end'> | Word;

/** What words at this place may know of variables and substitutions; null where the text holds no expansion at all. */
export function contextOf(reading: Reading, place: Place, node: WordNode, isListed = false): WordContext | null {
  if (!node.text.includes('$')) return null;
  let substitutions: readonly CommandSubstitution[] | null = null;
  return {
    isListed,
    binding: (name) => reading.bindings.of(name),
    substitutionEnd: (offset) => {
      if (!('type' in node)) return -1;
      substitutions ??= substitutionsIn(node);
      return dataSubstitutionEnd(place.text, node, substitutions, node.pos + offset) - node.pos;
    },
  };
}

/** Notes the reasons of one word. */
export function noteWord(reading: Reading, place: Place, read: WordReading, start: number, end: number): void {
  for (const code of read.codes) reading.note(code, place, start, end);
  if (read.dialect && reading.shell !== 'bash') reading.note('shell-dialect', place, start, end);
}

/** zsh ends a group at a brace that closes nothing in its word (`{ echo a } always { …; }`), so its groups may be others than bash's. */
export function noteBraces(reading: Reading, text: string, span: Span): void {
  if (reading.shell === 'bash' || !(text.includes('}') || text.includes('{'))) return;
  // Quotes inside a substitution are not counted.
  if (text.includes('$(') || text.includes('`')) {
    reading.loneBraces.push(span);
    return;
  }
  const bare = text.replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '');
  let open = 0;
  for (const character of bare) {
    if (character === '{') open += 1;
    else if (character === '}' && --open < 0) break;
  }
  if (open !== 0) reading.loneBraces.push(span);
}
