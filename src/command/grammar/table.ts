/** A command's grammar as the engine uses it: maps instead of lists, subcommands compiled when first met. */
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
  /** Words that may stand in front of the first operand and mean what the command does without them (`yq e`). */
  readonly lead: ReadonlySet<string>;
  readonly list: readonly OperandRule[];
  /** An option takes the place of one of the list. */
  readonly conditional: boolean;
  readonly rest: OperandRule | null;
  readonly last: OperandRule | null;
  readonly afterDashes: OperandRule | null;
  readonly min: number;
  readonly whenNone: WhenNone | null;
}

export interface CommandCheck {
  readonly code: string;
  /** About the command itself, as a rating of it would be: a rule that names the command covers it. */
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

/** What the command does whatever its operands are, unless one of the options is given, or only then (`only`; null: always). */
export interface CommandEffectRule {
  readonly action: Action;
  readonly here: boolean;
  readonly recursive: boolean;
  readonly unless: readonly OptionRule[];
  readonly only: readonly OptionRule[] | null;
}

export interface CommandTable {
  readonly words: readonly string[];
  /** Names of other commands, of which the last word may be one. */
  readonly likewise: readonly string[];
  readonly style: 'permute' | 'stop' | 'words' | 'words-stop' | 'print';
  /** The first word is a cluster of options with or without a hyphen (`tar tf x`). */
  readonly oldStyle: boolean;
  /** Some versions take options only in front of the operands. */
  readonly front: boolean;
  readonly options: OptionTable;
  /** `-20`. */
  readonly number: OptionRule | null;
  /** Null when the command has no subcommands; the function gives null for one that is not listed. */
  readonly subcommand: ((name: string) => CommandTable | null) | null;
  /** What a subcommand that is not listed does, where that can be told; only for the message. */
  readonly unlisted: (name: string) => string | null;
  readonly bare: boolean;
  /** Words that, standing alone behind the command's own, only make it tell its version or help. */
  readonly informs: ReadonlySet<string>;
  /** Called without any further word it only tells something (`npm run`). */
  readonly informsAlone: boolean;
  /** An expression that it only prints, as the value of one of these options and with nothing beside it; `file` in it is a file that it reads. */
  readonly tells: { readonly options: ReadonlySet<string>; readonly matches: RegExp } | null;
  /** Options behind which a program stands that is judged by what it does; those that may stand in front, and which keep the folder's modules out. */
  readonly program: {
    readonly options: ReadonlySet<string>;
    readonly harmless: ReadonlySet<string>;
    readonly isolates: ReadonlySet<string>;
  } | null;
  /** The options with which a call of nothing but addresses of this machine only reads; none: no call does. */
  readonly loopback: readonly string[];
  readonly operands: OperandRules | null;
  readonly effects: readonly CommandEffectRule[];
  readonly conditions: readonly ConditionEntry[];
  /** Files of options that it searches for upwards, unless it is told not to. */
  readonly settings: {
    readonly files: readonly string[];
    readonly unless: readonly OptionRule[];
    /** A rule that names the command covers it. */
    readonly whole: boolean;
  } | null;
  readonly rewrites: CommandEntry['rewrites'];
  /** Files by which a manager of versions chooses another program of the name; none: it is no program that one provides. */
  readonly chosenBy: readonly string[];
  readonly checks: readonly CommandCheck[];
  /** It works on the project with its own code (file.ts). */
  readonly work: boolean | 'tasks' | 'script' | 'installed';
  readonly scripts: string | null;
  readonly rating: OptionRating;
  readonly code: string;
  readonly reason: string;
}

const NO_NAMES: readonly string[] = [];

/** The files of mise and asdf; each may name a folder of the project (`path:./x`, measured with mise). */
export const CHOOSING: readonly string[] = [
  ...['.tool-versions', 'mise.toml', '.mise.toml', 'mise.local.toml', '.mise.local.toml', '.miserc.toml', '.mise', 'mise'],
  ...['mise.toml', 'mise.local.toml', 'miserc.toml', 'mise'].map((name) => `.config/${name}`),
];

/** How a grammar spells `-20`. */
export const NUMBER = '-<number>';

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

/** A subcommand and the name that it stands under. */
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

/** Names come from attackers, and a list within the list has the same beginning: what is found has to bear the name itself. */
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
