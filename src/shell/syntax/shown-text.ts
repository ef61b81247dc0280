/** A part of a command line as a message quotes it: on one line, and short. Unprintable characters are the printer's business. */
import { isPlainWord } from './plain-word.js';

const MOST = 40;

export function shownText(text: string): string {
  const line = isPlainWord(text) ? text : text.replaceAll(/\s+/g, ' ');
  return line.length <= MOST ? line : `${line.slice(0, MOST - 1)}…`;
}
