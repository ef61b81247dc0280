/** The options of one command, compiled on demand: a hook meets only a few of the hundred that a command has. */
import { isPackedOptions, type OptionEntries, type OptionEntry, type OptionSetEntry } from './file.js';
import type { OptionRule } from './option-rule.js';

/** After this many searches the table belongs to a long-lived process, and is compiled as a whole. */
const MOST_SEARCHES = 12;

/** Turns an entry into a rule; `key` contains all spellings of the option. */
export interface OptionCompiler {
  readonly flag: (flag: string) => OptionRule;
  readonly option: (key: string, entry: OptionEntry) => OptionRule;
}

/** Rules by whole spelling: `--force`, `-f`, and for style `words` `-name`. All spellings of an option have the same rule. */
export class OptionTable {
  readonly #sets: readonly OptionSetEntry[];
  readonly #compiler: OptionCompiler;
  /** The rules requested so far; all rules once the table is whole. */
  #rules = new Map<string, OptionRule>();
  readonly #same = new Map<string, string>();
  readonly #byEntry = new Map<string, OptionRule>();
  #letters: ReadonlyMap<string, OptionRule> | null = null;
  #rated: readonly (readonly [string, OptionRule])[] | null = null;
  #searches = 0;

  /** @param sets if several contain the same spelling, the entry of the last set applies */
  constructor(sets: readonly OptionSetEntry[], compiler: OptionCompiler) {
    this.#sets = sets;
    this.#compiler = compiler;
  }

  get(spelling: string): OptionRule | undefined {
    return this.#letters === null ? this.#search(spelling) : this.#rules.get(spelling);
  }

  has(spelling: string): boolean {
    return this.get(spelling) !== undefined;
  }

  /** The rule of a short option, by its letter. */
  letter(letter: string): OptionRule | undefined {
    if (this.#letters !== null) return this.#letters.get(letter);
    return letter === '-' ? undefined : this.#search(`-${letter}`);
  }

  /**
   * One name for all spellings of an option; where several options share a rule, the spellings of each are adjacent: `-r -R
   * --recursive`.
   */
  same(spelling: string): string {
    const known = this.#same.get(spelling) ?? this.#sameAs(spelling);
    this.#same.set(spelling, known);
    return known;
  }

  #sameAs(spelling: string): string {
    for (let at = this.#sets.length - 1; at >= 0; at -= 1) {
      const { flags = '', options = {} } = this.#sets[at] ?? {};
      const key = keysOf(options).findLast((one) => one === spelling || names(one, spelling));
      if (key !== undefined || names(flags, spelling)) return longFor((key ?? flags).split(' '), spelling);
    }
    return spelling;
  }

  values(): Iterable<OptionRule> {
    return this.#whole().values();
  }

  [Symbol.iterator](): Iterator<readonly [string, OptionRule]> {
    return this.#whole()[Symbol.iterator]();
  }

  /** Long spellings of options that are not harmless, which an abbreviation could stand for. */
  rated(): readonly (readonly [string, OptionRule])[] {
    this.#rated ??= [...this.#whole()].filter(([spelling, { rating }]) => rating !== 'harmless' && spelling.startsWith('--'));
    return this.#rated;
  }

  #search(spelling: string): OptionRule | undefined {
    const known = this.#rules.get(spelling);
    if (known !== undefined) return known;
    this.#searches += 1;
    if (this.#searches > MOST_SEARCHES) return this.#whole().get(spelling);
    // Spellings are separated by spaces, so one that contains a space would match two.
    const rule = spelling === '' || spelling.includes(' ') ? undefined : this.#found(spelling);
    if (rule !== undefined) this.#rules.set(spelling, rule);
    return rule;
  }

  #found(spelling: string): OptionRule | undefined {
    for (let at = this.#sets.length - 1; at >= 0; at -= 1) {
      const { flags = '', options = {} } = this.#sets[at] ?? {};
      const key = keysOf(options).findLast((one) => one === spelling || names(one, spelling));
      if (key !== undefined) return this.#ruleOf(at, options, key);
      if (names(flags, spelling)) return this.#compiler.flag(spelling);
    }
    return undefined;
  }

  #ruleOf(at: number, options: OptionEntries, key: string): OptionRule {
    const own = `${at} ${key}`;
    const known = this.#byEntry.get(own);
    if (known !== undefined) return known;
    const rule = this.#compiler.option(key, entryOf(options, key));
    this.#byEntry.set(own, rule);
    return rule;
  }

  /** Compiles everything not requested yet. */
  #whole(): ReadonlyMap<string, OptionRule> {
    if (this.#letters !== null) return this.#rules;
    const asked = this.#rules;
    const all = new Map<string, OptionRule>();
    for (const [at, { flags, options = {} }] of this.#sets.entries()) {
      for (const flag of flags?.split(' ') ?? []) all.set(flag, this.#compiler.flag(flag));
      for (const key of keysOf(options)) for (const spelling of key.split(' ')) all.set(spelling, this.#ruleOf(at, options, key));
    }
    // A rule that was returned once must stay the same.
    for (const [spelling, rule] of asked) all.set(spelling, rule);
    this.#rules = all;
    this.#letters = new Map([...all].flatMap(([spelling, rule]) => (isShort(spelling) ? [[spelling.slice(1), rule]] : [])));
    return all;
  }
}

function keysOf(options: OptionEntries): readonly string[] {
  return isPackedOptions(options) ? options.spellings : Object.keys(options);
}

/** Throws if there is no entry: without it, an option would pass for a harmless one. */
function entryOf(options: OptionEntries, key: string): OptionEntry {
  const text = isPackedOptions(options) ? options.entries[options.spellings.indexOf(key)] : undefined;
  const entry: OptionEntry | undefined = isPackedOptions(options) ? text && JSON.parse(text) : options[key];
  if (!entry) throw new Error(`The grammar says nothing of its option "${key}".`);
  return entry;
}

function names(list: string, spelling: string): boolean {
  return list.includes(spelling) && ` ${list} `.includes(` ${spelling} `);
}

/** The long option for a short one: its only other spelling, or the next long one with the same first letter. Else the spelling itself. */
function longFor(flags: readonly string[], spelling: string): string {
  if (flags.length === 2 && flags.every(isShort) !== flags.some(isShort)) return flags.find((flag) => !isShort(flag)) ?? spelling;
  const at = flags.indexOf(spelling);
  if (!isShort(spelling)) return spelling;
  const long = flags.slice(at + 1).find((flag) => !isShort(flag)) ?? '';
  const between = flags.slice(at + 1, flags.indexOf(long));
  const letter = spelling.slice(1).toLowerCase();
  const isAlike = (flag: string) => flag.slice(1).toLowerCase() === letter;
  const first = long
    .replace(/^--(?:no-)?/, '')
    .charAt(0)
    .toLowerCase();
  return between.every(isAlike) && first === letter ? long : spelling;
}

function isShort(spelling: string): boolean {
  return spelling.startsWith('-') && !spelling.startsWith('--') && [...spelling].length === 2;
}
