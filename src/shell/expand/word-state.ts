/** What is known about a word while it is read, and the resulting reading of the whole word. */

import type { KnownBinding } from '../scope/binding.js';
import type { Difference } from '../scope/dialect.js';
import type { DataOrigin, DataSource, OpaqueCode, ShellWord } from '../syntax/types.js';
import { looksLikeCode } from './quoting.js';
import type { WordContext } from './word-context.js';

/** The reading of one word. */
export interface WordReading {
  /** Null when the value cannot be analysed. */
  readonly value: string | null;
  readonly glob: boolean;
  readonly tilde: boolean;
  readonly literalPrefix: string;
  /** Something in it must be read from the syntax tree: an expansion, a substitution, a brace list. */
  readonly expands: boolean;
  readonly codes: readonly OpaqueCode[];
  /** Which shells may read it differently from bash. */
  readonly differs: Difference;
  /** As in `ShellWord`; null for a word whose value is certain, or whose value may be any string. */
  readonly data: NonNullable<ShellWord['data']> | null;
  readonly origin: DataOrigin | null;
}

type WordData = NonNullable<ShellWord['data']>;

const NO_CODES: readonly OpaqueCode[] = [];

/** The state of a reader of one word; the reader itself is in `word.ts`. */
export class WordState {
  protected position = 0;
  protected value = '';
  protected certain = true;
  protected glob = false;
  protected tilde = false;
  protected quoted = false;
  protected quotedWildcard = false;
  protected expands = false;
  protected differs: Difference = 'nowhere';
  protected prefix: string | null = null;
  protected codes: OpaqueCode[] | null = null;
  protected data: WordReading['data'] = null;
  /** The unknown part of the word, with the text before it; `several` if there are more, whose sources are not tracked. */
  private unknown: { readonly source: DataSource; readonly before: string } | 'several' | null = null;
  /** The value of a loop variable that stands for files, which the word begins with. */
  protected pattern: KnownBinding | null = null;

  constructor(
    protected readonly text: string,
    protected readonly assignment: boolean,
    protected readonly context: WordContext | null,
  ) {}

  /** Returns the finished reading. */
  protected reading(): WordReading {
    const { pattern } = this;
    if (pattern !== null) {
      if (this.certain && !this.quotedWildcard) return this.patternReading(pattern);
      // Next to other unknown parts, the pattern is treated as one more unknown string.
      this.certain = false;
      this.prefix = pattern.prefix;
      this.data = joinedData(this.data, 'one', this.text);
    }
    if (this.glob && this.data !== null) this.data = 'several';
    if (this.glob && this.quotedWildcard) this.uncertain('dynamic-word');
    if (this.quoted && looksLikeCode(this.value)) this.note('suspicious-quotes');
    return {
      value: this.certain ? this.value : null,
      glob: this.glob,
      tilde: this.tilde,
      literalPrefix: this.prefix ?? this.value,
      expands: this.expands,
      codes: this.codes ?? NO_CODES,
      differs: this.differs,
      data: this.expands || this.codes !== null ? null : this.data,
      origin: this.origin(),
    };
  }

  private origin(): DataOrigin | null {
    const { unknown } = this;
    if (unknown === null || unknown === 'several' || this.glob || this.tilde) return null;
    return { ...unknown, after: this.value.slice(unknown.before.length) };
  }

  /** Takes a part of unknown value that is harmless as a string. */
  protected takeData(data: NonNullable<ShellWord['data']>, source: DataSource | null): void {
    this.unknown = this.data === null && source !== null ? { source, before: this.value } : 'several';
    this.uncertain(null);
    this.data = joinedData(this.data, data, this.text);
  }

  /** A file that a pattern matches, or a file next to or below it; with a further pattern, all that both match together. */
  private patternReading({ value, prefix }: KnownBinding): WordReading {
    const { expands, differs, codes, glob } = this;
    return {
      value: value + this.value,
      glob: true,
      tilde: false,
      literalPrefix: prefix,
      expands,
      codes: codes ?? NO_CODES,
      differs,
      data: glob ? null : 'one',
      origin: null,
    };
  }

  protected note(code: OpaqueCode): void {
    this.codes ??= [];
    if (!this.codes.includes(code)) this.codes.push(code);
  }

  /** Marks the value as uncertain from here on. */
  protected uncertain(code: OpaqueCode | null): void {
    this.prefix ??= this.value;
    this.certain = false;
    if (code !== null) this.note(code);
  }

  /** Marks the rest as something to read from the syntax tree. */
  protected expansion(code: OpaqueCode | null): void {
    this.uncertain(code);
    this.expands = true;
  }

  /** Takes quoted text literally. */
  protected quote(content: string): void {
    this.quoted = true;
    if (/[*?[\]\\]/.test(content)) this.quotedWildcard = true;
    this.value += content;
  }

  /** Takes the character at the current position literally. */
  protected literally(): void {
    this.value += this.text.charAt(this.position++);
  }
}

/** The kind of the word after one more unknown part; it is `digits` only if the digits are the whole word. */
function joinedData(before: WordReading['data'], added: WordData, text: string): WordData {
  if (before === 'several' || added === 'several') return 'several';
  return added === 'digits' && before === null && /^"?\$(?:[?#$]|\{#\w+\})"?$/.test(text) ? 'digits' : 'one';
}
