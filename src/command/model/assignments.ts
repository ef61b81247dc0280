/** Judges assignments by rules/commands/assignments.yaml: a short list is harmless, a long one refused, and the rest ask. */
import { data } from '../../generated/data.js';
import type { ShellAssignment } from '../../shell/syntax/types.js';
import type { GrammarIssue } from './command.js';

/** The compiled file, with names that end in `*` separate from whole names. */
interface AssignmentRules {
  /** Null: any simple value. */
  readonly harmless: ReadonlyMap<string, ReadonlySet<string> | null>;
  readonly harmlessStarts: readonly string[];
  readonly refused: ReadonlySet<string>;
  readonly refusedStarts: readonly string[];
  readonly refusedEnds: readonly string[];
}

interface AssignmentFile {
  readonly harmless: readonly { readonly name: string; readonly values?: readonly string[] }[];
  readonly refuse: readonly string[];
}

/** A value that no program reads as a path, an option or a command. */
const SIMPLE_VALUE = /^(?:[A-Za-z0-9_][A-Za-z0-9_.,:@+-]{0,63})?$/;
/** A time zone may have a slash, but names no file outside the zone data. */
const ZONE_VALUE = /^[A-Za-z0-9_][A-Za-z0-9_+,:-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){0,2}$/;

/** A locale in which every character that is special to the shell is one byte, and no other character contains such a byte. */
const LOCALE_VALUE = /^(?:POSIX|C|(?:C|[a-z]{2,3}(?:_[A-Z]{2})?)\.(?:UTF-8|utf-?8)(?:@[a-z]{1,16})?)?$/;

let rules: AssignmentRules | null = null;

/**
 * The issues of `NAME=VALUE … command` that a rule covers only by writing them out: rating `refuse` with code
 * `assignment/executes` for variables that make programs run or write something, `care` with `assignment/unlisted` for others
 * outside the short harmless list. `word` is -1 and `option` is `NAME=`.
 */
export function judgeAssignments(assignments: readonly ShellAssignment[]): GrammarIssue[] {
  const issues: GrammarIssue[] = [];
  for (const assignment of assignments) {
    if (isHarmless(assignment)) continue;
    issues.push(canExecute(assignment.name) ? executes(assignment) : unlisted(assignment));
  }
  return issues;
}

/** The same for assignments without a command: they stay in this shell, so only refused names and locales are an issue. */
export function judgeBareAssignments(assignments: readonly ShellAssignment[]): GrammarIssue[] {
  return judgeAssignments(assignments.filter(({ name }) => canExecute(name) || isLocale(name)));
}

/** The same for `export NAME`, whatever its present value: no issue only for names for which every simple value is harmless. */
export function judgeExportedName(assignment: ShellAssignment): GrammarIssue[] {
  rules ??= readRules();
  return rules.harmless.get(assignment.name) === null ? judgeBareAssignments([assignment]) : judgeAssignments([assignment]);
}

/** Whether setting a variable to this value changes the behaviour of no program. */
export function isHarmless({ name, value, append }: Pick<ShellAssignment, 'name' | 'value' | 'append'>): boolean {
  if (value === null || append) return false;
  rules ??= readRules();
  if (isLocale(name)) return LOCALE_VALUE.test(value);
  const values = rules.harmless.get(name);
  if (values === undefined) return rules.harmlessStarts.some((start) => name.startsWith(start)) && SIMPLE_VALUE.test(value);
  if (values !== null) return values.has(value);
  return (name === 'TZ' ? ZONE_VALUE : SIMPLE_VALUE).test(value);
}

/**
 * Whether the variable sets the locale, in which Bash reads the next lines: in `ja_JP.SJIS` or `zh_TW.Big5` a backslash, a
 * backtick or a `|` after another byte is part of one character (seen to run text that every reader takes for quoted).
 */
function isLocale(name: string): boolean {
  return name === 'LANG' || name.startsWith('LC_');
}

/** Whether setting the variable can make a program run, read or write something else. */
export function canExecute(name: string): boolean {
  rules ??= readRules();
  // `NAME[subscript]=` assigns to NAME; `env` accepts names that no shell does (`BASH_FUNC_git%%`).
  const plain = name.replace(/\[.*$/s, '');
  const { refused, refusedStarts, refusedEnds } = rules;
  return (
    refused.has(plain) || refusedStarts.some((start) => plain.startsWith(start)) || refusedEnds.some((end) => plain.endsWith(end))
  );
}

function executes(assignment: ShellAssignment): GrammarIssue {
  return issue(assignment, 'refuse', 'assignment/executes', 'can make a program run, read or write something else');
}

function unlisted(assignment: ShellAssignment): GrammarIssue {
  return issue(assignment, 'care', 'assignment/unlisted', 'is not on the short list of harmless assignments');
}

function issue(assignment: ShellAssignment, rating: 'care' | 'refuse', code: string, what: string): GrammarIssue {
  const { name, span } = assignment;
  return { rating, code, message: `The variable ${name.slice(0, 64)} ${what}.`, word: -1, option: `${name}=`, span };
}

function readRules(): AssignmentRules {
  const file = data('commands/assignments') as AssignmentFile;
  const harmless = new Map<string, ReadonlySet<string> | null>();
  const harmlessStarts: string[] = [];
  for (const { name, values } of file.harmless) {
    if (name.endsWith('*')) harmlessStarts.push(name.slice(0, -1));
    else harmless.set(name, values === undefined ? null : new Set(values));
  }
  const starts = file.refuse.filter((name) => name.endsWith('*'));
  const ends = file.refuse.filter((name) => name.startsWith('*'));
  return {
    harmless,
    harmlessStarts,
    refused: new Set(file.refuse),
    refusedStarts: starts.map((name) => name.slice(0, -1)),
    refusedEnds: ends.map((name) => name.slice(1)),
  };
}
