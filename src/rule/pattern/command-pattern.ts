/** Command patterns, compiled: what an allow rule covers word by word, and what an ask or deny rule meets as text. */
import { urlWordCovers, urlWords } from './url-word.js';
import { globMatch, hasWildcard } from './wildcard.js';

/** Separates words where a glob extends over several of them; no argument of a program can contain it. */
const SEPARATOR = '\u0000';

/** One reading of an allow rule's pattern; plain data. */
export interface CoverReading {
  /** The words before the first wildcard; equal to the command's first words, one by one. */
  readonly words: readonly string[];
  /**
   * What may follow them. `exact`: nothing; `rest`: anything; `folder`: one word that starts with `text` (ending in `/` or `=`), then
   * anything; `glob`: words that `text` matches; `urls`: words that match those of `text` one by one, where a lone `*` matches any number.
   */
  readonly end: 'exact' | 'rest' | 'folder' | 'glob' | 'urls';
  readonly text: string;
  /** For a glob that begins at the command's name: the pattern that the name alone must match. */
  readonly name: string | null;
  /** Every word of the pattern without a wildcard: the words that the rule wrote out. */
  readonly literals: readonly string[];
  /** False if the pattern has no wildcard at all. */
  readonly wild: boolean;
}

/** A part of a command that an allow rule must have written out; see `GrammarIssue` in command/. */
export interface WordIssue {
  /** Index in argv; -1 for the whole command. */
  readonly word: number;
  readonly option: string | null;
  /** The kind of issue, if known: some things are never written out in the words of a command. */
  readonly code?: string;
  /** The inner command of a wrapper that it is about: irrelevant to a rule that lets the wrapper run any command. */
  readonly inner?: string;
}

/**
 * Reads the pattern of an allow rule: `git status*`, `git status *` and `git status:*` are the words, then anything, always at a
 * word boundary. A pattern with quotes is read both as plain text and as a shell would split it.
 */
export function coverReadings(pattern: string): CoverReading[] {
  const readings = spellings(pattern).flatMap(readWords);
  return readings.filter((reading, at) => readings.findIndex((other) => sameReading(other, reading)) === at);
}

/** A variable before the command, with any value: read literally, since a wildcard would extend over several words. */
const ANY_VALUE = /^[A-Za-z_]\w*=\*$/;

/** A directory ends a word as surely as a space does, so `./scripts/*` also covers the contents of the directory. */
function readWords(words: readonly string[]): CoverReading[] {
  const urls = urlWords(words);
  if (urls.length > 0) return [readUrlWords(words, urls)];
  const { body, open } = withoutTrailingStar(words);
  const assigned = body.findIndex((word) => !ANY_VALUE.test(word) && !/^[A-Za-z_]\w*=[^*?]*$/.test(word));
  const isWild = (word: string, at: number) => hasWildcard(word) && (at >= assigned || !ANY_VALUE.test(word));
  const firstWild = body.findIndex(isWild);
  const literals = body.filter((word, at) => word !== '' && !isWild(word, at));
  const common = { name: null, literals, wild: open !== 'no' || firstWild >= 0 };
  if (firstWild >= 0) {
    const wildWords = body.slice(firstWild);
    const text = wildWords.map((word) => word + SEPARATOR).join('') + (open === 'no' ? '' : '*');
    const first = wildWords[0] ?? '';
    const name = firstWild === 0 && !first.startsWith('*') ? first : null;
    return [{ ...common, words: body.slice(0, firstWild), end: 'glob', text, name }];
  }
  if (open === 'no') return [{ ...common, words: body, end: 'exact', text: '' }];
  const readings: CoverReading[] = [{ ...common, words: body, end: 'rest', text: '' }];
  const last = body.at(-1) ?? '';
  if (open === 'glued' && isFolder(last)) {
    readings.push({ ...common, literals: literals.slice(0, -1), words: body.slice(0, -1), end: 'folder', text: last });
  }
  return readings;
}

/** Reads a pattern that names an address: a wildcard in an address stays in that word. */
function readUrlWords(words: readonly string[], urls: readonly string[]): CoverReading {
  const isWild = (word: string) => (urls.includes(word) ? word.includes('*') : hasWildcard(word));
  const firstWild = words.findIndex(isWild);
  const literals = words.filter((word) => !isWild(word));
  const common = { name: null, literals, wild: firstWild >= 0 };
  if (firstWild < 0) return { ...common, words, end: 'exact', text: '' };
  return { ...common, words: words.slice(0, firstWild), end: 'urls', text: words.slice(firstWild).join(SEPARATOR) };
}

/** `src/`, `./scripts/` or `--format=`, but not the whole disk or home directory. */
function isFolder(text: string): boolean {
  return /^\/?[^/=]+(?:\/[^/=]+)*[/=]$/.test(text) && text !== '~/' && !/(?:^|\/)\.\.\//.test(text);
}

function withoutTrailingStar(words: readonly string[]): { body: string[]; open: 'no' | 'spaced' | 'glued' } {
  const last = words.at(-1) ?? '';
  if (!last.endsWith('*')) return { body: [...words], open: 'no' };
  const before = words.slice(0, -1);
  const stripped = last.endsWith(':*') ? last.slice(0, -2) : last.replace(/\*+$/, '');
  if (stripped === '') return { body: before, open: 'spaced' };
  return { body: [...before, stripped], open: last.endsWith(':*') ? 'spaced' : 'glued' };
}

function sameReading(left: CoverReading, right: CoverReading): boolean {
  return left.end === right.end && left.text === right.text && left.words.join(SEPARATOR) === right.words.join(SEPARATOR);
}

/** True when the command, whose first words are already known to equal `reading.words`, is covered as a whole. */
export function readingCovers(reading: CoverReading, command: readonly string[]): boolean {
  const depth = reading.words.length;
  switch (reading.end) {
    case 'exact':
      return command.length === depth;
    case 'rest':
      return command.length > 0;
    case 'folder':
      return staysBelow(reading.text, command[depth]);
    case 'glob':
      return globCovers(reading, command, depth);
    case 'urls':
      return urlsCover(reading.text.split(SEPARATOR), command, depth);
  }
}

function staysBelow(folder: string, word: string | undefined): boolean {
  if (word === undefined || !word.startsWith(folder)) return false;
  return !word.includes('..') || !/(?:^|[/=])\.\.(?:\/|$)/.test(word.slice(folder.length));
}

function globCovers(reading: CoverReading, command: readonly string[], depth: number): boolean {
  let text = '';
  for (let at = depth; at < command.length; at++) {
    const word = command[at] ?? '';
    if (word.includes(SEPARATOR)) return false;
    text += word + SEPARATOR;
  }
  if (reading.name !== null && !globMatch(reading.name, command[0] ?? '')) return false;
  return text !== '' && globMatch(reading.text, text, 0);
}

/** Compares word by word; a lone `*` matches any number of words. Two pointers, as in `globMatch`. */
function urlsCover(patterns: readonly string[], command: readonly string[], depth: number): boolean {
  const words = command.slice(depth);
  const urls = urlWords([command[0] ?? '', ...patterns]);
  const matches = (pattern: string | undefined, word: string) =>
    pattern !== undefined && (urls.includes(pattern) ? urlWordCovers(pattern, word) : globMatch(pattern, word));
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let position = 0; position < words.length; ) {
    if (patterns[at] === '*') {
      star = at++;
      resume = position;
    } else if (matches(patterns[at], words[position] ?? '')) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else return false;
  }
  return patterns.slice(at).every((pattern) => pattern === '*');
}

/**
 * True when the rule wrote out everything that `*` does not cover: for every issue, the option or the exact word is among the
 * pattern's words; an issue about the whole command needs a pattern without any wildcard. Some issues appear in no word of the
 * command: a variable before it that is not known to be harmless (`GIT_EXTERNAL_DIFF=x git diff`), the protected branch that is
 * checked out (`git push`), and the commands before it (`cd vendor/evil && git status`, where git obeys another configuration);
 * only `git -C FOLDER` writes the place out.
 */
export function isConclusive(reading: CoverReading, command: readonly string[], issues: readonly WordIssue[]): boolean {
  for (const issue of issues) {
    if (issue.word < 0 && issue.code?.startsWith('assignment/')) return false;
    if (issue.code === 'git/replaced' || issue.code === 'git/on-protected-branch') return false;
    if (PLACES.has(issue.code ?? '') && !reading.literals.includes('-C')) return false;
    if (!reading.wild || (issue.inner !== undefined && !reading.literals.includes(issue.inner))) continue;
    if (issue.word < 0) return false;
    const word = command[issue.word];
    const written = (text: string | null | undefined) => text !== null && text !== undefined && reading.literals.includes(text);
    if (!written(issue.option) && !(written(word) && isWrittenAsOften(word, command, reading.literals))) return false;
  }
  return true;
}

/** `git push *` writes out one `push`: that is the subcommand, not a remote of that name. An option may occur twice. */
function isWrittenAsOften(word: string | undefined, command: readonly string[], literals: readonly string[]): boolean {
  if (word === undefined || word.startsWith('-')) return true;
  const times = (words: readonly string[]) => words.filter((one) => one === word).length;
  return times(command) <= times(literals);
}

/** Issues that mean git would work in a place other than the project's repository. */
const PLACES: ReadonlySet<string> = new Set(['git/other-repository', 'git/unknown-directory', 'git/no-repository']);

/**
 * The globs of an ask or deny rule, over the command's words joined by one space: the text as written, with and
 * without the boundary of a trailing star, and the words without their quotes.
 */
export function meetGlobs(pattern: string): string[] {
  const globs = new Set<string>();
  for (const words of spellings(pattern)) {
    const text = words.join(' ');
    globs.add(text);
    const base = text.replace(/(?: \*+|:\*)$/, '').trimEnd();
    if (base !== text) globs.add(base);
    if (text.endsWith(':*')) globs.add(`${base} *`.trimStart());
  }
  globs.delete('');
  return [...globs];
}

/** The pattern split at white space and, if it contains quotes, also as a shell would split it. */
function spellings(pattern: string): string[][] {
  const plain = pattern.split(/\s+/).filter((word) => word !== '');
  const unquoted = /["']/.test(pattern) ? shellWords(pattern) : null;
  return unquoted === null ? [plain] : [plain, unquoted];
}

/** Splits at white space outside quotes and removes the quotes; null when a quote is not closed. */
function shellWords(pattern: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const character of pattern) {
    if (quote !== null) {
      if (character === quote) quote = null;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
