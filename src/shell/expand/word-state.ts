/** What is known of one word while it is read, and what that says of the word in the end. */

import type { KnownBinding } from '../scope/binding.js';
import type { Difference } from '../scope/dialect.js';
import type { DataOrigin, DataSource, OpaqueCode, ShellWord } from '../syntax/types.js';
import { looksLikeCode } from './quoting.js';
import type { WordContext } from './word-context.js';

/** What the text of one word says. */
export interface WordReading {
  /** Null when only the shell can know it. */
  readonly value: string | null;
  readonly glob: boolean;
  readonly tilde: boolean;
  readonly literalPrefix: string;
  /** Something in it must be looked at by way of the syntax tree: an expansion, a substitution, a brace list. */
  readonly expands: boolean;
  readonly codes: readonly OpaqueCode[];
  /** Which shells may read it otherwise than bash does. */
  readonly differs: Difference;
  /** As in `ShellWord`; null for a word whose value is certain, or whose text may be anything. */
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
  /** The unknown part of the word, with the text before it; `several` parts say nothing. */
  private unknown: { readonly source: DataSource; readonly before: string } | 'several' | null = null;
  /** The value of a loop variable that stands for files: the word begins with it. */
  protected pattern: KnownBinding | null = null;

  constructor(
    protected readonly text: string,
    protected readonly assignment: boolean,
    protected readonly context: WordContext | null,
  ) {}

  /** The finished reading. */
  protected reading(): WordReading {
    const { pattern } = this;
    if (pattern !== null) {
      if (this.certain && !this.quotedWildcard) return this.patternReading(pattern);
      // Beside other unknown parts it is a text like them.
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

  /** Takes a part that nobody knows, but that is harmless as a text. */
  protected takeData(data: NonNullable<ShellWord['data']>, source: DataSource | null): void {
    this.unknown = this.data === null && source !== null ? { source, before: this.value } : 'several';
    this.uncertain(null);
    this.data = joinedData(this.data, data, this.text);
  }

  /** A file that a pattern stands for, or one beside or below it; with a pattern behind it, all that both stand for together. */
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

  /** From here on the value is not certain. */
  protected uncertain(code: OpaqueCode | null): void {
    this.prefix ??= this.value;
    this.certain = false;
    if (code !== null) this.note(code);
  }

  /** The rest must be looked at in the syntax tree. */
  protected expansion(code: OpaqueCode | null): void {
    this.uncertain(code);
    this.expands = true;
  }

  /** Takes a text that stands for itself. */
  protected quote(content: string): void {
    this.quoted = true;
    if (/[*?[\]\\]/.test(content)) this.quotedWildcard = true;
    this.value += content;
  }

  /** Takes the character at the position for itself. */
  protected literally(): void {
    this.value += this.text.charAt(this.position++);
  }
}

/** What a word is when one more part of it is not known; digits are all that it holds only when they stand alone. */
function joinedData(before: WordReading['data'], added: WordData, text: string): WordData {
  if (before === 'several' || added === 'several') return 'several';
  return added === 'digits' && before === null && /^"?\$(?:[?#$]|\{#\w+\})"?$/.test(text) ? 'digits' : 'one';
}
