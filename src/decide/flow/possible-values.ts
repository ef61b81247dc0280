/**
 * The values that the variables of a line may have, as far as its text shows: every value anywhere in it, whether or not that
 * part runs, and after every operator of the shell. Rather too many values than too few: they are used only for questions.
 */
import { lastPrinted } from '../../command/wrappers/script-texts.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import { decodeAnsiC } from '../../shell/expand/quoting.js';

/** A longer line is more likely a table of data than a trick; only its first part is searched. */
const LONGEST_SOURCE = 8_192;
/** At most this many values per name, and this many words of a line, are examined. */
const MOST_VALUES = 16;
const MOST_WORDS = 64;
/** At most this many unknown words of a line are followed; a line with more is asked about. */
const MOST_FOLLOWED = 64;
/** Longer values are not taken for paths. */
const LONGEST_VALUE = 256;

/** The value of an assignment as written, from an offset: quoted parts, substitutions and plain characters. */
const VALUE = /(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\([^()]*\)|`[^`]*`|\\[\s\S]|\$\{[^{}]*\}|[^\s;&|()<>'"`\\])*/y;
const LIST = /\(((?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\([^()]*\)|[^()'"])*)\)/y;

/** The possible values in one line, by variable name. */
export class PossibleValues {
  readonly #source: string;
  readonly #found = new Map<string, readonly string[]>();
  #followed = 0;
  #words: readonly string[] | null = null;

  constructor(source: string) {
    this.#source = source.slice(0, LONGEST_SOURCE);
  }

  /** Whether one more word of the line may be followed. */
  mayFollow(): boolean {
    this.#followed += 1;
    return this.#followed <= MOST_FOLLOWED;
  }

  /** The values that `$name` may have, as written. Positional arguments and variables filled by `read` may be any word of the line. */
  of(name: string): readonly string[] {
    if (!/^[A-Za-z]/.test(name) || FILLED.test(name)) return this.words();
    let values = this.#found.get(name);
    if (values === undefined) {
      this.#found.set(name, []);
      values = this.#valuesOf(name);
      this.#found.set(name, values);
    }
    return values;
  }

  /** Every word of the line, split at quotes. */
  words(): readonly string[] {
    this.#words ??= [...new Set(this.#source.split(/[\s;&|()<>'"`]+/))].filter((word) => word.length > 1).slice(0, MOST_WORDS);
    return this.#words;
  }

  /** Every value that the line assigns to a variable, as written. */
  assigned(): readonly string[] {
    const names = new Set(Array.from(this.#source.matchAll(/(?<![\w$])([A-Za-z_]\w*)\+?=/g), ([, name = '']) => name));
    return [...names].slice(0, MOST_VALUES).flatMap((name) => this.of(name));
  }

  /** Whether the line defines a function with that name. */
  defines(name: string): boolean {
    return name !== '' && (this.#source.includes(`${name}()`) || this.#source.includes(`function ${name}`));
  }

  /** Whether a shell option lets wildcards match leading dots, or letters of either case. */
  widensPatterns(): boolean {
    return /dotglob|GLOBIGNORE|globdots|glob_dots|nocaseglob|nocase_glob/i.test(this.#source);
  }

  /** The names and paths that a `find` in the line looks for. */
  soughtNames(): readonly string[] {
    const sought = this.#source.matchAll(/(?:(!|-not)\s+|\s)-i?(?:name|path|wholename)\s+([^\s()]{2,256})(\s+-prune\s+-o)?/g);
    return Array.from(sought).flatMap(([, not, name = '', pruned]) => ((not ?? pruned) ? [] : [unquoted(name)]));
  }

  #valuesOf(name: string): readonly string[] {
    const values: string[] = [];
    for (const { at, kind } of this.#sites(name)) {
      if (values.length >= MOST_VALUES) break;
      if (kind === 'appended') {
        const more = this.#valueAt(at);
        for (const before of values.slice()) for (const one of more) values.push(before + one);
        values.push(...more);
      } else if (kind === 'assigned') values.push(...this.#valueAt(at));
      else if (kind === 'printed') values.push(...printedAt(this.#source.slice(at)));
      else if (kind === 'loop') values.push(...(/[^;\n]*/.exec(this.#source.slice(at))?.[0] ?? '').split(/\s+/));
      else return this.words();
    }
    // `declare -l x=…`, `declare -n x=y`.
    const own = values.slice(0, MOST_VALUES).filter((value) => value.length <= LONGEST_VALUE);
    if (!/\s-[a-zA-Z]*[lnu]/.test(this.#source)) return own;
    const others = own.flatMap((value) => (/^[A-Za-z_]\w*$/.test(value) ? this.of(value) : []));
    return [...own, ...own.map((value) => value.toLowerCase()), ...others].slice(0, 2 * MOST_VALUES);
  }

  /** Where the name occurs without a preceding `$`, and what happens to it there. */
  #sites(name: string): { at: number; kind: Kind }[] {
    const source = this.#source;
    const sites: { at: number; kind: Kind }[] = [];
    for (let at = source.indexOf(name); at >= 0 && sites.length < MOST_VALUES; at = source.indexOf(name, at + name.length)) {
      const end = at + name.length;
      if (/[\w$]/.test(source.charAt(at - 1)) || /\w/.test(source.charAt(end))) continue;
      if (source.charAt(at - 1) === '{' || source.slice(at - 2, at) === '{!') {
        const otherwise = /^:?[-=]/.exec(source.slice(end, end + 2));
        if (otherwise !== null) sites.push({ at: end + otherwise[0].length, kind: 'assigned' });
        continue;
      }
      const rest = /^(?:\[[^\]]{0,64}\])?(\+?)=/.exec(source.slice(end, end + 80));
      if (rest !== null) sites.push({ at: end + rest[0].length, kind: rest[1] === '+' ? 'appended' : 'assigned' });
      else if (/\b(?:for|select)\s+$/.test(source.slice(Math.max(0, at - 16), at))) {
        const list = /^\s+in\s/.exec(source.slice(end, end + 16));
        sites.push(list === null ? { at: end, kind: 'other' } : { at: end + list[0].length, kind: 'loop' });
      } else if (/\bprintf\s+-v\s*$/.test(source.slice(Math.max(0, at - 24), at))) sites.push({ at: end, kind: 'printed' });
      else if (READS.test(source.slice(Math.max(0, at - 64), at))) sites.push({ at: end, kind: 'other' });
    }
    return sites;
  }

  /** The value, or the list elements, that begin at an offset. */
  #valueAt(at: number): readonly string[] {
    if (this.#source.charAt(at) !== '(') {
      VALUE.lastIndex = at;
      return [unquoted(VALUE.exec(this.#source)?.[0] ?? '')];
    }
    LIST.lastIndex = at;
    const list = LIST.exec(this.#source)?.[1] ?? '';
    const elements = list.split(/\s+/).map((one) => unquoted(one.replace(/^\[([^\]]{0,64})\]=/, '$1 ')));
    return elements.flatMap((one) => one.split(' ')).filter((one) => one !== '');
  }
}

type Kind = 'assigned' | 'appended' | 'printed' | 'loop' | 'other';

/** The text that `printf -v x` assigns. */
function printedAt(rest: string): readonly string[] {
  const words = /^[^;&|\n]*/.exec(rest)?.[0] ?? '';
  const printed = lastPrinted(`printf ${words}`);
  return printed === null ? words.split(/\s+/).map(unquoted) : [printed];
}

/** Variables that the shell sets itself. */
const FILLED = /^(?:BASH_\w+|REPLY|MAPFILE|OPTARG|COPROC)$/;
/** Builtins that set the variables named among their words. */
const READS = /\b(?:read|mapfile|readarray|getopts|select|wait)\b[^;&|\n]*$/;

/** The text without its quotes; expansions stay. */
export function unquoted(text: string): string {
  return text
    .replace(/\$'((?:\\[\s\S]|[^'\\])*)'/g, (_, inside: string) => decoded(inside))
    .replace(/['"]/g, '')
    .replace(/\\([\s\S])/g, '$1');
}

/** Decodes the content of `$'…'`. The shell reads Unicode escapes of ASCII characters the same way in every locale. */
function decoded(inside: string): string {
  const plain = inside.replace(/\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/g, (whole, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? '', 16);
    return code > 31 && code < 127 && code !== 39 && code !== 92 ? String.fromCharCode(code) : whole;
  });
  return decodeAnsiC(`${plain}'`, 0).value ?? plain;
}

/** Applies an operator (`%x`, `/a/b`, `:1:2`, `,,`, `@E`) to a value. */
export function applyOperator(value: string, operator: string): string {
  const [, sign = '', pattern = ''] = /^(##?|%%?)([\s\S]*)$/.exec(operator) ?? [];
  if (sign !== '') return trimmed(value, sign, unquoted(pattern));
  const [, mark, wanted = '', other = ''] = /^(\/[/#%]?)((?:\\[\s\S]|[^/\\])*)(?:\/([\s\S]*))?$/.exec(operator) ?? [];
  if (mark !== undefined) return replaced(value, mark, unquoted(wanted), unquoted(other));
  const [, from, length] = /^:\s*(-?\d{1,4})(?:\s*:\s*(-?\d{1,4}))?$/.exec(operator) ?? [];
  if (from !== undefined) {
    const rest = value.slice(Number(from));
    return length === undefined ? rest : rest.slice(0, Number(length));
  }
  if (/^(?:,,?|@L)/.test(operator)) return value.toLowerCase();
  if (/^(?:\^\^?|@[Uu])/.test(operator)) return value.toUpperCase();
  return operator === '@E' ? decoded(value.replaceAll("'", "\\'")) : value;
}

function trimmed(value: string, sign: string, pattern: string): string {
  const glob = withoutLists(pattern);
  const lengths = Array.from({ length: Math.min(value.length, LONGEST_VALUE) + 1 }, (_, at) => at);
  if (sign.length === 2) lengths.reverse();
  for (const length of lengths) {
    const fromStart = sign.startsWith('#');
    const part = fromStart ? value.slice(0, length) : value.slice(value.length - length);
    if (globMatch(glob, part)) return fromStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** Patterns are treated as plain text. */
function replaced(value: string, mark: string, wanted: string, other: string): string {
  if (mark === '//') return wanted === '' ? value : value.replaceAll(wanted, () => other);
  if (mark === '/#') return value.startsWith(wanted) ? other + value.slice(wanted.length) : value;
  if (mark === '/%') return value.endsWith(wanted) ? value.slice(0, value.length - wanted.length) + other : value;
  return value.replace(wanted, () => other);
}
