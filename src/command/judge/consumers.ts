/**
 * Words that stand for file names which another command in the line found (`ShellWord.names`): where they may appear, and what
 * they mean there.
 */
import type { FoundNames, ShellWord } from '../../shell/syntax/types.js';
import { addEffect, type Evaluation, type PlacedOperand, type PlacedValue } from '../grammar/evaluation.js';
import type { ValueRule } from '../grammar/option-rule.js';
import type { OperandRule, OperandRules } from '../grammar/table.js';
import { hasOnlySwitches, takesAnyText } from './data-words.js';

/**
 * A name that need not begin with a starting point may become an option: only facts tell that none does (condition
 * `plain-names`), unless options have ended or the command has no option that matters.
 */
export function flagUnknownNames(judgement: Evaluation, word: ShellWord, index: number, ended: boolean): void {
  const { names } = word;
  const { table } = judgement;
  if (names === undefined || !names.bare || hasOnlySwitches(table)) return;
  // find recognises a predicate by its first letter, even after `--`.
  if (ended && table.style !== 'words') return;
  judgement.conditions.push({ kind: 'plain-names', names, hyphen: true, word: index });
}

/** Whether a position is for files that are only read, whatever their names. */
export function takesFiles(rule: ValueRule): boolean {
  const { kind, rating, checks, effects } = rule;
  const isPath = kind === 'path' || kind === 'git-pathspec';
  return isPath && rating === 'harmless' && checks.length === 0 && effects.every((effect) => effect === 'read');
}

/** Whether all names that a word stands for fall on positions for files that are read, or for strings. */
export function takesNames(
  rules: OperandRules,
  list: readonly OperandRule[],
  own: OperandRule,
  position: number,
  operand: PlacedOperand,
): boolean {
  const places: (OperandRule | null)[] = [own];
  if (operand.word.names?.many) {
    if (operand.dashed && rules.afterDashes !== null) places.push(rules.afterDashes);
    else places.push(...list.slice(position + 1), rules.rest, rules.last);
  }
  return places.every((rule) => rule === null || takesFiles(rule) || takesAnyText(rule));
}

/** Notes that the named files are read; if the names are split wrongly, they could be any files. */
export function touchNames(judgement: Evaluation, place: PlacedValue, names: FoundNames): void {
  const { rule, word, index } = place;
  // In a directory, git reads the contents of its index.
  const enters = rule.kind !== 'git-pathspec' && (rule.recursive || judgement.recursive);
  for (const action of rule.effects) {
    if (enters) judgement.effects.push({ action, path: word, recursive: true, enters, span: word.span });
    else addEffect(judgement, action, word, true, index);
  }
  if (rule.project !== null)
    for (const path of names.roots) judgement.conditions.push({ kind: 'project-path', path, rating: rule.project, word: index });
  // Magic begins a pathspec, so a bare name could contain it.
  const magic = rule.kind === 'git-pathspec' && names.bare;
  // Entries of an index need not exist in the directory.
  const indexed = names.from.some((one) => one !== 'tree' && one !== 'folder');
  if (names.split || magic || indexed) judgement.conditions.push({ kind: 'plain-names', names, hyphen: magic, word: index });
}
