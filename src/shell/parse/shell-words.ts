/** From a word of the syntax tree to a `ShellWord`, with every reason that its text alone shows. */

import { knownExpansion, type Sources } from '../expand/known-expansion.js';
import { printedIn, sourceOf } from '../expand/substitution-output.js';
import { dataSubstitution, isLonePipe, type Substitution, substitutionsIn } from '../expand/substitutions.js';
import { readWord } from '../expand/word.js';
import type { WordContext } from '../expand/word-context.js';
import type { WordReading } from '../expand/word-state.js';
import { type Place, placeSpan, type Reading } from '../scope/context.js';
import { known } from '../scope/cwd.js';
import { mayDiffer } from '../scope/dialect.js';
import type { Word } from '../syntax/parser.js';
import { isPlainWord, plainShellWord } from '../syntax/plain-word.js';
import type { ShellWord, Span } from '../syntax/types.js';

/** Whether the expansions in a word must be visited. */
export function mustVisit(word: ShellWord): boolean {
  return word.value === null;
}

/** Reads one word and notes what makes it opaque; leaves nested commands to `visitExpansions`, or `visitData` for words of data. */
export function readShellWord(reading: Reading, place: Place, node: WordNode): ShellWord {
  const { text, pos, end } = node;
  if (text.length !== end - pos) reading.note('unexplained-bytes', place, pos, end);
  return readWordText(reading, place, text, node);
}

/** The same for text that does not appear literally in the line: an expansion of the brace list `node`. */
export function readWordText(reading: Reading, place: Place, text: string, node: WordNode): ShellWord {
  const { pos, end } = node;
  const span = placeSpan(place, pos, end);
  if (isPlainWord(text)) return plainShellWord(text, span);
  noteBraces(reading, text, span);
  const read = readWord(text, false, contextOf(reading, place, node));
  noteWord(reading, place, read, pos, end);
  const { value, glob, tilde, literalPrefix, data, origin } = read;
  if (data === null) return { text, value, span, glob, tilde, literalPrefix };
  const word = { text, value, span, glob, tilde, literalPrefix, data };
  return origin === null ? word : { ...word, origin };
}

/** A word of the tree, or a stand-in for one. */
type WordNode = Pick<Word, 'text' | 'pos' | 'end'> | Word;

/** The context for words at this place: the values of variables and substitutions; null if the text contains no expansion. */
export function contextOf(reading: Reading, place: Place, node: WordNode): WordContext | null {
  if (!node.text.includes('$') && !node.text.startsWith('<(')) return null;
  let found: readonly Substitution[] | null = null;
  const substitutions = (word: Word) => (found ??= substitutionsIn(word));
  const sources: Sources = {
    binding: (name) =>
      name === 'PWD' ? { kind: 'text', source: { kind: 'here', directory: here(reading) } } : reading.bindings.of(name),
    substitution: (offset) => {
      const one = 'type' in node ? dataSubstitution(place.text, substitutions(node), node.pos + offset) : null;
      if (one?.script === undefined) return null;
      return { end: one.end - node.pos, source: sourceOf(one.script, here(reading)) ?? printedIn(place, one) };
    },
  };
  return {
    expansion: (text, offset, around) => knownExpansion(text, offset, sources, around),
    isPipe: () => 'type' in node && isLonePipe(place.text, node, substitutions(node)),
  };
}

/** The steps to the shell's current directory. */
function here(reading: Reading): readonly string[] | null {
  return known(reading.directory.state);
}

export function noteWord(reading: Reading, place: Place, read: WordReading, start: number, end: number): void {
  for (const code of read.codes) reading.note(code, place, start, end);
  if (mayDiffer(read.differs, reading.shell)) reading.note('shell-dialect', place, start, end);
}

/** zsh ends a group at an unmatched closing brace in a word (`{ echo a } always { …; }`), so its groups may differ from bash's. */
export function noteBraces(reading: Reading, text: string, span: Span): void {
  if (reading.shell === 'bash' || !(text.includes('}') || text.includes('{'))) return;
  // Quotes inside a substitution cannot be removed this way.
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
