/** A command's grammar as the engine uses it: maps instead of lists, subcommands compiled when first met. */
import { data } from '../generated/data.js';
import type { Action, GrammarIssue } from './command.js';
import type {
  CheckEntry,
  CommandEntry,
  ConditionEntry,
  EffectEntry,
  GrammarFile,
  Kind,
  OperandEntry,
  OperandsEntry,
  OptionEntry,
  OptionRating,
  OptionSetEntry,
  ValueCheckEntry,
  ValueEntry,
} from './grammar-file.js';
import { OptionTable } from './option-table.js';

/** How the value of an option, or an operand, is judged. */
export interface ValueRule {
  readonly kind: Kind;
  readonly rating: OptionRating;
  readonly code: string;
  readonly reason: string;
  readonly checks: readonly ValueCheck[];
  readonly effects: readonly Action[];
  readonly recursive: boolean;
  readonly project: 'care' | 'refuse' | null;
  /** A lone `-` is a stream, no file. */
  readonly dash: boolean;
}

export interface OptionRule extends ValueRule {
  readonly arity: 'none' | 'required' | 'optional' | 'joined' | 'greedy' | 'pair';
}

export interface OperandRule extends ValueRule {
  readonly unless: readonly OptionRule[];
}

export interface OperandRules {
  readonly list: readonly OperandRule[];
  /** An option takes the place of one of the list. */
  readonly conditional: boolean;
  readonly rest: OperandRule | null;
  readonly last: OperandRule | null;
  readonly afterDashes: OperandRule | null;
  readonly min: number;
  readonly whenNone: 'here' | 'here-when-recursive' | null;
}

export interface ValueCheck {
  readonly applies: (value: string) => boolean;
  readonly rating: GrammarIssue['rating'];
  readonly code: string;
  readonly reason: string;
}

export interface CommandCheck {
  readonly code: string;
  /** About the command itself, as a rating of it would be: a rule that names the command covers it. */
  readonly whole: boolean;
  readonly rating: GrammarIssue['rating'];
  readonly reason: string;
  readonly absent: readonly OptionRule[];
  readonly any: readonly OptionRule[];
  readonly all: readonly OptionRule[];
  readonly min: number;
  readonly max: number;
}

/** What the command does whatever its operands are, unless one of the options is given. */
export interface CommandEffectRule {
  readonly action: Action;
  readonly here: boolean;
  readonly recursive: boolean;
  readonly unless: readonly OptionRule[];
}

export interface CommandTable {
  readonly words: readonly string[];
  readonly style: 'permute' | 'stop' | 'words' | 'words-stop';
  readonly options: OptionTable;
  /** `-20`. */
  readonly number: OptionRule | null;
  /** Null when the command has no subcommands; the function gives null for one that is not listed. */
  readonly subcommand: ((name: string) => CommandTable | null) | null;
  readonly bare: boolean;
  /** Words that, standing alone behind the command's own, only make it tell its version or help. */
  readonly informs: ReadonlySet<string>;
  readonly operands: OperandRules | null;
  readonly effects: readonly CommandEffectRule[];
  readonly conditions: readonly ConditionEntry[];
  readonly checks: readonly CommandCheck[];
  readonly rating: OptionRating;
  readonly code: string;
  readonly reason: string;
}

const NUMBER = '-<number>';

/**
 * Compiles one command (its subcommands follow when they are asked for).
 * Throws when the shipped file contradicts itself (an unknown set or option name): a mistake of ours, found by the tests.
 */
export function compileCommand(
  file: GrammarFile,
  words: readonly string[],
  entry: CommandEntry,
  helpsAbove: readonly string[] = [],
): CommandTable {
  const code = words.join('/');
  const options = new OptionTable([...(entry.use ?? []).map((name) => setOf(file, name)), entry], {
    flag: (flag) => plainFlag(flag, code),
    option: (key, option) => compileOption(key, code, option),
  });
  const helps = entry.helps === undefined ? helpsAbove : [...helpsAbove, ...entry.helps.split(' ')];
  return {
    words,
    style: entry.style ?? 'permute',
    options,
    number: options.get(NUMBER) ?? null,
    subcommand: entry.subcommands === undefined ? null : subcommandFinder(file, words, entry.subcommands, helps),
    bare: entry.bare ?? entry.subcommands === undefined,
    informs: new Set([...helps, ...(entry.informs?.split(' ') ?? [])]),
    operands: entry.operands === undefined ? null : compileOperands(entry.operands, code, options),
    effects: (entry.effects ?? []).map((effect) => compileEffect(effect, options)),
    conditions: entry.conditions ?? [],
    checks: (entry.checks ?? []).map((check) => compileCheck(check, code, options)),
    rating: entry.rating ?? 'harmless',
    code: entry.code === undefined ? code : `${code}/${entry.code}`,
    reason: entry.reason ?? '',
  };
}

function setOf(file: GrammarFile, name: string): OptionSetEntry {
  const set = file.sets !== undefined && Object.hasOwn(file.sets, name) ? file.sets[name] : undefined;
  if (set === undefined) throw new Error(`The grammar has no option set "${name}".`);
  return set;
}

/** A harmless flag without a value, as most are. */
function plainFlag(flag: string, prefix: string): OptionRule {
  return {
    kind: 'text',
    rating: 'harmless',
    code: `${prefix}/${withoutDashes(flag)}`,
    reason: '',
    checks: NO_CHECKS,
    effects: NO_EFFECTS,
    recursive: false,
    project: null,
    dash: false,
    arity: 'none',
  };
}

const NO_CHECKS: readonly ValueCheck[] = [];
const NO_EFFECTS: ValueRule['effects'] = [];

function withoutDashes(name: string): string {
  let at = 0;
  while (name.charCodeAt(at) === HYPHEN) at += 1;
  return name.slice(at);
}

const HYPHEN = 45;

function compileOption(key: string, prefix: string, entry: OptionEntry): OptionRule {
  const spellings = key.split(' ');
  const name = spellings.find((spelling) => spelling.startsWith('--')) ?? key;
  const code = entry.code ?? withoutDashes(name).split(' ', 1)[0] ?? name;
  return {
    ...compileValue(entry, entry.value ?? 'text', prefix, code),
    arity: entry.arity ?? (entry.value === undefined ? 'none' : 'required'),
  };
}

function compileValue(entry: ValueEntry, kind: Kind, prefix: string, code: string): ValueRule {
  return {
    kind,
    rating: entry.rating ?? 'harmless',
    code: `${prefix}/${code}`,
    reason: entry.reason ?? '',
    checks: (entry.checks ?? []).map((check) => compileValueCheck(check, prefix, code)),
    effects: entry.effects ?? [],
    recursive: entry.recursive ?? false,
    project: entry.project ?? null,
    dash: entry.dash === 'stream',
  };
}

function compileValueCheck(entry: ValueCheckEntry, prefix: string, code: string): ValueCheck {
  return { applies: conditionOf(entry), rating: entry.rating, code: `${prefix}/${entry.code ?? code}`, reason: entry.reason };
}

/** Every condition that the entry writes must hold for the check to apply. */
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

function subcommandFinder(
  file: GrammarFile,
  words: readonly string[],
  entries: Readonly<Record<string, CommandEntry>>,
  helps: readonly string[],
): (name: string) => CommandTable | null {
  const names = new Map<string, string>();
  for (const [name, entry] of Object.entries(entries))
    for (const called of [name, ...(entry.aliases ?? [])]) names.set(called, name);
  const compiled = new Map<string, CommandTable>();
  return (called) => {
    const name = names.get(called);
    const entry = name === undefined ? undefined : entries[name];
    if (name === undefined || entry === undefined) return null;
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const whole = entry.piece === undefined ? entry : (data(entry.piece) as CommandEntry);
    const table = compileCommand(file, [...words, name], whole, helps);
    compiled.set(name, table);
    return table;
  };
}

function compileOperands(entry: OperandsEntry, prefix: string, options: OptionTable): OperandRules {
  const operand = (one: OperandEntry): OperandRule => ({
    ...compileValue(one, one.kind, prefix, one.code ?? 'operand'),
    unless: rulesOf(one.unless, options),
  });
  const optional = (one: OperandEntry | undefined): OperandRule | null => (one === undefined ? null : operand(one));
  const list = (entry.list ?? []).map(operand);
  return {
    list,
    conditional: list.some((rule) => rule.unless.length > 0),
    rest: optional(entry.rest),
    last: optional(entry.last),
    afterDashes: optional(entry.afterDashes),
    min: entry.min ?? 0,
    whenNone: entry.whenNone ?? null,
  };
}

function compileCheck(entry: CheckEntry, prefix: string, options: OptionTable): CommandCheck {
  return {
    code: `${prefix}/${entry.code}`,
    whole: entry.whole ?? false,
    rating: entry.rating,
    reason: entry.reason,
    absent: rulesOf(entry.absent, options),
    any: rulesOf(entry.any, options),
    all: rulesOf(entry.all, options),
    min: entry.operands?.min ?? 0,
    max: entry.operands?.max ?? Number.POSITIVE_INFINITY,
  };
}

function compileEffect(entry: EffectEntry, options: OptionTable): CommandEffectRule {
  const { action, path, recursive = false } = entry;
  return { action, here: path === 'here', recursive, unless: rulesOf(entry.unless, options) };
}

/** The options that a check or an effect names, by any spelling. */
function rulesOf(names: readonly string[] | undefined, options: OptionTable): readonly OptionRule[] {
  return (names ?? []).map((name) => {
    const rule = options.get(name);
    if (rule === undefined) throw new Error(`The grammar names an option "${name}" that it does not have.`);
    return rule;
  });
}
