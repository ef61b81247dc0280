/** Reads the words of a subcommand whose options are all known. */

/** Options of a subcommand: those without a value, and those with one, each with its permitted values (null: any). */
export interface Options {
  readonly alone: ReadonlySet<string>;
  readonly valued: Readonly<Record<string, RegExp | null>>;
}

/** The words of a subcommand, sorted: operands, the options given, and the words after `--`. */
export interface Read {
  readonly operands: readonly string[];
  readonly given: ReadonlyMap<string, string>;
  readonly pathspecs: readonly string[];
}

/** Builds the table from options without a value, separated by blanks, and options with one. */
export function optionsOf(alone: string, valued: Options['valued'] = {}): Options {
  return { alone: new Set(alone.split(' ')), valued };
}

/** Sorts the words after a subcommand; null when an option or its value is not a known one. */
export function read(words: readonly string[], { alone, valued }: Options): Read | null {
  const operands: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { operands, given, pathspecs: words.slice(at + 1) };
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    if (alone.has(word)) {
      given.set(word, '');
      continue;
    }
    const name = valueOption(word, valued);
    if (name === null) return null;
    const joined = word.slice(name.length);
    if (joined === '') at += 1;
    const value = joined === '' ? words[at] : joined.replace(/^=/, '');
    const allowed = valued[name];
    if (value === undefined || (allowed !== null && allowed !== undefined && !allowed.test(value))) return null;
    given.set(name, value);
  }
  return { operands, given, pathspecs: [] };
}

/** The option with a value that the word equals or begins with; null if there is none. */
function valueOption(word: string, valued: Options['valued']): string | null {
  const name = word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word.slice(0, 2);
  return Object.hasOwn(valued, name) ? name : null;
}
