/** The rules for judging options and values, compiled from their entries in a grammar. */
import type { Action, GrammarIssue } from '../model/command.js';
import type { Kind, OptionEntry, OptionRating, ValueCheckEntry, ValueEntry } from './file.js';

/** The rule for judging an option value or an operand. */
export interface ValueRule {
  readonly kind: Kind;
  readonly rating: OptionRating;
  readonly code: string;
  readonly reason: string;
  readonly checks: readonly ValueCheck[];
  readonly effects: readonly Action[];
  readonly recursive: boolean;
  readonly project: 'care' | 'refuse' | null;
  /** It must be a plain file. */
  readonly file: boolean;
  /** A lone `-` is a stream, not a file. */
  readonly dash: boolean;
}

export interface OptionRule extends ValueRule {
  readonly arity: 'none' | 'required' | 'optional' | 'joined' | 'greedy' | 'pair';
  /** All words after it and its value are operands. */
  readonly ends: boolean;
  /** Options of the command may also follow its operands. */
  readonly opens: boolean;
  /** The next word is its value even if it begins with a hyphen, in every version of the program. */
  readonly hyphen: boolean;
  /** With style `words`: the value may be part of the same word, after the single letter. */
  readonly attached: boolean;
  /** The options that it is short for, by any of their spellings. */
  readonly means: readonly string[];
  /** Its rating is about work on the project (file.ts). */
  readonly work: boolean;
}

export interface ValueCheck {
  readonly applies: (value: string) => boolean;
  readonly rating: GrammarIssue['rating'];
  readonly code: string;
  readonly reason: string;
}

/** A harmless flag without a value, as most options are. */
export function plainFlag(flag: string, prefix: string): OptionRule {
  return {
    kind: 'text',
    rating: 'harmless',
    code: `${prefix}/${withoutDashes(flag)}`,
    reason: '',
    checks: NO_CHECKS,
    effects: NO_EFFECTS,
    recursive: false,
    project: null,
    file: false,
    dash: false,
    arity: 'none',
    ends: false,
    opens: false,
    hyphen: false,
    attached: false,
    means: NO_SPELLINGS,
    work: false,
  };
}

const NO_SPELLINGS: readonly string[] = [];
const NO_CHECKS: readonly ValueCheck[] = [];
const NO_EFFECTS: ValueRule['effects'] = [];

function withoutDashes(name: string): string {
  let at = 0;
  while (name.charCodeAt(at) === HYPHEN) at += 1;
  return name.slice(at);
}

const HYPHEN = 45;

/** The rule of an option; `key` contains all its spellings. */
export function compileOption(key: string, prefix: string, entry: OptionEntry): OptionRule {
  const spellings = key.split(' ');
  const name = spellings.find((spelling) => spelling.startsWith('--')) ?? key;
  const code = entry.code ?? withoutDashes(name).split(' ', 1)[0] ?? name;
  return {
    ...compileValue(entry, entry.value ?? 'text', prefix, code),
    arity: entry.arity ?? (entry.value === undefined ? 'none' : 'required'),
    ends: entry.ends ?? false,
    opens: entry.opens ?? false,
    hyphen: entry.hyphen ?? false,
    attached: entry.attached ?? false,
    means: entry.means?.split(' ') ?? NO_SPELLINGS,
    work: entry.work ?? false,
  };
}

export function compileValue(entry: ValueEntry, kind: Kind, prefix: string, code: string): ValueRule {
  return {
    kind,
    rating: entry.rating ?? 'harmless',
    code: `${prefix}/${code}`,
    reason: entry.reason ?? '',
    checks: (entry.checks ?? []).map((check) => compileValueCheck(check, prefix, code)),
    effects: entry.effects ?? [],
    recursive: entry.recursive ?? false,
    project: entry.project ?? null,
    file: entry.file ?? false,
    dash: entry.dash === 'stream',
  };
}

function compileValueCheck(entry: ValueCheckEntry, prefix: string, code: string): ValueCheck {
  return { applies: conditionOf(entry), rating: entry.rating, code: `${prefix}/${entry.code ?? code}`, reason: entry.reason };
}

/** Whether a check applies: every condition that its entry contains must hold. */
function conditionOf(entry: ValueCheckEntry): (value: string) => boolean {
  const conditions: ((value: string) => boolean)[] = [];
  const { is, isNot, contains } = entry;
  if (is !== undefined) conditions.push((value) => is.includes(value));
  if (isNot !== undefined) conditions.push((value) => !isNot.includes(value));
  if (contains !== undefined) conditions.push((value) => contains.some((part) => value.includes(part)));
  const matches = entry.matches === undefined ? null : new RegExp(entry.matches, 'u');
  if (matches !== null) conditions.push((value) => matches.test(value));
  const notMatches = entry.notMatches === undefined ? null : new RegExp(entry.notMatches, 'u');
  if (notMatches !== null) conditions.push((value) => !notMatches.test(value));
  return (value) => conditions.every((condition) => condition(value));
}
