/** Which commands run another command, and the rules for finding it: rules/commands/wrappers.yaml, compiled. */
import type { Shell } from '../../call/tool-call.js';
import { member } from '../../generated/data.js';
import type { Action, WrapperKind } from '../model/command.js';

/** The meaning of a wrapper's option in the search for the inner command. */
export type OptionRole =
  | 'flag'
  | 'value'
  | 'attached'
  | 'end'
  | 'directory'
  | 'write'
  | 'read'
  | 'command'
  | 'script'
  | 'split'
  | 'replace'
  | 'replace-attached';

/** Inner commands between the wrapper's own words (`find -exec … ;`). */
export interface ClauseRule {
  readonly starts: ReadonlySet<string>;
  /** Those of `starts` that run in the directory of each file found. */
  readonly local: ReadonlySet<string>;
  readonly until: string;
  /** Every name found begins with a starting point from the words (`find`). */
  readonly prefixed: boolean;
  /** Two words that also end a clause, the first being the placeholder (`{} +`). */
  readonly batch: readonly string[];
  readonly replace: readonly string[];
}

/** The rule for one wrapper. */
export interface WrapperRule {
  readonly name: string;
  readonly kind: WrapperKind;
  readonly runs: 'words' | 'joined' | 'shell' | 'clauses' | 'script' | 'option';
  readonly shell: Shell;
  readonly options: ReadonlyMap<string, OptionRole>;
  /** Options that, as the first and only word, only print information and run nothing. */
  readonly informs: ReadonlySet<string>;
  readonly care: ReadonlySet<string>;
  readonly operands: number;
  readonly optionsAfterOperands: boolean;
  readonly assignments: 'none' | 'leading' | 'anywhere';
  readonly permute: boolean;
  readonly numeric: boolean;
  readonly guess: boolean;
  readonly empty: string;
  /** Words that end the inner command; what follows is data (`parallel … ::: a b`). */
  readonly operandMarks: ReadonlySet<string>;
  readonly scriptAfter: ReadonlySet<string>;
  readonly effects: readonly Action[];
  /** The effect on the files that its operands name (`script FILE` writes it). */
  readonly operandsAction: 'write' | null;
  readonly clauses: ClauseRule | null;
  readonly subcommands: ReadonlyMap<string, string> | null;
}

/** An entry of wrappers.yaml; lists are words separated by blanks. command-wrappers.schema.json defines its shape. */
interface WrapperEntry {
  readonly same?: string;
  readonly kind?: WrapperKind;
  readonly runs?: WrapperRule['runs'];
  readonly shell?: Shell;
  readonly options?: Readonly<Record<string, string>>;
  readonly informs?: string;
  readonly operands?: number;
  readonly optionsAfterOperands?: boolean;
  readonly assignments?: 'leading' | 'anywhere';
  readonly permute?: boolean;
  readonly numeric?: boolean;
  readonly guess?: boolean;
  readonly empty?: string;
  readonly operandMarks?: string;
  readonly scriptAfter?: string;
  readonly effects?: string;
  readonly operandsAction?: 'write';
  readonly clauses?: {
    readonly starts: string;
    readonly local?: string;
    readonly until: string;
    readonly prefixed?: boolean;
    readonly batch?: string;
    readonly replace: string;
  };
  readonly subcommands?: Readonly<Record<string, string>>;
}

/** The lists of `options` in wrappers.yaml, and the role of each. */
const ROLES: Readonly<Record<string, OptionRole>> = {
  flags: 'flag',
  values: 'value',
  attached: 'attached',
  ends: 'end',
  directory: 'directory',
  writes: 'write',
  reads: 'read',
  command: 'command',
  script: 'script',
  split: 'split',
  replace: 'replace',
  replaceAttached: 'replace-attached',
};

const compiled = new Map<string, WrapperRule>();

/**
 * The rule for finding the inner command of `name`; undefined when `name` runs no other command. Compiled once per name, so that
 * a repeated call costs one Map lookup.
 */
export function wrapperRule(name: string): WrapperRule | undefined {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const entry = entryOf(name);
  if (entry === undefined) return undefined;
  const rule = compile(name, entry.same === undefined ? entry : (entryOf(entry.same) ?? entry));
  compiled.set(name, rule);
  return rule;
}

function entryOf(name: string): WrapperEntry | undefined {
  return member('#wrappers', name) as WrapperEntry | undefined;
}

/** The rule for a command, by its first word; entries of two words (`docker exec`) are reached only through the first. */
export function wrapperOf(name: string): WrapperRule | undefined {
  return name.includes(' ') ? undefined : wrapperRule(name);
}

function compile(name: string, entry: WrapperEntry): WrapperRule {
  const options = new Map<string, OptionRole>();
  for (const [list, names] of Object.entries(entry.options ?? {})) {
    const role = ROLES[list];
    if (role !== undefined) for (const option of listed(names)) options.set(option, role);
  }
  return {
    name,
    kind: entry.kind ?? 'privilege',
    runs: entry.runs ?? 'words',
    shell: entry.shell ?? 'union',
    options,
    informs: new Set(listed(entry.informs)),
    care: new Set(listed(entry.options?.care)),
    operands: entry.operands ?? 0,
    optionsAfterOperands: entry.optionsAfterOperands ?? false,
    assignments: entry.assignments ?? 'none',
    permute: entry.permute ?? false,
    numeric: entry.numeric ?? false,
    guess: entry.guess ?? false,
    empty: entry.empty ?? 'nothing',
    operandMarks: new Set(listed(entry.operandMarks)),
    scriptAfter: new Set(listed(entry.scriptAfter)),
    effects: listed(entry.effects) as Action[],
    operandsAction: entry.operandsAction ?? null,
    clauses: entry.clauses === undefined ? null : compileClauses(entry.clauses),
    subcommands: entry.subcommands === undefined ? null : new Map(Object.entries(entry.subcommands)),
  };
}

function compileClauses(clauses: NonNullable<WrapperEntry['clauses']>): ClauseRule {
  return {
    starts: new Set(listed(clauses.starts)),
    local: new Set(listed(clauses.local)),
    until: clauses.until,
    prefixed: clauses.prefixed ?? false,
    batch: listed(clauses.batch),
    replace: listed(clauses.replace),
  };
}

/** The words of a list in our own data, separated by single blanks. */
function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(' ');
}
