/** The findings while one invocation is judged, and the functions that note them. */
import type { Invocation, ShellWord, Span } from '../../shell/syntax/types.js';
import type { Action, CommandEffect, Condition, GrammarIssue, GrammarVerdict } from '../model/command.js';
import type { OptionRule, ValueRule } from './option-rule.js';
import type { CommandTable } from './table.js';

export interface PlacedOperand {
  readonly word: ShellWord;
  readonly index: number;
  /** True after `--`. */
  readonly dashed: boolean;
}

export interface SuppliedOption {
  readonly rule: OptionRule;
  /** As written, without its value: `--force`, `-f`. */
  readonly spelling: string;
  readonly index: number;
}

/** An option value or operand, and the rule it must meet. */
export interface PlacedValue {
  readonly rule: ValueRule;
  readonly word: ShellWord;
  readonly index: number;
  /** The option that it is the value of, as written; null for an operand. */
  readonly option: string | null;
}

/** Mutable on purpose: one is made per call of judgeInvocation and becomes its verdict. */
export interface Evaluation {
  readonly invocation: Invocation;
  /** The command, later the subcommand, whose grammar applies. */
  table: CommandTable;
  readonly issues: GrammarIssue[];
  readonly conditions: Condition[];
  readonly effects: CommandEffect[];
  readonly given: SuppliedOption[];
  readonly values: PlacedValue[];
  readonly operands: PlacedOperand[];
  /** The name of the subcommand, as written. */
  called?: string;
  script?: NonNullable<GrammarVerdict['script']>;
  /** An option was given with which path operands stand for whole trees. */
  recursive: boolean;
}

/** The rating, code and message of an issue. */
export interface IssueText {
  readonly rating: GrammarIssue['rating'];
  readonly code: string;
  readonly message: string;
  readonly work?: boolean;
}

/** Notes an issue about the word at `index` (-1: the whole command). */
export function raise(judgement: Evaluation, text: IssueText, index: number, option: string | null = null): void {
  const { rating, code, message, work } = text;
  const span = spanAt(judgement, index);
  judgement.issues.push({ rating, code, message, word: index, option, span, ...(work === true && { work }) });
}

/**
 * Notes an issue about an option value or operand. A rule that writes out the option (`psql -c *`) leaves the value open, so the
 * issue is about the word with the value (`psql -c '\\! id'`); the message names the option.
 */
export function raisePlaced(
  judgement: Evaluation,
  place: PlacedValue,
  rating: GrammarIssue['rating'],
  code: string,
  reason: string,
): void {
  const message = place.option === null ? reason : `${place.option}: ${reason}`;
  raise(judgement, { rating, code, message }, place.index);
}

/** Notes the effects on a path, and the condition that it is inside the project; an operand may stand for a whole tree. */
export function touchPath(judgement: Evaluation, place: PlacedValue, path: ShellWord): void {
  const { rule, index } = place;
  const recursive = rule.recursive || (place.option === null && judgement.recursive);
  for (const action of rule.effects) addEffect(judgement, action, path, recursive, index);
  if (rule.file) judgement.conditions.push({ kind: 'plain-file', path, word: index });
  if (rule.project !== null) judgement.conditions.push({ kind: 'project-path', path, rating: rule.project, word: index });
}

/** Adds an effect; `path` is null when its target cannot be named. */
export function addEffect(into: Evaluation, action: Action, path: ShellWord | null, recursive: boolean, index: number): void {
  into.effects.push({ action, path, recursive, span: spanAt(into, index) });
}

/** True when the option was given in any of its spellings. */
export function isSupplied(judgement: Evaluation, rule: OptionRule): boolean {
  for (const given of judgement.given) if (given.rule === rule) return true;
  return false;
}

/** A certain, literal word for a part of another one (the value in `--file=x`). */
export function partOf(word: ShellWord, value: string): ShellWord {
  return { text: value, value, span: word.span, glob: false, tilde: false, literalPrefix: value };
}

/** The current directory, as a word that does not appear in the line. */
export function here({ invocation }: Evaluation): ShellWord {
  return { text: '.', value: '.', span: invocation.span, glob: false, tilde: false, literalPrefix: '.' };
}

function spanAt(judgement: Evaluation, index: number): Span {
  return judgement.invocation.argv[index]?.span ?? judgement.invocation.span;
}
