/** Words of unknown value that are harmless as strings (`ShellWord.data`): in which positions of a command they may appear. */
import type { ShellWord } from '../../shell/syntax/types.js';
import type { OptionRule, ValueRule } from '../grammar/option-rule.js';
import type { CommandTable } from '../grammar/table.js';
import { areProcesses, isObject, isPipe, isPlace, takesManyRevisions, takesNumbers } from './provenance.js';

/**
 * Whether a value may be any string: it is printed, stored or searched for, and neither names a file nor has another meaning. A
 * command that only tests whether a file exists (`[ -f "$x" ]`) accepts any name.
 */
export function takesAnyText(rule: ValueRule): boolean {
  const { kind, rating, checks, effects, project } = rule;
  const isText = kind === 'text' || kind === 'pattern' || kind === 'path';
  return isText && rating === 'harmless' && checks.length === 0 && effects.length === 0 && project === null;
}

const withOnlySwitches = new WeakMap<CommandTable, boolean>();

/** Whether no word can become an option that matters, because the command has only plain switches. */
export function hasOnlySwitches(table: CommandTable): boolean {
  let only = withOnlySwitches.get(table);
  if (only === undefined) {
    only = onlyReads(table) && [...table.options.values()].every(isSwitch) && (table.number === null || isSwitch(table.number));
    withOnlySwitches.set(table, only);
  }
  return only;
}

/** Whether nothing about the command itself matters, whatever its words are. */
function onlyReads({ subcommand, checks, rating, effects }: CommandTable): boolean {
  return subcommand === null && checks.length === 0 && rating === 'harmless' && effects.every(({ action }) => action === 'read');
}

function isSwitch(rule: OptionRule): boolean {
  return rule.arity === 'none' && rule.rating === 'harmless' && rule.effects.length === 0 && !rule.recursive;
}

/** Whether any number of unknown strings may appear among the operands: all operands are strings, and so are the values of all options. */
export function takesManyTexts(table: CommandTable): boolean {
  let many = textual.get(table);
  if (many === undefined) {
    many = hasOnlyTexts(table);
    textual.set(table, many);
  }
  return many;
}

/** Whether the command prints its operands (`echo`, `printf`): names that the shell inserts are strings like any other. */
export function printsOperands({ style, operands }: CommandTable): boolean {
  return style === 'print' || operands?.list[0]?.kind === 'printf-format';
}

const textual = new WeakMap<CommandTable, boolean>();

function hasOnlyTexts(table: CommandTable): boolean {
  return hasTextOperands(table) && [...table.options.values()].every((option) => isSwitch(option) || takesAnyText(option));
}

function hasTextOperands(table: CommandTable): boolean {
  const { operands } = table;
  if (operands === null || operands.rest === null || !onlyReads(table)) return false;
  const { list, rest, last, afterDashes } = operands;
  // Only the certain text of a format is judged, at its own position.
  return [...list, rest, last ?? rest, afterDashes ?? rest].every((rule) => takesAnyText(rule) || rule.kind === 'printf-format');
}

/** The builtins in which every position for a string was checked when the line was read (src/shell/expand/data-words.ts). */
const TESTS: ReadonlySet<string> = new Set(['test', '[']);

/**
 * Whether a word of unknown value may be an operand: it can neither become an option that matters nor shift the positions of other words.
 * @param optionsEnded true after `--`, or after the first operand of a command that takes no options there
 */
export function mayBeOperand(table: CommandTable, word: ShellWord, optionsEnded: boolean): boolean {
  if (TESTS.has(table.words[0] ?? '') || isPipe(word)) return true;
  if (isPlace(word) || (areProcesses(word) && takesNumbers(table))) return true;
  if (isObject(word)) return word.data === 'one' || takesManyRevisions(table) || takesManyTexts(table);
  if (word.data === 'several') return takesManyTexts(table) || (optionsEnded && hasTextOperands(table));
  if (optionsEnded || word.data === 'digits') return true;
  const first = word.literalPrefix.charAt(0);
  return (first !== '' && first !== '-') || hasOnlySwitches(table) || takesManyTexts(table);
}
