/** Judges the operands of an invocation: which rule applies to each by its position, and what the command does to the files they name. */
import { shownText } from '../../shell/syntax/shown-text.js';
import { topWord } from '../git/paths.js';
import { addEffect, type Evaluation, here, isSupplied, type PlacedOperand, raise } from '../grammar/evaluation.js';
import type { OperandRule, OperandRules } from '../grammar/table.js';
import { takesNames } from './consumers.js';
import { isNumericWord } from './provenance.js';
import { isPathKind, judgeValue } from './values.js';

/** Finds the rule for every operand by its position, and judges it. */
export function judgeOperands(judgement: Evaluation): void {
  const { operands } = judgement;
  const rules = judgement.table.operands;
  if (rules === null) {
    for (const operand of operands) raiseUnexpected(judgement, operand);
    return;
  }
  if (operands.length > 1 && rules.lead.has(operands[0]?.word.value ?? '')) operands.shift();
  const list = rules.conditional ? rules.list.filter((rule) => exists(judgement, rule)) : rules.list;
  let paths = 0;
  let limits = 0;
  for (let position = 0; position < operands.length; position += 1) {
    const operand = operands[position];
    if (operand === undefined) break;
    const rule = ruleAt(judgement, rules, list, position, operand.dashed);
    if (rule === null) {
      raiseUnexpected(judgement, operand);
      continue;
    }
    const found = judgement.effects.length;
    if (isPathKind(rule.kind) && isSwitchValue(judgement, operand)) raise(judgement, SWITCHED, operand.index);
    if (operand.word.names !== undefined && !takesNames(rules, list, rule, position, operand))
      raise(judgement, NAMES, operand.index);
    if (operand.word.glob && spillsInto(rules, list, position, operands.length, rule)) raise(judgement, SEVERAL, operand.index);
    if (rule.rating !== 'harmless')
      raise(judgement, { rating: rule.rating, code: rule.code, message: rule.reason }, operand.index);
    judgeValue(judgement, { rule, word: operand.word, index: operand.index, option: null });
    // With only an excluding pathspec or a revision, all other files are included.
    if (isGitPath(rule) && judgement.effects.length === found) limits += 1;
    else if (isPathKind(rule.kind)) paths += 1;
  }
  if (operands.length < rules.min) {
    const message = `${judgement.table.words.join(' ')} needs at least ${rules.min} operand(s).`;
    raise(judgement, { rating: 'unknown', code: 'operand/missing', message }, -1);
  }
  if (paths === 0) judgeNoPath(judgement, rules, limits > 0);
}

/**
 * Judges option values that follow the first operand as separate words: versions that take no options there read them as operands
 * (`cut a -d x`).
 */
export function judgeValuesBehind(judgement: Evaluation): void {
  const first = judgement.operands[0]?.index;
  const rule = judgement.table.operands?.rest ?? null;
  if (first === undefined || rule === null) return;
  for (const { word, index } of judgement.values) {
    const isBehind = index > first && word === judgement.invocation.argv[index];
    if (isBehind && !isNumericWord(word)) judgeValue(judgement, { rule, word, index, option: null });
  }
}

/** Whether a glob may become several operands (`uniq src/*` writes the second file) and a later position does more than read. */
function spillsInto(
  rules: OperandRules,
  list: readonly OperandRule[],
  position: number,
  count: number,
  own: OperandRule,
): boolean {
  const acts = (rule: OperandRule | null) => rule?.effects.some((effect) => effect !== 'read') ?? false;
  if (list.some((rule, at) => at > position && acts(rule))) return true;
  return position === count - 1 && own !== rules.last && acts(rules.last);
}

const SEVERAL = {
  rating: 'unknown',
  code: 'word/may-become-several',
  message: 'This glob may become several words, and the command writes to one of them; name the files.',
} as const;

/** `tsc --noEmit false`: many programs read this as the value of the preceding option, which it switches off. */
function isSwitchValue({ given }: Evaluation, { word: { value }, index }: PlacedOperand): boolean {
  if (value === null || !/^(?:true|false|null)$/i.test(value)) return false;
  return given.some((one) => one.index === index - 1 && one.rule.arity === 'none');
}

const SWITCHED = {
  rating: 'unknown',
  code: 'option/switched',
  message: 'This may be the value of the option before it, which then may be off.',
} as const;

const NAMES = {
  rating: 'unknown',
  code: 'word/found-names',
  message: 'The command may do more with the names that it is given here than look at these files.',
} as const;

function ruleAt(
  judgement: Evaluation,
  rules: OperandRules,
  list: readonly OperandRule[],
  position: number,
  dashed: boolean,
): OperandRule | null {
  if (dashed && rules.afterDashes !== null) return rules.afterDashes;
  const listed = list[position];
  if (listed !== undefined) return listed;
  const { last } = rules;
  const isLast = position > 0 && position === judgement.operands.length - 1;
  return isLast && last !== null && exists(judgement, last) ? last : rules.rest;
}

function exists(judgement: Evaluation, rule: OperandRule): boolean {
  return !rule.unless.some((option) => isSupplied(judgement, option));
}

function raiseUnexpected(judgement: Evaluation, operand: PlacedOperand): void {
  const message = `Policy does not know what ${shownText(operand.word.text)} means to ${judgement.table.words.join(' ')} at this place.`;
  raise(judgement, { rating: 'unknown', code: 'operand/unexpected', message }, operand.index);
}

/** Adds the effects of commands that work on the current directory if they have no path operands (`ls`, `grep -r x`). */
function judgeNoPath(judgement: Evaluation, rules: OperandRules, isLimited: boolean): void {
  const { whenNone } = rules;
  if (whenNone === null || (whenNone !== 'here' && !judgement.recursive && !isLimited)) return;
  const rule = rules.rest ?? rules.list.at(-1);
  if (rule === undefined) return;
  const { directory, span } = judgement.invocation;
  const place = whenNone === 'top-when-recursive' ? topWord('.', span, directory, '') : here(judgement);
  for (const action of rule.effects) addEffect(judgement, action, place, rule.recursive || judgement.recursive, -1);
}

/** Whether git reads such an operand as files unless its syntax says otherwise; a rule without effects cannot show which it was. */
function isGitPath({ kind, effects }: OperandRule): boolean {
  return effects.length > 0 && (kind === 'git-pathspec' || kind === 'git-revision-or-pathspec');
}
