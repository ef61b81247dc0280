/** Words that stand for names of files which another command of the line found (`ShellWord.names`): where they may stand, and what they mean. */
import type { FoundNames, ShellWord } from '../../shell/syntax/types.js';
import { type Evaluation, note, type PlacedOperand, type PlacedValue } from '../grammar/evaluation.js';
import type { ValueRule } from '../grammar/option-rule.js';
import type { OperandRule, OperandRules } from '../grammar/table.js';
import { hasOnlySwitches, takesAnyText } from './data-words.js';

/**
 * A name may become an option where it need not begin with a starting point: only facts tell that none does (condition
 * `plain-names`), unless options have ended, or the command has none that matters.
 */
export function flagUnknownNames(judgement: Evaluation, word: ShellWord, index: number, ended: boolean): void {
  const { names } = word;
  const { table } = judgement;
  if (names === undefined || !names.bare || hasOnlySwitches(table)) return;
  // find takes a word for a predicate by its first letter, also behind `--`.
  if (ended && table.style !== 'words') return;
  judgement.conditions.push({ kind: 'plain-names', names, hyphen: true, word: index });
}

/** A place for files that are only looked at, whatever they are called. */
export function takesFiles(rule: ValueRule): boolean {
  const { kind, rating, checks, effects } = rule;
  const isPath = kind === 'path' || kind === 'git-pathspec';
  return isPath && rating === 'harmless' && checks.length === 0 && effects.every((effect) => effect === 'read');
}

/** Whether all the names that a word stands for fall on places for files that are read, or for texts. */
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

/** The names are files that are read; taken apart wrongly, they could be any. */
export function touchNames(judgement: Evaluation, place: PlacedValue, names: FoundNames): void {
  const { rule, word, index } = place;
  // Of a folder git reads what is in its index.
  const enters = rule.kind !== 'git-pathspec' && (rule.recursive || judgement.recursive);
  for (const action of rule.effects) {
    if (enters) judgement.effects.push({ action, path: word, recursive: true, enters, span: word.span });
    else note(judgement, action, word, true, index);
  }
  if (rule.project !== null)
    for (const path of names.roots) judgement.conditions.push({ kind: 'project-path', path, rating: rule.project, word: index });
  // A pathspec begins with its magic.
  const magic = rule.kind === 'git-pathspec' && names.bare;
  // What stands in an index need not lie in the folder.
  const indexed = names.from.some((one) => one !== 'tree' && one !== 'folder');
  if (names.split || magic || indexed) judgement.conditions.push({ kind: 'plain-names', names, hyphen: magic, word: index });
}
