/** Walks the words of an invocation by its grammar: options, operands, and the names of subcommands. */

import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { type Evaluation, raise } from '../grammar/evaluation.js';
import type { CommandTable } from '../grammar/table.js';
import { flagUnknownNames } from './consumers.js';
import { mayBeOperand } from './data-words.js';
import { isOption, noteOption, readCertainPart, readOption, takeNext, unknownOption } from './one-option.js';
import { isCount, stripPrefix, takesAnyNumber } from './provenance.js';
import { noteUncertain, raiseDynamic, requirePlainWord } from './uncertain-words.js';

const LONG = '--';

/**
 * Walks argv from its second word, fills `given`, `values` and `operands`, and changes `table` at each subcommand. Long names
 * must be exact, short clusters are split by arity, `--` ends options, and an unknown option is an issue.
 * @returns false when the words name a command that the grammar does not have; then nothing after it was judged
 */
export function readWords(judgement: Evaluation): boolean {
  const { argv } = judgement.invocation;
  let dashed = false;
  let stopped = false;
  let firstDashes: number | null = null;
  for (let index = readOldStyle(judgement) + 1; index < argv.length; index += 1) {
    const word = argv[index];
    if (word === undefined) break;
    if (!dashed && !stopped && readNumbered(judgement, word, index)) continue;
    if (word.data !== undefined && judgement.table.subcommand === null) {
      firstDashes ??= argv.findIndex(isDashes);
      readData(judgement, word, index, dashed || stopped, firstDashes !== -1 && firstDashes < index);
      if (judgement.operands.at(-1)?.word === word) stopped ||= judgement.table.style === 'stop';
      continue;
    }
    if (word.names !== undefined && judgement.table.subcommand === null) {
      flagUnknownNames(judgement, word, index, dashed || stopped);
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
        // A glob that matches no file stays as written, so it is also read that way.
        index = word.value === null ? readCertainPart(judgement, word, index) : readOption(judgement, word, index);
        stopped = judgement.given.at(-1)?.rule.ends ?? false;
        // `nix develop .#ci -c make test`: the rest is read like words after `--`.
        dashed = stopped && (judgement.table.operands?.afterDashes ?? null) !== null;
        continue;
      }
      if (judgement.table.subcommand !== null) {
        if (!enterSubcommand(judgement, word, index)) return false;
        continue;
      }
      stopped = stopsAtOperand(judgement.table) && !judgement.given.some(({ rule }) => rule.opens);
    } else if (word.value === null) raiseDynamic(judgement, index);
    judgement.operands.push({ word, index, dashed });
  }
  return judgement.table.bare || missingSubcommand(judgement);
}

/**
 * `tar tzf a.tgz`: letters without a hyphen in the first word, followed by one word for each letter that takes a value. Returns
 * the index of the last word that belongs to them, or 0 if the first word is not such a cluster.
 */
function readOldStyle(judgement: Evaluation): number {
  const first = judgement.invocation.argv[1];
  if (!judgement.table.oldStyle || first === undefined) return 0;
  if (first.value === null || first.glob || first.tilde || !/^[A-Za-z]/.test(first.value)) return 0;
  let last = 1;
  for (const letter of first.value) {
    const rule = judgement.table.options.letter(letter);
    // It may take a value, and then all following values belong to other letters than they seem to.
    if (rule === undefined) return unknownOption(judgement, `-${letter}`, last);
    noteOption(judgement, rule, `-${letter}`, 1);
    if (rule.arity === 'required') last = takeNext(judgement, rule, `-${letter}`, last);
  }
  return last;
}

/** `-j$(nproc)`, `--jobs=$(nproc)`: reads an option whose value is an unknown number; false for every other word. */
function readNumbered(judgement: Evaluation, { origin }: ShellWord, index: number): boolean {
  if (origin?.source.kind !== 'number' || origin.after !== '') return false;
  const [, letter, long] = /^(?:-([A-Za-z])|(--[\w-]+)=)$/.exec(origin.before) ?? [];
  const { options } = judgement.table;
  const rule = letter === undefined ? options.get(long ?? '') : options.letter(letter);
  if (rule === undefined || rule.arity === 'none' || !takesAnyNumber(rule)) return false;
  noteOption(judgement, rule, letter === undefined ? (long ?? '') : `-${letter}`, index);
  return true;
}

/**
 * Reads a word of unknown value: the value of the long option that it begins with, or an operand; its position is judged as if it
 * were known.
 */
function readData(judgement: Evaluation, word: ShellWord, index: number, ended: boolean, isBehindDashes: boolean): void {
  const { table } = judgement;
  const prefix = word.literalPrefix;
  const equals = !ended && prefix.startsWith(LONG) ? prefix.indexOf('=') : -1;
  const name = prefix.slice(0, equals);
  const rule = equals < 0 || word.data === 'several' ? undefined : table.options.get(name);
  if (rule !== undefined && rule.arity !== 'none') {
    noteOption(judgement, rule, name, index);
    judgement.values.push({ rule, word: stripPrefix(word, `${name}=`), index, option: name });
  } else {
    if (!mayBeOperand(table, word, ended) && !isCount(word)) noteUncertain(judgement, word, index);
    else requirePlainWord(judgement, word, index);
    judgement.operands.push({ word, index, dashed: ended && isBehindDashes });
  }
}

const isDashes = ({ value }: ShellWord) => value === LONG;

/** Where options are whole words, `--` may not end them: `find -- src -delete` deletes. */
function checkDashes(judgement: Evaluation, index: number): void {
  const mayBeOption = ({ literalPrefix }: ShellWord) => literalPrefix === '' || literalPrefix.startsWith('-');
  if (!judgement.invocation.argv.slice(index + 1).some(mayBeOption)) return;
  const message = 'Behind -- this command may still read options; leave the -- out.';
  raise(judgement, { rating: 'unknown', code: 'option/behind-dashes', message }, index);
}

function stopsAtOperand({ style }: CommandTable): boolean {
  return style === 'stop' || style === 'words-stop' || style === 'print';
}

/** Enters the subcommand that the first operand names; false when the grammar does not have it. */
function enterSubcommand(judgement: Evaluation, word: ShellWord, index: number): boolean {
  const { table } = judgement;
  const next = word.value === null || word.glob ? null : (table.subcommand?.(word.value) ?? null);
  if (next === null) {
    const name = table.words.join(' ');
    const told = word.value === null ? null : table.unlisted(word.value);
    const called = `${name} ${shownText(word.text)}`;
    const message =
      told === null ? `policy does not know ${called}; it may be an alias or another program.` : `${called}: ${told}`;
    const work = table.scripts !== null;
    raise(judgement, { rating: 'unknown', code: `${table.words.join('/')}/unlisted-subcommand`, message, work }, index);
    if (table.scripts !== null) judgement.script = { file: table.scripts, word: index };
    return false;
  }
  judgement.table = next;
  judgement.called = word.value ?? '';
  const { rating, code } = next;
  if (rating !== 'harmless')
    raise(judgement, { rating, code, message: `${next.words.join(' ')}: ${next.reason}`, work: next.work !== false }, index);
  return true;
}

function missingSubcommand(judgement: Evaluation): boolean {
  const { words } = judgement.table;
  const told = judgement.table.unlisted('');
  const called = words.join(' ');
  const message = told === null ? `${called} without a subcommand does what policy does not know.` : `${called}: ${told}`;
  raise(judgement, { rating: 'unknown', code: `${words.join('/')}/missing-subcommand`, message }, -1);
  return false;
}
