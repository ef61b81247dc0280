/** Part of a command line as quoted in a message: on one line, and short. The printer handles unprintable characters. */
import { isPlainWord } from './plain-word.js';

const MOST = 40;

export function shownText(text: string): string {
  const line = isPlainWord(text) ? text : text.replaceAll(/\s+/g, ' ');
  return line.length <= MOST ? line : `${line.slice(0, MOST - 1)}…`;
}
