/** What is known of one word while it is read, and what that says of the word in the end. */
import type { KnownBinding } from './bindings.js';
import type { OpaqueCode, ShellWord } from './command-line.js';
import { looksLikeCode } from './quoting.js';

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
  /** Shells other than bash may read it differently. */
  readonly dialect: boolean;
  /** As in `ShellWord`; null for a word whose value is certain, or whose text may be anything. */
  readonly data: NonNullable<ShellWord['data']> | null;
}

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
  protected dialect = false;
  protected prefix: string | null = null;
  protected codes: OpaqueCode[] | null = null;
  protected data: WordReading['data'] = null;
  /** The value of a loop variable that stands for files: then nothing else may stand in the word. */
  protected pattern: KnownBinding | null = null;

  constructor(
    protected readonly text: string,
    protected readonly assignment: boolean,
  ) {}

  /** The finished reading. */
  protected reading(): WordReading {
    if (this.pattern !== null && !this.expands) return this.patternReading(this.pattern);
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
      dialect: this.dialect,
      data: this.expands || this.codes !== null ? null : this.data,
    };
  }

  /** One of the files that a pattern stands for. */
  private patternReading({ value, prefix }: KnownBinding): WordReading {
    const { expands, dialect } = this;
    return { value, glob: true, tilde: false, literalPrefix: prefix, expands, codes: NO_CODES, dialect, data: 'one' };
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
