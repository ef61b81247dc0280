/** A command's grammar in the form that the engine uses: maps instead of lists, subcommands compiled on first use. */
import { member } from '../../generated/data.js';
import type { Action, GrammarIssue } from '../model/command.js';
import {
  type CheckEntry,
  type CommandEntry,
  type ConditionEntry,
  type EffectEntry,
  type GrammarFile,
  isPacked,
  type OperandEntry,
  type OperandsEntry,
  type OptionRating,
  type OptionSetEntry,
  type WhenNone,
} from './file.js';
import { compileOption, compileValue, type OptionRule, plainFlag, type ValueRule } from './option-rule.js';
import { OptionTable } from './option-table.js';

export interface OperandRule extends ValueRule {
  readonly unless: readonly OptionRule[];
}

export interface OperandRules {
  /** Words that may precede the first operand and have no effect (`yq e`). */
  readonly lead: ReadonlySet<string>;
  readonly list: readonly OperandRule[];
  /** An option can take the place of an operand in the list. */
  readonly conditional: boolean;
  readonly rest: OperandRule | null;
  readonly last: OperandRule | null;
  readonly afterDashes: OperandRule | null;
  readonly min: number;
  readonly whenNone: WhenNone | null;
}

export interface CommandCheck {
  readonly code: string;
  /** The issue is about the command itself, as its rating would be: a rule that names the command covers it. */
  readonly whole: boolean;
  readonly work: boolean;
  readonly rating: GrammarIssue['rating'];
  readonly reason: string;
  readonly absent: readonly OptionRule[];
  readonly any: readonly OptionRule[];
  readonly all: readonly OptionRule[];
  readonly min: number;
  readonly max: number;
}

/**
 * An effect of the command whatever its operands are; not with one of the options in `unless`, and only with one of those in
 * `only` (null: always).
 */
export interface CommandEffectRule {
  readonly action: Action;
  readonly here: boolean;
  readonly recursive: boolean;
  readonly unless: readonly OptionRule[];
  readonly only: readonly OptionRule[] | null;
}

export interface CommandTable {
  readonly words: readonly string[];
  /** Other commands with the same grammar; the last word may be one of them. */
  readonly likewise: readonly string[];
  readonly style: 'permute' | 'stop' | 'words' | 'words-stop' | 'print';
  /** The first word is a cluster of options with or without a hyphen (`tar tf x`). */
  readonly oldStyle: boolean;
  /** Some versions accept options only before the operands. */
  readonly front: boolean;
  readonly options: OptionTable;
  /** `-20`. */
  readonly number: OptionRule | null;
  /** Null when the command has no subcommands; the function returns null for an unlisted one. */
  readonly subcommand: ((name: string) => CommandTable | null) | null;
  /** What an unlisted subcommand does, if that is known; only for the message. */
  readonly unlisted: (name: string) => string | null;
  readonly bare: boolean;
  /** Words that, given alone after the command's own words, only make it print its version or help. */
  readonly informs: ReadonlySet<string>;
  /** Without any further word it only prints information (`npm run`). */
  readonly informsAlone: boolean;
  /**
   * An expression that the command only prints, when it is all that follows one of these options; the group `file` is a file that it reads.
   */
  readonly tells: { readonly options: ReadonlySet<string>; readonly matches: RegExp } | null;
  /**
   * Options followed by a program text, which is judged by what it does; `harmless` and `isolates` options may precede them, and
   * `isolates` options keep modules of the current directory out.
   */
  readonly program: {
    readonly options: ReadonlySet<string>;
    readonly harmless: ReadonlySet<string>;
    readonly isolates: ReadonlySet<string>;
  } | null;
  /** The options with which a call only reads if all its addresses are on this machine; empty: no call does. */
  readonly loopback: readonly string[];
  readonly operands: OperandRules | null;
  readonly effects: readonly CommandEffectRule[];
  readonly conditions: readonly ConditionEntry[];
  /** Files with options, searched for in parent directories too, unless one of the options in `unless` is given. */
  readonly settings: {
    readonly files: readonly string[];
    readonly unless: readonly OptionRule[];
    /** A rule that names the command covers it. */
    readonly whole: boolean;
  } | null;
  readonly rewrites: CommandEntry['rewrites'];
  /** Files with which a version manager selects another program of this name; empty if version managers do not provide it. */
  readonly chosenBy: readonly string[];
  readonly checks: readonly CommandCheck[];
  /** The command works on the project with the project's own code (file.ts). */
  readonly work: boolean | 'tasks' | 'script' | 'installed';
  readonly scripts: string | null;
  readonly rating: OptionRating;
  readonly code: string;
  readonly reason: string;
}

const NO_NAMES: readonly string[] = [];

/** The files of mise and asdf; each may name a directory of the project (`path:./x`, measured with mise). */
export const CHOOSING: readonly string[] = [
  ...['.tool-versions', 'mise.toml', '.mise.toml', 'mise.local.toml', '.mise.local.toml', '.miserc.toml', '.mise', 'mise'],
  ...['mise.toml', 'mise.local.toml', 'miserc.toml', 'mise'].map((name) => `.config/${name}`),
];

/** The spelling of `-20` in a grammar. */
export const NUMBER = '-<number>';

/**
 * Compiles one command (its subcommands are compiled when requested). Throws when the shipped file contradicts itself (an unknown
 * set or option name): our own mistake, found by the tests.
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
    likewise: entry.likewise ?? NO_NAMES,
    style: entry.style ?? 'permute',
    oldStyle: entry.oldStyle ?? false,
    front: entry.front ?? false,
    options,
    number: options.get(NUMBER) ?? null,
    subcommand: entry.subcommands === undefined ? null : subcommandFinder(file, words, entry.subcommands, helps),
    unlisted: (name) => (entry.unlisted === undefined ? null : toldOf(entry.unlisted, name)),
    bare: entry.bare ?? entry.subcommands === undefined,
    informs: new Set([...helps, ...(entry.informs?.split(' ') ?? [])]),
    informsAlone: entry.informsAlone ?? false,
    tells:
      entry.tells === undefined
        ? null
        : { options: new Set(entry.tells.options.split(' ')), matches: new RegExp(entry.tells.matches) },
    program: entry.program === undefined ? null : compileProgram(entry.program),
    loopback: entry.loopback?.split(' ') ?? NO_NAMES,
    operands: entry.operands === undefined ? null : compileOperands(entry.operands, code, options),
    effects: (entry.effects ?? []).map((effect) => compileEffect(effect, options)),
    conditions: entry.conditions ?? [],
    settings:
      entry.settings === undefined
        ? null
        : {
            files: entry.settings.files.split(' '),
            unless: rulesOf(entry.settings.unless, options),
            whole: entry.settings.whole ?? false,
          },
    rewrites: entry.rewrites,
    chosenBy: file.managed === undefined ? NO_NAMES : [...CHOOSING, ...file.managed.split(' ')],
    checks: (entry.checks ?? []).map((check) => compileCheck(check, code, options)),
    work: entry.work ?? false,
    scripts: entry.scripts ?? null,
    rating: entry.rating ?? 'harmless',
    code: entry.code === undefined ? code : `${code}/${entry.code}`,
    reason: entry.reason ?? '',
  };
}

function compileProgram({ options, harmless, isolates }: NonNullable<CommandEntry['program']>): CommandTable['program'] {
  const set = (text: string) => new Set(text.split(' '));
  return { options: set(options), harmless: set(harmless), isolates: set(isolates) };
}

function setOf({ sets }: GrammarFile, name: string): OptionSetEntry {
  const set = sets === undefined ? undefined : isPacked(sets) ? (member(sets.packed, name) as OptionSetEntry) : own(sets, name);
  if (set === undefined) throw new Error(`The grammar has no option set "${name}".`);
  return set;
}

function own<Entry>(list: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(list, name) ? list[name] : undefined;
}

function toldOf(unlisted: NonNullable<CommandEntry['unlisted']>, name: string): string | null {
  const told = isPacked(unlisted)
    ? (member(unlisted.packed, name) as { readonly told: string } | undefined)?.told
    : own(unlisted, name);
  return told ?? null;
}

function subcommandFinder(
  file: GrammarFile,
  words: readonly string[],
  entries: NonNullable<CommandEntry['subcommands']>,
  helps: readonly string[],
): (name: string) => CommandTable | null {
  const find = isPacked(entries) ? (called: string) => packedEntry(entries.packed, called) : entryFinder(entries);
  const compiled = new Map<string, CommandTable>();
  return (called) => {
    const found = find(called);
    if (found === null) return null;
    const { name, entry } = found;
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const root = words[0] ?? '';
    const same = entry.is === undefined ? undefined : own(file.commands, root)?.subcommands;
    const table =
      same === undefined || entry.is === undefined
        ? compileCommand(file, [...words, name], entry, helps)
        : subcommandFinder(file, [root], same, helps)(entry.is);
    if (table === null) throw new Error(`The grammar of ${root} has no subcommand "${entry.is}".`);
    compiled.set(name, table);
    return table;
  };
}

/** The entry of a subcommand, and its main name. */
interface NamedEntry {
  readonly name: string;
  readonly entry: CommandEntry;
}

function entryFinder(entries: Readonly<Record<string, CommandEntry>>): (called: string) => NamedEntry | null {
  const names = new Map<string, NamedEntry>();
  for (const [name, entry] of Object.entries(entries))
    for (const called of [name, ...(entry.aliases ?? []), ...(entry.likewise ?? [])]) names.set(called, { name, entry });
  return (called) => names.get(called) ?? null;
}

/** Names come from attackers, and the keys of a nested list begin in the same way: the entry found must have the requested name. */
function packedEntry(list: string, called: string): NamedEntry | null {
  const found = member(list, called) as NamedEntry | { readonly alias: string } | undefined;
  if (found === undefined) return null;
  if ('alias' in found) return packedEntry(list, found.alias);
  return found.name === called ? found : null;
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
    lead: new Set(entry.lead?.split(' ')),
    min: entry.min ?? 0,
    whenNone: entry.whenNone ?? null,
  };
}

function compileCheck(entry: CheckEntry, prefix: string, options: OptionTable): CommandCheck {
  return {
    code: `${prefix}/${entry.code}`,
    whole: entry.whole ?? false,
    work: entry.work ?? false,
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
  const only = entry.only === undefined ? null : rulesOf(entry.only, options);
  return { action, here: path === 'here', recursive, unless: rulesOf(entry.unless, options), only };
}

/** The options that a check or an effect names, by any spelling. */
function rulesOf(names: readonly string[] | undefined, options: OptionTable): readonly OptionRule[] {
  return (names ?? []).map((name) => {
    const rule = options.get(name);
    if (rule === undefined) throw new Error(`The grammar names an option "${name}" that it does not have.`);
    return rule;
  });
}
