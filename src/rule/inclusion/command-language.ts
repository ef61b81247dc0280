/** Patterns of a policy's shell rules as languages: the commands that they cover or meet. */
import { type CoverReading, coverReadings, meetGlobs } from '../pattern/command-pattern.js';
import { type Language, literal, ONE, oneWithout, optional, type Row, RUN } from './language.js';

/** Stands between the words of a command where they are not to run into each other; no argument of a program can hold it. */
export const WORD_END = '\u0000';

/** What an ask or deny rule meets: texts of a command, its words joined by one space. */
export function meetingLanguage(pattern: string): Language {
  return meetGlobs(pattern).map((glob) => globRow(glob, ONE));
}

/**
 * What an allow rule covers at most: the words of a command with `separator` between them. At most, since a rule about an address or a
 * folder covers less than its wildcards say.
 */
export function widestCover(reading: CoverReading, separator: string): Row {
  const before = reading.words.join(separator);
  switch (reading.end) {
    case 'exact':
      return literal(before);
    case 'rest':
      return anythingBehind(before, separator);
    case 'folder':
      return [...literal(joined(before, reading.text, separator)), ...RUN];
    case 'urls':
      return before === '' ? RUN : [...literal(before + separator), ...RUN];
    case 'glob':
      return wordsRow(before, reading.text, separator, ONE);
  }
}

/** What an allow rule covers at least, with WORD_END between the words; null where that cannot be written as a row. */
export function certainCover(reading: CoverReading): Row | null {
  const before = reading.words.join(WORD_END);
  switch (reading.end) {
    case 'exact':
      return literal(before);
    case 'rest':
      return anythingBehind(before, WORD_END);
    case 'glob':
      // The name of a program alone has to match, so a star in front of its end cannot reach beyond it.
      return reading.name !== null && /[*?]./s.test(reading.name)
        ? null
        : wordsRow(before, reading.text, WORD_END, oneWithout(WORD_END));
    case 'folder':
    case 'urls':
      return null;
  }
}

/** All that an allow rule covers at most, with one space between the words. */
export function coveringLanguage(pattern: string): Language {
  return coverReadings(pattern).map((reading) => widestCover(reading, ' '));
}

/** The words, or the words and any more of them. */
function anythingBehind(words: string, separator: string): Row {
  return words === '' ? RUN : [...literal(words), ...optional([...literal(separator), ...RUN])];
}

/** A glob over words each of which ends in WORD_END. */
function wordsRow(before: string, text: string, separator: string, one: Row): Row {
  const open = text.endsWith(`${WORD_END}*`);
  const glob = text.slice(0, open ? -2 : -1).replaceAll(WORD_END, separator);
  return [
    ...literal(joined(before, '', separator)),
    ...globRow(glob, one),
    ...(open ? optional([...literal(separator), ...RUN]) : []),
  ];
}

function joined(before: string, last: string, separator: string): string {
  return before === '' ? last : before + separator + last;
}

/** `*` is any run of characters, `?` one. */
function globRow(glob: string, one: Row): Row {
  return Array.from(glob).flatMap((character) => (character === '*' ? RUN : character === '?' ? one : literal(character)));
}
