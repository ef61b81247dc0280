/** Patterns of a policy's shell rules as languages: the sets of commands that they cover or meet. */
import { type CoverReading, coverReadings, meetGlobs } from '../pattern/command-pattern.js';
import { type Language, literal, ONE, oneWithout, optional, type Row, RUN } from './language.js';

/** Separates the words of a command where they must not merge; no argument of a program can contain it. */
export const WORD_END = '\u0000';

/** What an ask or deny rule meets: commands as text, their words joined by one space. */
export function meetingLanguage(pattern: string): Language {
  return meetGlobs(pattern).map((glob) => globRow(glob, ONE));
}

/**
 * The most that an allow rule covers: the words of a command with `separator` between them. It may cover less, since a rule about
 * an address or a directory covers less than its wildcards suggest.
 */
export function widestCover(reading: CoverReading, separator: string): Row {
  const before = reading.words.join(separator);
  switch (reading.end) {
    case 'exact':
      return literal(before);
    case 'rest':
      return anythingBehind(before, separator);
    case 'folder':
      return [...literal(afterSeparator(before, reading.text, separator)), ...RUN];
    case 'urls':
      return before === '' ? RUN : [...literal(before + separator), ...RUN];
    case 'glob':
      return wordsRow(before, reading.text, separator, ONE);
  }
}

/** The least that an allow rule covers, with WORD_END between the words; null when this cannot be expressed as a row. */
export function certainCover(reading: CoverReading): Row | null {
  const before = reading.words.join(WORD_END);
  switch (reading.end) {
    case 'exact':
      return literal(before);
    case 'rest':
      return anythingBehind(before, WORD_END);
    case 'glob':
      // The name of a program has to match by itself, so a star in it cannot extend past its end.
      return reading.name !== null && /[*?]./s.test(reading.name)
        ? null
        : wordsRow(before, reading.text, WORD_END, oneWithout(WORD_END));
    case 'folder':
    case 'urls':
      return null;
  }
}

/** The most that an allow rule covers, with one space between the words. */
export function coveringLanguage(pattern: string): Language {
  return coverReadings(pattern).map((reading) => widestCover(reading, ' '));
}

/** The words alone, or followed by any number of further words. */
function anythingBehind(words: string, separator: string): Row {
  return words === '' ? RUN : [...literal(words), ...optional([...literal(separator), ...RUN])];
}

/** A glob over words that each end in WORD_END. */
function wordsRow(before: string, text: string, separator: string, one: Row): Row {
  const open = text.endsWith(`${WORD_END}*`);
  const glob = text.slice(0, open ? -2 : -1).replaceAll(WORD_END, separator);
  return [
    ...literal(afterSeparator(before, '', separator)),
    ...globRow(glob, one),
    ...(open ? optional([...literal(separator), ...RUN]) : []),
  ];
}

function afterSeparator(before: string, last: string, separator: string): string {
  return before === '' ? last : before + separator + last;
}

/** A glob as a row: `*` is any run of characters, `?` any one. */
function globRow(glob: string, one: Row): Row {
  return Array.from(glob).flatMap((character) => (character === '*' ? RUN : character === '?' ? one : literal(character)));
}
