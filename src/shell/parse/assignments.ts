/** From the parser's assignment nodes to ours, with the reasons that make them opaque. */

import { readWord } from '../expand/word.js';
import type { WordContext } from '../expand/word-context.js';
import { type Place, placeSpan, type Reading } from '../scope/context.js';
import { mayBeDash } from '../scope/dialect.js';
import { isOwnVariable, isSpecialVariable, movesDirectory } from '../scope/variables.js';
import type { Assignment } from '../syntax/parser.js';
import { isPlainWord } from '../syntax/plain-word.js';
import type { ShellAssignment } from '../syntax/types.js';
import type { Inside } from './inside.js';
import { contextOf, noteBraces, noteWord } from './shell-words.js';

/**
 * Reads one assignment, before a command or alone.
 * @param inside collects the nodes to visit for their expansions
 * @param command the name, as written, of the command after it; null when the assignment stays in the shell
 */
export function readAssignment(
  reading: Reading,
  place: Place,
  node: Assignment,
  inside: Inside[],
  command: string | null,
): ShellAssignment {
  const { name, pos, end, text } = node;
  const append = node.append === true;
  const span = placeSpan(place, pos, end);
  if (append && mayBeDash(reading.shell)) reading.note('shell-dialect', place, pos, end);
  // `IFS= read` only affects how that command splits its line.
  if (isSpecialVariable(name) && !(command === 'read' && name === 'IFS')) reading.note('special-variable', place, pos, end);
  if (movesDirectory(name)) reading.directory.lose();
  const written = text.slice(name.length + (append ? 2 : 1));
  // With a subscript, an array value or a misplaced name, the text does not start with `name=`.
  if (!text.startsWith(`${name}${append ? '+=' : '='}`) || written.startsWith('(')) {
    inside.push({ node, isData: false });
    reading.note('array', place, pos, end);
    return { name, value: null, append, span };
  }
  if (isPlainWord(written)) return { name, value: written, append, span };
  noteBraces(reading, written, span);
  const read = readWord(written, true, command === null ? assignedContext(reading, place, node) : null);
  noteWord(reading, place, read, pos, end);
  if (read.value === null) inside.push({ node, isData: read.data !== null });
  const { value, origin } = read;
  const source = origin?.before === '' && origin.after === '' ? origin.source : null;
  return source === null ? { name, value, append, span } : { name, value, append, span, source };
}

/** Only the line's own variables may hold unknown strings. */
function assignedContext(reading: Reading, place: Place, { name, value, append }: Assignment): WordContext | null {
  if (value.type !== 'Word' || append === true || !isOwnVariable(name)) return null;
  return contextOf(reading, place, value);
}
