/** From a word of the syntax tree to a `ShellWord`, with the reasons that its text alone gives. */
import type { ShellWord, Span } from './command-line.js';
import type { Word } from './parser.js';
import { plainShellWord } from './plain-word.js';
import { type Place, placeSpan, type Reading } from './reading.js';
import { isPlainWord, readWord, type WordReading } from './word.js';

/** Whether the inside of a word must be visited for what it expands to. */
export function mustVisit(word: ShellWord): boolean {
  return word.value === null;
}

/** Reads one word and notes what makes it opaque; nested commands are left to `visitExpansions`. */
export function readShellWord(reading: Reading, place: Place, node: Pick<Word, 'text' | 'pos' | 'end'>): ShellWord {
  const { text, pos, end } = node;
  if (text.length !== end - pos) reading.note('unexplained-bytes', place, pos, end);
  const span = placeSpan(place, pos, end);
  if (isPlainWord(text)) return plainShellWord(text, span);
  noteBraces(reading, text, span);
  const read = readWord(text, false);
  noteWord(reading, place, read, pos, end);
  return { text, value: read.value, span, glob: read.glob, tilde: read.tilde, literalPrefix: read.literalPrefix };
}

/** Notes the reasons of one word. */
export function noteWord(reading: Reading, place: Place, read: WordReading, start: number, end: number): void {
  for (const code of read.codes) reading.note(code, place, start, end);
  if (read.dialect && reading.shell !== 'bash') reading.note('shell-dialect', place, start, end);
}

/** zsh ends a group at a brace that closes nothing in its word (`{ echo a } always { …; }`), so its groups may be others than bash's. */
export function noteBraces(reading: Reading, text: string, span: Span): void {
  if (reading.shell === 'bash' || !(text.includes('}') || text.includes('{'))) return;
  const bare = text.replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '');
  let open = 0;
  for (const character of bare) {
    if (character === '{') open += 1;
    else if (character === '}' && --open < 0) break;
  }
  if (open !== 0) reading.loneBraces.push(span);
}
