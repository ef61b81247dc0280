/** Reads the words of an invocation by its grammar: which are options, which are their values, which are operands. */

import type { FoundNames, ShellWord } from '../shell/command-line.js';
import { mayBeOperand, takesManyTexts } from './data-words.js';
import type { CommandTable } from './grammar-table.js';
import { type Judgement, partOf, raise } from './judgement.js';
import { noteNames } from './name-words.js';
import { hasRisk, onlyReads } from './option-risk.js';
import type { OptionRule } from './option-rule.js';
import { behind, isPlace } from './origins.js';
import { isNumber } from './values.js';

const HYPHEN = 45;
const LONG = '--';

/**
 * Walks argv from its second word, fills `given`, `values` and `operands`, and changes `table` at each subcommand.
 * Follows safe-preset §4.2 rule 4: exact long names, short clusters split by arity, `--` ends options, unknown is an issue.
 * @returns false when the words name a command that the grammar does not have; then nothing after it was judged
 */
export function readWords(judgement: Judgement): boolean {
  const { argv } = judgement.invocation;
  let dashed = false;
  let stopped = false;
  let firstDashes: number | null = null;
  for (let index = readOldStyle(judgement) + 1; index < argv.length; index += 1) {
    const word = argv[index];
    if (word === undefined) break;
    if (word.data !== undefined && judgement.table.subcommand === null) {
      firstDashes ??= argv.findIndex(isDashes);
      readData(judgement, word, index, dashed || stopped, firstDashes !== -1 && firstDashes < index);
      if (judgement.operands.at(-1)?.word === word) stopped ||= judgement.table.style === 'stop';
      continue;
    }
    if (word.names !== undefined && judgement.table.subcommand === null) {
      noteNames(judgement, word, index, dashed || stopped);
      judgement.operands.push({ word, index, dashed });
      stopped ||= stopsAtOperand(judgement.table);
      continue;
    }
    if (!dashed && !stopped) {
      noteUncertain(judgement, word, index);
      if (word.value === LONG && judgement.table.subcommand === null) {
        dashed = true;
        if (judgement.table.style === 'words') checkDashes(judgement, index);
        continue;
      }
      if (isOption(judgement, word)) {
        // A glob that finds no file stays as it is written, so it is read as that too.
        index = word.value === null ? readCertainPart(judgement, word, index) : readOption(judgement, word, index);
        continue;
      }
      if (judgement.table.subcommand !== null) {
        if (!enterSubcommand(judgement, word, index)) return false;
        continue;
      }
      stopped = stopsAtOperand(judgement.table);
    } else if (word.value === null) raiseDynamic(judgement, index);
    judgement.operands.push({ word, index, dashed });
  }
  return judgement.table.bare || missingSubcommand(judgement);
}

/**
 * `tar tzf a.tgz`: letters without a hyphen in the first word, and then, word by word, the values of those that take one. Gives the
 * index of the last word that belongs to them, 0 when the first word is none.
 */
function readOldStyle(judgement: Judgement): number {
  const first = judgement.invocation.argv[1];
  if (!judgement.table.oldStyle || first === undefined) return 0;
  if (first.value === null || first.glob || first.tilde || !/^[A-Za-z]/.test(first.value)) return 0;
  let last = 1;
  for (const letter of first.value) {
    const rule = judgement.table.options.letter(letter);
    // It may take a value, and then all that follow are other values than they seem.
    if (rule === undefined) return unknownOption(judgement, `-${letter}`, last);
    noteOption(judgement, rule, `-${letter}`, 1);
    if (rule.arity === 'required') last = takeNext(judgement, rule, `-${letter}`, last);
  }
  return last;
}

/** Notes a word that only the shell knows, or that could turn into an option. */
function noteUncertain(judgement: Judgement, word: ShellWord, index: number): void {
  if (word.value !== null && !word.glob) return;
  if (isHarmlessValue(judgement, word)) return;
  const first = word.literalPrefix.charCodeAt(0);
  // File names that begin with a hyphen turn into options; where no option does harm, that is no concern (`ls *.md`).
  if (word.value !== null && Number.isNaN(first) && judgement.table.subcommand === null && !hasRisk(judgement.table)) return;
  if (word.value !== null && Number.isNaN(first) && onlyReads(judgement.table)) {
    // Whether there is a file of such a name facts tell.
    judgement.conditions.push({ kind: 'plain-names', names: FOLDER, hyphen: true, word: index });
    return;
  }
  if (first === HYPHEN || Number.isNaN(first)) {
    raise(
      judgement,
      {
        rating: 'unknown',
        code: 'word/may-become-option',
        message: 'This word could become an option; put it after -- or start it with ./ or another certain text.',
      },
      index,
    );
  } else if (word.value === null) raiseDynamic(judgement, index);
}

/** The names of what is in the current folder, as a glob gives them. */
const FOLDER: FoundNames = { roots: [], bare: true, split: false, many: true, from: ['folder'] };

/** A word of unknown text: the value of the long option that it begins with, or an operand; its place is judged like a known one's. */
function readData(judgement: Judgement, word: ShellWord, index: number, ended: boolean, isBehindDashes: boolean): void {
  const { table } = judgement;
  const prefix = word.literalPrefix;
  const equals = !ended && prefix.startsWith(LONG) ? prefix.indexOf('=') : -1;
  const name = prefix.slice(0, equals);
  const rule = equals < 0 || word.data === 'several' ? undefined : table.options.get(name);
  if (rule !== undefined && rule.arity !== 'none') {
    noteOption(judgement, rule, name, index);
    judgement.values.push({ rule, word: behind(word, `${name}=`), index, option: name });
  } else {
    if (!mayBeOperand(table, word, ended)) noteUncertain(judgement, word, index);
    else needPlain(judgement, word, index);
    judgement.operands.push({ word, index, dashed: ended && isBehindDashes });
  }
}

/** `$HOME/x` without quotes: the shell splits it at blanks, and expands what is no plain path. */
function needPlain(judgement: Judgement, word: ShellWord, index: number): void {
  if (word.data === 'several' && isPlace(word) && !takesManyTexts(judgement.table))
    judgement.conditions.push({ kind: 'plain-place', path: word, word: index });
}

const isDashes = ({ value }: ShellWord) => value === LONG;

/** `--include=*.ts`: files of such names could only turn it into the same option once more, with another harmless value. */
function isHarmlessValue(judgement: Judgement, word: ShellWord): boolean {
  const prefix = word.literalPrefix;
  if (word.value === null || !prefix.startsWith(LONG)) return false;
  const equals = prefix.indexOf('=');
  const rule = equals < 0 ? undefined : judgement.table.options.get(prefix.slice(0, equals));
  if (rule === undefined || rule.arity === 'none' || rule.rating !== 'harmless') return false;
  return rule.kind === 'text' && rule.checks.length === 0 && rule.effects.length === 0;
}

function raiseDynamic(judgement: Judgement, index: number): void {
  const message = 'Only the shell knows the value of this word; write it out.';
  raise(judgement, { rating: 'unknown', code: 'word/dynamic', message }, index);
}

/** `-` alone is an operand; with style `words` an option need not start with `-` (`!` of find). */
function isOption(judgement: Judgement, word: ShellWord): boolean {
  const text = word.value ?? word.literalPrefix;
  if (judgement.table.style === 'print' && !word.glob) return judgement.table.options.has(text);
  if (text.charCodeAt(0) === HYPHEN && (text.length > 1 || word.value === null || word.glob)) return true;
  return hasWholeWords(judgement.table) && word.value !== null && judgement.table.options.has(word.value);
}

/** Reads one option word; gives the index of the last word that belongs to it. */
function readOption(judgement: Judgement, word: ShellWord, index: number): number {
  const { table } = judgement;
  const text = word.value ?? '';
  const words = hasWholeWords(table);
  const whole = words ? table.options.get(text) : undefined;
  if (whole !== undefined) return give(judgement, whole, text, word, null, index);
  // `-tags=x` of a program whose options are whole words is read as `--tags=x` is elsewhere.
  return words || text.startsWith(LONG) ? readLong(judgement, word, text, index) : readCluster(judgement, word, text, index);
}

/** Where options are words, `--` may end nothing: `find -- src -delete` deletes. */
function checkDashes(judgement: Judgement, index: number): void {
  const mayBeOption = ({ literalPrefix }: ShellWord) => literalPrefix === '' || literalPrefix.startsWith('-');
  if (!judgement.invocation.argv.slice(index + 1).some(mayBeOption)) return;
  const message = 'Behind -- this command may still read options; leave the -- out.';
  raise(judgement, { rating: 'unknown', code: 'option/behind-dashes', message }, index);
}

/** `find -name`, `go build -race`: no clusters. */
function hasWholeWords({ style }: CommandTable): boolean {
  return style === 'words' || style === 'words-stop' || style === 'print';
}

function stopsAtOperand({ style }: CommandTable): boolean {
  return style === 'stop' || style === 'words-stop' || style === 'print';
}

function readLong(judgement: Judgement, word: ShellWord, text: string, index: number): number {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const rule = judgement.table.options.get(name);
  if (rule === undefined) return unknownOption(judgement, name, index);
  return give(judgement, rule, name, word, equals < 0 ? null : text.slice(equals + 1), index);
}

/** `-aF/etc/passwd`: letters without value until one takes the rest of the word, or the next word. */
function readCluster(judgement: Judgement, word: ShellWord, text: string, index: number): number {
  const { table } = judgement;
  if (table.number !== null && isDigits(text)) return give(judgement, table.number, text, word, null, index);
  for (let at = 1; at < text.length; at += 1) {
    const rule = table.options.letter(text.charAt(at));
    if (rule === undefined) return unknownOption(judgement, `-${String.fromCodePoint(text.codePointAt(at) ?? 0)}`, index);
    const rest = rule.arity === 'none' || at + 1 === text.length ? null : text.slice(at + 1);
    const end = give(judgement, rule, text.length === 2 ? text : `-${text.charAt(at)}`, word, rest, index);
    if (rest !== null || end !== index) return end;
  }
  return index;
}

function isDigits(text: string): boolean {
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Notes a known option and takes its value; gives the index of the last word that belongs to it. */
function give(
  judgement: Judgement,
  rule: OptionRule,
  spelling: string,
  word: ShellWord,
  attached: string | null,
  index: number,
): number {
  noteOption(judgement, rule, spelling, index);
  if (attached !== null) {
    if (rule.arity === 'none') {
      const message = `${spelling} takes no value.`;
      raise(judgement, { rating: 'unknown', code: 'option/unexpected-value', message }, index, spelling);
    } else judgement.values.push({ rule, word: partOf(word, attached), index, option: spelling });
    return index;
  }
  if (rule.arity === 'joined') raiseMissingValue(judgement, spelling, index);
  if (rule.arity === 'pair') return takeNext(judgement, rule, spelling, takeNext(judgement, rule, spelling, index));
  return rule.arity === 'required' || rule.arity === 'greedy' ? takeNext(judgement, rule, spelling, index) : index;
}

/** Notes that an option is there and, when it is rated, the issue; the value is judged later. */
function noteOption(judgement: Judgement, rule: OptionRule, spelling: string, index: number): void {
  judgement.given.push({ rule, spelling, index });
  if (rule.recursive) judgement.recursive = true;
  if (rule.rating === 'harmless') return;
  raise(judgement, { rating: rule.rating, code: rule.code, message: `${spelling}: ${rule.reason}` }, index, spelling);
}

/** The next word is the option's value, whatever it looks like; one that looks like an option is noted. */
function takeNext(judgement: Judgement, rule: OptionRule, spelling: string, index: number): number {
  const next = judgement.invocation.argv[index + 1];
  if (next === undefined) {
    if (rule.arity === 'required' || rule.arity === 'pair') raiseMissingValue(judgement, spelling, index);
    return index;
  }
  // Whatever the text is, it is the value; whether it may be any text is judged with the other values.
  const isData = next.data !== undefined && (next.data !== 'several' || isPlace(next)) && rule.arity !== 'greedy';
  needPlain(judgement, next, index + 1);
  if ((next.value === null || next.glob) && !isData) raiseDynamic(judgement, index + 1);
  else if (next.value !== null && !next.glob && looksLikeOption(judgement, rule, next.value)) {
    const message = `The value of ${spelling} looks like an option; write it in one word with ${spelling}.`;
    raise(judgement, { rating: 'unknown', code: 'option/value-like-option', message }, index + 1, spelling);
  }
  judgement.values.push({ rule, word: next, index: index + 1, option: spelling });
  return index + 1;
}

function raiseMissingValue(judgement: Judgement, spelling: string, index: number): void {
  const message = `${spelling} needs a value.`;
  raise(judgement, { rating: 'unknown', code: 'option/missing-value', message }, index, spelling);
}

function looksLikeOption(judgement: Judgement, rule: OptionRule, value: string): boolean {
  if (value.charCodeAt(0) !== HYPHEN || value.length < 2) return false;
  if (rule.kind === 'number' && isNumber(value)) return false;
  if (judgement.table.options.has(value) || !(rule.kind === 'text' || rule.kind === 'pattern')) return true;
  if (value.startsWith(LONG)) return value.length === 2 || /^--[A-Za-z]/.test(value);
  return judgement.table.options.letter(value.charAt(1)) !== undefined;
}

/**
 * The certain part of a word that starts with `-` but ends in something only the shell knows: `--output=$X`, `-f$X`.
 * Its doubt is noted already; here a refused option is still called by its name.
 */
function readCertainPart(judgement: Judgement, word: ShellWord, index: number): number {
  const text = word.literalPrefix;
  const { options } = judgement.table;
  if (text.startsWith(LONG)) {
    const equals = text.indexOf('=');
    const name = equals < 0 ? '' : text.slice(0, equals);
    const rule = options.get(name);
    if (rule !== undefined) noteOption(judgement, rule, name, index);
    return index;
  }
  for (const letter of text.slice(1)) {
    const rule = options.letter(letter);
    if (rule === undefined) break;
    noteOption(judgement, rule, `-${letter}`, index);
    if (rule.arity !== 'none') break;
  }
  return index;
}

/**
 * An option that the grammar does not have. Programs accept abbreviations, we never do: one that could stand for a
 * refused or careful option is as bad as the worst of these.
 */
function unknownOption(judgement: Judgement, name: string, index: number): number {
  const meant = name.length > 2 ? judgement.table.options.rated().filter(([spelling]) => spelling.startsWith(name)) : [];
  const [spelling, rule] = meant.find(([, { rating }]) => rating === 'refuse') ?? meant[0] ?? [];
  if (rule === undefined || rule.rating === 'harmless') {
    const message = `${name} is no option that the grammar of ${judgement.table.words.join(' ')} knows.`;
    raise(judgement, { rating: 'unknown', code: 'option/unknown', message }, index, name);
  } else {
    const message = `${name} may be read as ${spelling}: ${rule.reason}`;
    raise(judgement, { rating: rule.rating, code: rule.code, message }, index, name);
  }
  return index;
}

/** The first operand of a command with subcommands names one; false when the grammar does not have it. */
function enterSubcommand(judgement: Judgement, word: ShellWord, index: number): boolean {
  const { table } = judgement;
  const next = word.value === null || word.glob ? null : (table.subcommand?.(word.value) ?? null);
  if (next === null) {
    const name = table.words.join(' ');
    const message = `This subcommand of ${name} is not in its grammar; it may be an alias or another program.`;
    raise(judgement, { rating: 'unknown', code: `${table.words.join('/')}/unlisted-subcommand`, message }, index);
    return false;
  }
  judgement.table = next;
  if (next.rating !== 'harmless')
    raise(judgement, { rating: next.rating, code: next.code, message: `${next.words.join(' ')}: ${next.reason}` }, index);
  return true;
}

function missingSubcommand(judgement: Judgement): boolean {
  const { words } = judgement.table;
  const message = `${words.join(' ')} without a subcommand is not in its grammar.`;
  raise(judgement, { rating: 'unknown', code: `${words.join('/')}/missing-subcommand`, message }, -1);
  return false;
}
