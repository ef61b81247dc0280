/** Secrets recognisable only by their command: values of its options and operands, and text fed to it. */
import { data, member } from '../generated/data.js';
import { secrecyOf } from './names.js';
import { innersOf, type Statement, statementsIn, type Word } from './statements.js';
import { isNoReference, type SecretSpan } from './tokens.js';
import { slot, slotOf } from './word-slot.js';

/** A line of rules/secret-takers.yaml. */
interface Taker {
  /** Words one of which has to follow; empty if none has to. */
  readonly next: readonly string[];
  readonly parts: readonly string[];
}

/** Whether a secret is fed to a command: all of the text, or the text if it is a single word. */
type Fed = 'all' | 'word' | 'none';

/** The maximum depth to which words inside words are examined. */
const DEEPEST = 4;
/** The maximum number of earlier statements that are examined. */
const LONGEST_PIPE = 32;
/** Nobody writes a longer command in one line. */
const LONGEST_LINE = 10_000;
const ONE_WORD = /^\s*[^\s\\;]+\s*$/;
const SUBSTITUTION = /[$<]\(|`/;
/** A line without any of these gives no value to an option and feeds nothing. */
const GIVES = /<<|[<$]\(|[|`=]|\s-|\/p:/;

/** Characters of the words that may be programs: `[\w+:-]`, in lower case; 0 for all others. A hook fills it at each start. */
const LETTERS = new Uint8Array(256);
for (let code = 0x30; code <= 0x3a; code += 1) LETTERS[code] = code;
for (let code = 0x61; code <= 0x7a; code += 1) {
  LETTERS[code] = code;
  LETTERS[code - 0x20] = code;
}
for (const code of [0x2b, 0x2d, 0x5f]) LETTERS[code] = code;
const LESS = 0x3c;

/** Returns the secrets given to commands. */
export function takenSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const used = usedSlots();
  let line: Word = { start: 0, end: 0 };
  let gives = false;
  const letters = LETTERS;
  const { length } = text;
  // The loop runs for every character of every text: it takes no word out of the text that no list can hold.
  for (let start = 0, end = 0; start < length; start = end) {
    const first = letters[text.charCodeAt(start)] ?? 0;
    end += 1;
    let second = 0;
    let last = first;
    if (first !== 0) {
      let letter = letters[text.charCodeAt(end)] ?? 0;
      second = letter;
      for (; letter !== 0; letter = letters[text.charCodeAt(end)] ?? 0) {
        last = letter;
        end += 1;
      }
    }
    const isFed = first === 0 && text.charCodeAt(start) === LESS && text.charCodeAt(end) === LESS;
    if (isFed) end += 1;
    else if (first === 0 || (used.charCodeAt(slot(first, second, last, end - start)) & EVERY_BIT) === 0) continue;
    const word = text.slice(start, end).toLowerCase();
    const takers = takersOf(word);
    if (takers.length === 0 && !isFed && known('#speakers', word) === undefined) continue;
    if (start >= line.end) {
      line = lineAt(text, start);
      gives = GIVES.test(text.slice(line.start, line.end));
    }
    if (!gives && !takers.some(({ parts }) => parts.some((part) => part.startsWith('@')))) continue;
    look(text, statementsIn(text, line.start, line.end), 0, spans);
    end = Math.max(end, line.end);
  }
  return spans;
}

let slots: string | undefined;

/** A digit for each slot, with the bits of the lists in it: they rule out most words before a look-up, which reads part of a file. */
function usedSlots(): string {
  slots ??= (data('#slots/takers') as { readonly used: string }).used;
  return slots;
}

/** The bits of the lists in a slot. */
const BITS = { '#takers': 1, '#readers': 2, '#speakers': 4 } as const;
const EVERY_BIT = 7;

function known(list: keyof typeof BITS, word: string): unknown {
  return (usedSlots().charCodeAt(slotOf(word)) & BITS[list]) === 0 ? undefined : member(list, word);
}

function takersOf(program: string): readonly Taker[] {
  return (known('#takers', program) ?? []) as readonly Taker[];
}

/** A line, with the lines that a backslash joins to it; for a long one, a part that begins there. */
function lineAt(text: string, at: number): Word {
  let start = text.lastIndexOf('\n', at) + 1;
  while (start > 1 && text[start - 2] === '\\') start = text.lastIndexOf('\n', start - 2) + 1;
  let end = text.indexOf('\n', at);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('\n', end + 1);
  if (at - start > LONGEST_LINE) start = at;
  return { start, end: Math.min(end < 0 ? text.length : end, start + 2 * LONGEST_LINE) };
}

function look(text: string, statements: readonly Statement[], depth: number, spans: SecretSpan[]): void {
  const add = (word: Word) => addSecret(text, word, spans);
  for (const [index, statement] of statements.entries()) {
    const inners = depth < DEEPEST ? innersIn(text, statement) : [];
    const own = takeFrom(text, statement, add);
    for (const inner of inners) look(text, inner, depth + 1, spans);
    const feeds = feedsOf(text, statements, index);
    if (feeds.length === 0 || known('#readers', programOf(plainOf(text, statement.words[0]))) !== undefined) continue;
    // `bash -c "sudo -S ls"` passes on its input.
    const isPassedOn = () => inners.flat().some((inner) => takeFrom(text, inner, () => undefined) === 'all');
    const fed = own === 'none' && isPassedOn() ? 'all' : own;
    for (const word of feeds) if (fed === 'all' || (fed === 'word' && ONE_WORD.test(text.slice(word.start, word.end)))) add(word);
  }
}

function innersIn(text: string, { words }: Statement): Statement[][] {
  return words.flatMap((word) => innersOf(text, word).map(({ start, end }) => statementsIn(text, start, end)));
}

/** Adds the secrets among the words of a statement; returns whether its input is one, too. */
function takeFrom(text: string, statement: Statement, add: (word: Word) => void): Fed {
  const plains = statement.words.map((word) => plainOf(text, word));
  let fed: Fed = namesSecret(text, statement.words, plains, add) ? 'all' : 'none';
  const done = new Set<string>();
  for (const [index, plain] of plains.entries())
    for (const { next, parts } of done.has(plain) ? [] : takersOf(programOf(plain))) {
      done.add(plain);
      const follows = next.length === 0 ? index : plains.findIndex((one, at) => at > index && next.includes(one));
      const needed = parts.find((part) => part.startsWith('?'))?.slice(1) ?? '';
      if (follows < 0 || !(needed === '' || plains.some((one, at) => at > follows && isSpelled(one, needed)))) continue;
      const hasClusters = !parts.some((part) => /^-[A-Za-z]{2}/.test(part));
      const rest = statement.words.slice(follows + 1);
      for (const part of parts) takePart(text, rest, part, hasClusters, add);
      if (parts.includes('<')) fed = 'all';
      else if (parts.includes('<1') && fed === 'none') fed = 'word';
    }
  return fed;
}

function takePart(text: string, rest: readonly Word[], part: string, hasClusters: boolean, add: (word: Word) => void): void {
  const operands = rest.filter((word) => !plainOf(text, word).startsWith('-'));
  if (part === '=') for (const word of operands) add(behind(text, word, '='));
  else if (part.startsWith('@')) for (const word of operands.slice(Number(part[1]) - 1)) add(behind(text, word, part.slice(2)));
  else if (/^[-/]/.test(part))
    for (const [index, word] of rest.entries()) {
      const [, option = '', joined, sign = ''] = /^(.+?)(_?)([:%=,]?)$/.exec(part) ?? [];
      const value = valueFor(text, option, joined === '_', hasClusters, word, rest[index + 1]);
      if (value !== null) add(behind(text, value, sign));
    }
}

function valueFor(text: string, option: string, isJoined: boolean, hasClusters: boolean, word: Word, next?: Word): Word | null {
  const plain = plainOf(text, word);
  const start = insideQuotes(text, word).start + option.length;
  if (isJoined) return plain.startsWith(option) && plain !== option ? { start, end: word.end } : null;
  if (plain.startsWith(`${option}=`)) return { start: start + 1, end: word.end };
  const isGiven = plain === option || (hasClusters && isSpelled(plain, option));
  return isGiven && next !== undefined && !plainOf(text, next).startsWith('-') ? next : null;
}

/** `-P`, and for one-letter options also `-rP`; for other words, `secret` and `secret/name`. */
function isSpelled(plain: string, wanted: string): boolean {
  if (plain === wanted || plain.startsWith(`${wanted}/`)) return true;
  return /^-\w$/.test(wanted) && /^-[A-Za-z]{2,6}$/.test(plain) && plain.endsWith(wanted.slice(1));
}

/** `NAME=`, `--name`, `--name=`, and whether it specifies the source of the secret. */
const NAMED = /^(-{0,2})([A-Za-z_][\w-]*?)(-(?:stdin|fd|file))?(=|$)/;
const STDIN = /^(?:$|-|@-|stdin|fd:0|(?:file:|@)?\/dev\/stdin)/;

/**
 * Whether the program, its subcommand or an option without a value has a name that suggests a secret: `--password-stdin`, `read
 * PASSWORD`. Adds text in the values of such names: `TOKEN=$(echo …)`, `--key-file <(echo …)`.
 */
function namesSecret(text: string, words: readonly Word[], plains: readonly string[], add: (word: Word) => void): boolean {
  let isFed = plains.slice(0, 3).some((plain) => /^[A-Za-z][\w:-]*$/.test(plain) && isStrong(plain));
  for (const [index, word] of words.entries()) {
    const [, dashes, name = '', source, sign] = NAMED.exec(plains[index] ?? '') ?? [];
    if (sign !== '=' && (dashes ?? '') === '') continue;
    if (!(source === undefined ? isStrong(name) : secrecyOf(name) !== null)) continue;
    const value = sign === '=' ? behind(text, word, '=') : words[index + 1];
    if (value !== undefined && isSubstituted(text, value)) add(value);
    isFed ||= dashes !== '' && (source !== undefined || STDIN.test(plainOf(text, value)));
  }
  return isFed;
}

function isStrong(name: string): boolean {
  return /^(?:password|secret)$/.test(secrecyOf(name) ?? '');
}

/** The text fed to a statement, in any way. */
function feedsOf(text: string, statements: readonly Statement[], index: number): Word[] {
  const found: Word[] = [];
  let first = index;
  let isGroup = false;
  for (; first > Math.max(0, index - LONGEST_PIPE) && (isGroup || statements[first]?.piped === true); first -= 1) {
    isGroup ||= statements[first]?.grouped === true || plainOf(text, statements[first - 1]?.words[0]) === '}';
    found.push(...spoken(text, statements[first - 1], 0));
  }
  const { fed = [], words = [] } = statements[index] ?? {};
  return [...found, ...fed.map((word) => insideQuotes(text, word)), ...words.flatMap((word) => substituted(text, word, 0))];
}

/** Text in the line that a statement prints or passes on: words of `echo`, here-strings. */
function spoken(text: string, statement: Statement | undefined, depth: number): Word[] {
  const { words = [], fed = [] } = statement ?? {};
  const from = words.findIndex((word) => known('#speakers', plainOf(text, word)) !== undefined);
  const said = from < 0 ? [] : words.slice(from + 1).filter((word) => !/^-[neE]+$/.test(plainOf(text, word)));
  return [...fed, ...said].flatMap((word) =>
    isSubstituted(text, word) ? substituted(text, word, depth) : [insideQuotes(text, word)],
  );
}

/** Text that is printed in a process or command substitution of a word. */
function substituted(text: string, word: Word, depth: number): Word[] {
  if (depth >= DEEPEST || !isSubstituted(text, word)) return [];
  const statements = innersOf(text, word).flatMap(({ start, end }) => statementsIn(text, start, end));
  return statements.flatMap((statement) => [
    ...spoken(text, statement, depth + 1),
    ...statement.words.flatMap((one) => substituted(text, one, depth + 1)),
  ]);
}

function isSubstituted(text: string, { start, end }: Word): boolean {
  return SUBSTITUTION.test(text.slice(start, end));
}

function addSecret(text: string, word: Word, spans: SecretSpan[]): void {
  const value = text.slice(word.start, word.end);
  if (SUBSTITUTION.test(value)) for (const said of substituted(text, word, 0)) addSecret(text, said, spans);
  else if (value !== '' && isNoReference(value)) spans.push({ ...word, kind: 'password' });
}

/** The part of a value after a sign, without the quotes around it; empty if there is no sign. */
function behind(text: string, { start, end }: Word, sign: string): Word {
  const at = sign === '' ? -1 : text.slice(start, end).indexOf(sign);
  return at < 0 && sign !== '' ? { start: end, end } : insideQuotes(text, { start: start + at + 1, end });
}

/** Without the quotes around it, even if only one of them belongs to it. */
function insideQuotes(text: string, { start, end }: Word): Word {
  const raw = text.slice(start, end);
  const open = /^\\?["']/.exec(raw)?.[0].length ?? 0;
  const close = /\\?["']$/.exec(raw.slice(open))?.[0].length ?? 0;
  return { start: start + open, end: end - close };
}

function plainOf(text: string, word: Word | undefined): string {
  return word === undefined ? '' : text.slice(word.start, word.end).replace(/["'\\]/g, '');
}

function programOf(plain: string): string {
  return plain.length > 200
    ? ''
    : plain
        .replace(/^.*\//, '')
        .replace(/\.exe$/i, '')
        .toLowerCase();
}
