/** Reads one option by its grammar: its spelling, and the words that are its values. */
import type { ShellWord } from '../../shell/syntax/types.js';
import { type Evaluation, partOf, raise } from '../grammar/evaluation.js';
import type { OptionRule } from '../grammar/option-rule.js';
import type { CommandTable } from '../grammar/table.js';
import { isOneNumber, isPlace } from './provenance.js';
import { raiseDynamic, requirePlainWord } from './uncertain-words.js';
import { isNumber } from './values.js';

const HYPHEN = 45;
const LONG = '--';

/** `-` alone is an operand; with style `words` an option need not start with `-` (`!` of find). */
export function isOption(judgement: Evaluation, word: ShellWord): boolean {
  const text = word.value ?? word.literalPrefix;
  if (judgement.table.style === 'print' && !word.glob) return judgement.table.options.has(text);
  if (text.charCodeAt(0) === HYPHEN && (text.length > 1 || word.value === null || word.glob)) return true;
  return hasWholeWords(judgement.table) && word.value !== null && judgement.table.options.has(word.value);
}

/** Reads one option word; returns the index of the last word that belongs to it. */
export function readOption(judgement: Evaluation, word: ShellWord, index: number): number {
  const { table } = judgement;
  const text = word.value ?? '';
  const words = hasWholeWords(table);
  const whole = words ? table.options.get(text) : undefined;
  if (whole !== undefined) return give(judgement, whole, text, word, null, index);
  // Where options are whole words, `-tags=x` is read as `--tags=x` is elsewhere.
  return words || text.startsWith(LONG) ? readLong(judgement, word, text, index) : readCluster(judgement, word, text, index);
}

/** Whether options are whole words, without clusters: `find -name`, `go build -race`. */
function hasWholeWords({ style }: CommandTable): boolean {
  return style === 'words' || style === 'words-stop' || style === 'print';
}

function readLong(judgement: Evaluation, word: ShellWord, text: string, index: number): number {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const rule = judgement.table.options.get(name);
  if (rule === undefined) {
    const letter = text.slice(0, 2);
    const attached = judgement.table.options.get(letter);
    if (attached?.attached === true) return give(judgement, attached, letter, word, text.slice(2), index);
    return unknownOption(judgement, name, index);
  }
  return give(judgement, rule, name, word, equals < 0 ? null : text.slice(equals + 1), index);
}

/** `-aF/etc/passwd`: letters without a value, until one takes the rest of the word, or the next word. */
function readCluster(judgement: Evaluation, word: ShellWord, text: string, index: number): number {
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

/** Notes a known option and takes its value; returns the index of the last word that belongs to it. */
function give(
  judgement: Evaluation,
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

/** Notes that an option is given and, if it is rated, raises its issue; the value is judged later. */
export function noteOption(judgement: Evaluation, rule: OptionRule, spelling: string, index: number): void {
  judgement.given.push({ rule, spelling, index });
  if (rule.recursive) judgement.recursive = true;
  if (rule.rating === 'harmless') return;
  const { rating, code, work } = rule;
  raise(judgement, { rating, code, message: `${spelling}: ${rule.reason}`, work }, index, spelling);
}

/** Takes the next word as the option's value, whatever it looks like; raises an issue for one that looks like an option. */
export function takeNext(judgement: Evaluation, rule: OptionRule, spelling: string, index: number): number {
  const next = judgement.invocation.argv[index + 1];
  if (next === undefined) {
    if (rule.arity === 'required' || rule.arity === 'pair') raiseMissingValue(judgement, spelling, index);
    return index;
  }
  // Whatever the string is, it is the value; whether any string is acceptable is judged with the other values.
  const isData =
    next.data !== undefined && (next.data !== 'several' || isPlace(next) || isOneNumber(next)) && rule.arity !== 'greedy';
  requirePlainWord(judgement, next, index + 1);
  if ((next.value === null || next.glob) && !isData) raiseDynamic(judgement, index + 1);
  else if (next.value !== null && !next.glob && looksLikeOption(judgement, rule, next.value)) {
    const message = `The value of ${spelling} looks like an option; write it in one word with ${spelling}.`;
    raise(judgement, { rating: 'unknown', code: 'option/value-like-option', message }, index + 1, spelling);
  }
  judgement.values.push({ rule, word: next, index: index + 1, option: spelling });
  return index + 1;
}

function raiseMissingValue(judgement: Evaluation, spelling: string, index: number): void {
  const message = `${spelling} needs a value.`;
  raise(judgement, { rating: 'unknown', code: 'option/missing-value', message }, index, spelling);
}

function looksLikeOption(judgement: Evaluation, rule: OptionRule, value: string): boolean {
  if (rule.hyphen || value.charCodeAt(0) !== HYPHEN || value.length < 2) return false;
  if (rule.kind === 'number' && isNumber(value)) return false;
  if (judgement.table.options.has(value) || !(rule.kind === 'text' || rule.kind === 'pattern')) return true;
  if (value.startsWith(LONG)) return value.length === 2 || /^--[A-Za-z]/.test(value);
  return judgement.table.options.letter(value.charAt(1)) !== undefined;
}

/**
 * Reads the certain part of a word that starts with `-` but ends in an unknown value: `--output=$X`, `-f$X`. The uncertainty is
 * already noted; this way a refused option is still named.
 */
export function readCertainPart(judgement: Evaluation, word: ShellWord, index: number): number {
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
 * Notes an option that the grammar does not have. Programs accept abbreviations, we never do: one that could stand for refused or
 * careful options is rated like the worst of them.
 */
export function unknownOption(judgement: Evaluation, name: string, index: number): number {
  const meant = name.length > 2 ? judgement.table.options.rated().filter(([spelling]) => spelling.startsWith(name)) : [];
  const [spelling, rule] = meant.find(([, { rating }]) => rating === 'refuse') ?? meant[0] ?? [];
  if (rule === undefined || rule.rating === 'harmless') {
    const message = `${name} is no option of ${judgement.table.words.join(' ')} that policy knows.`;
    raise(judgement, { rating: 'unknown', code: 'option/unknown', message }, index, name);
  } else {
    const message = `${name} may be read as ${spelling}: ${rule.reason}`;
    raise(judgement, { rating: rule.rating, code: rule.code, message }, index, name);
  }
  return index;
}
