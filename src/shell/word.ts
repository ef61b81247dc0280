/**
 * From the text of one word to the value that a program would receive. This reader knows nothing of the parser: it re-reads the raw
 * text by the shell's quoting rules, so a word whose inside the parser misread is still recognised as not certain.
 */
import type { Binding } from './bindings.js';
import { isLiteral, isPlain, startsExpansion } from './characters.js';
import type { OpaqueCode, ShellWord } from './command-line.js';
import { decodeAnsiC } from './quoting.js';
import { isWholeWord, joinedData, parameterUse, type WordContext } from './word-context.js';

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

const QUOTE = 39;
const DOUBLE_QUOTE = 34;
const BACKSLASH = 92;
const DOLLAR = 36;
const BACKTICK = 96;
const NEWLINE = 10;

/** Whether the word has no special character at all, so that its text is its value. */
export function isPlainWord(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isPlain(text.charCodeAt(i))) return false;
  return text.charCodeAt(0) !== 61;
}

/** Whether a text holds what an arithmetic or indirect evaluation would run. */
export function looksLikeCode(text: string): boolean {
  return text.includes('$(') || text.includes('`') || text.includes('${');
}

/**
 * Reads one word.
 * @param assignment it is the value of an assignment: no wildcards, no brace lists, and `~` counts also after `:`
 * @param context null: every expansion is taken for one whose text only the shell can know
 */
export function readWord(text: string, assignment: boolean, context: WordContext | null = null): WordReading {
  return new WordReader(text, assignment, context).read();
}

class WordReader {
  private value = '';
  private certain = true;
  private glob = false;
  private tilde = false;
  private quoted = false;
  private quotedWildcard = false;
  private expands = false;
  private dialect = false;
  private prefix: string | null = null;
  private codes: OpaqueCode[] | null = null;
  private position = 0;
  private data: WordReading['data'] = null;
  /** The value of a loop variable that stands for files: then nothing else may stand in the word. */
  private pattern: Extract<Binding, { kind: 'known' }> | null = null;

  constructor(
    private readonly text: string,
    private readonly assignment: boolean,
    private readonly context: WordContext | null,
  ) {}

  read(): WordReading {
    const text = this.text;
    if (text.charCodeAt(0) === 61 && text.length > 1) this.dialect = true;
    while (this.position < text.length && !this.expands) {
      const start = this.position;
      while (this.position < text.length && isLiteral(text.charCodeAt(this.position))) this.position++;
      if (this.position > start) this.value += text.slice(start, this.position);
      if (this.position < text.length) this.special(text.charCodeAt(this.position));
    }
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
  private patternReading({ value, prefix }: Extract<Binding, { kind: 'known' }>): WordReading {
    const { expands, dialect } = this;
    return { value, glob: true, tilde: false, literalPrefix: prefix, expands, codes: NO_CODES, dialect, data: 'one' };
  }

  private note(code: OpaqueCode): void {
    this.codes ??= [];
    if (!this.codes.includes(code)) this.codes.push(code);
  }

  /** From here on the value is not certain. */
  private uncertain(code: OpaqueCode | null): void {
    this.prefix ??= this.value;
    this.certain = false;
    if (code !== null) this.note(code);
  }

  /** The rest must be looked at in the syntax tree. */
  private expansion(code: OpaqueCode | null): void {
    this.uncertain(code);
    this.expands = true;
  }

  /** Takes the special character at the position, and what belongs to it. */
  private special(code: number): void {
    switch (code) {
      case QUOTE:
        this.singleQuotes();
        return;
      case DOUBLE_QUOTE:
        this.doubleQuotes();
        return;
      case BACKSLASH:
        this.escape();
        return;
      case DOLLAR:
        this.dollar();
        return;
      case BACKTICK:
      case 60: // <(…)
      case 62: // >(…)
        this.expansion(null);
        return;
      case 40: // an extended glob, or a glob qualifier of zsh
        this.dialect = true;
        this.expansion('dynamic-word');
        return;
      case 42: // *
      case 63: // ?
      case 91: // [
        this.wildcard(code);
        return;
      case 123: // {
        this.brace();
        return;
      case 126: // ~
        this.home();
        return;
      case 35: // #
        if (this.position > 0) {
          this.literally();
          return;
        }
    }
    // A blank, an operator or a comment cannot be inside a word: the parser and we disagree.
    this.expansion('unexplained-bytes');
  }

  private literally(): void {
    this.value += this.text.charAt(this.position++);
  }

  private quote(content: string): void {
    this.quoted = true;
    if (/[*?[\]\\]/.test(content)) this.quotedWildcard = true;
    this.value += content;
  }

  private singleQuotes(): void {
    const close = this.text.indexOf("'", this.position + 1);
    if (close === -1) {
      this.expansion('unexplained-bytes');
      return;
    }
    this.quote(this.text.slice(this.position + 1, close));
    this.position = close + 1;
  }

  private escape(): void {
    if (this.position + 1 >= this.text.length) {
      this.expansion('unexplained-bytes');
      return;
    }
    const next = this.text.charAt(this.position + 1);
    if (next !== '\n') this.quote(next);
    this.position += 2;
  }

  private doubleQuotes(): void {
    const { text } = this;
    let start = this.position + 1;
    for (let i = start; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === DOUBLE_QUOTE) {
        this.quote(text.slice(start, i));
        this.position = i + 1;
        return;
      }
      const end = code === DOLLAR && this.context !== null ? this.knownExpansion(i, start, true) : -1;
      if (end !== -1) {
        start = end;
        i = end - 1;
        continue;
      }
      if (code === BACKTICK || (code === DOLLAR && this.expandsAt(i + 1, true))) {
        this.quote(text.slice(start, i));
        this.expansion(null);
        return;
      }
      if (code !== BACKSLASH) continue;
      const next = text.charCodeAt(i + 1);
      if (next === DOLLAR || next === BACKTICK || next === DOUBLE_QUOTE || next === BACKSLASH || next === NEWLINE) {
        this.quote(text.slice(start, i));
        start = next === NEWLINE ? i + 2 : i + 1;
        i++;
      }
    }
    this.expansion('unexplained-bytes');
  }

  private dollar(): void {
    const next = this.text.charCodeAt(this.position + 1);
    if (next === QUOTE) {
      this.ansiC();
      return;
    }
    // Message translation: the value depends on the locale and on TEXTDOMAIN.
    if (next === DOUBLE_QUOTE) {
      this.dialect = true;
      this.expansion('dynamic-word');
      return;
    }
    const end = this.context === null ? -1 : this.knownExpansion(this.position, this.position, false);
    if (end !== -1) {
      this.position = end;
      return;
    }
    if (this.expandsAt(this.position + 1, false)) {
      this.expansion(null);
      return;
    }
    this.literally();
  }

  /**
   * Takes the expansion at an offset when its text is known or harmless, with the quoted text from `start` before it.
   * @returns the offset behind it; -1 when only the shell can know it
   */
  private knownExpansion(at: number, start: number, inQuotes: boolean): number {
    const { text, context } = this;
    const use = parameterUse(text, at);
    const binding = use === null ? null : (context?.binding(use.name) ?? null);
    const isOne = inQuotes || this.assignment;
    const end =
      use !== null ? (binding === null ? -1 : use.end) : isOne || context?.isListed ? (context?.substitutionEnd(at) ?? -1) : -1;
    if (end === -1) return -1;
    if (binding?.kind === 'known' && !(binding.glob && this.assignment)) {
      if (binding.glob && !isWholeWord(text, at, end)) return -1;
      if (!isOne && (binding.glob || binding.value === '' || !isPlainWord(binding.value))) return -1;
      if (binding.glob) this.pattern = binding;
      else this.quote(text.slice(start, at) + binding.value);
      return end;
    }
    if (inQuotes) this.quote(text.slice(start, at));
    this.uncertain(null);
    this.data = joinedData(this.data, binding?.kind === 'digits' ? 'digits' : isOne ? 'one' : 'several', text);
    return end;
  }

  /** Whether `$` before this offset is an expansion; notes the lone ones that zsh expands. */
  private expandsAt(at: number, inQuotes: boolean): boolean {
    const next = this.text.charCodeAt(at);
    if (Number.isNaN(next)) return false;
    if (startsExpansion(next) || (next === BACKSLASH && this.text.charCodeAt(at + 1) === NEWLINE)) return true;
    const lone = inQuotes ? ' "\'.,/)%|&;\n\t\\' : '.,/%\\';
    if (next < 128 && !lone.includes(this.text.charAt(at))) this.dialect = true;
    return false;
  }

  private ansiC(): void {
    this.dialect = true;
    const { value, end } = decodeAnsiC(this.text, this.position + 2);
    if (end === -1) {
      this.expansion('unexplained-bytes');
      return;
    }
    if (value === null) this.uncertain('dynamic-word');
    else this.quote(value);
    this.position = end;
  }

  private wildcard(code: number): void {
    if (this.text.charCodeAt(this.position + 1) === 40) {
      this.glob = true;
      this.dialect = true;
      this.expansion('dynamic-word');
      return;
    }
    // The command `[` is no pattern.
    if (!this.assignment && !(code === 91 && this.text === '[')) {
      this.prefix ??= this.value;
      this.glob = true;
    }
    this.literally();
  }

  /**
   * `{}`, `{a}` and `@{u}` are literal; anything that may be a brace list is not certain. A sequence needs its `..` inside the first
   * pair of braces, but a list may run past it: `{a},b}` is `a}` and `b`.
   */
  private brace(): void {
    if (this.assignment) {
      this.literally();
      return;
    }
    const rest = this.text.slice(this.position + 1);
    const pair = /^[\w\-./:=@%+]*\}/.exec(rest)?.[0] ?? rest;
    if (rest.includes(',') || pair.includes('..')) {
      this.expansion('brace-expansion');
      return;
    }
    this.literally();
  }

  /** A leading `~` or `~/` is kept and flagged; every other one that the shell may expand is not certain. */
  private home(): void {
    const { text, position } = this;
    const before = position === 0 ? 0 : text.charCodeAt(position - 1);
    const after = text.charCodeAt(position + 1);
    if (position === 0 && !this.assignment && (text.length === 1 || after === 47)) this.tilde = true;
    else if (position === 0 || ((before === 58 || before === 61) && (this.assignment || text.charCodeAt(0) !== 45)))
      this.uncertain('dynamic-word');
    this.literally();
  }
}
