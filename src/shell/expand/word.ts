/**
 * From the text of one word to the value that a program would receive. This reader does not use the parser: it reads the raw text
 * again by the shell's quoting rules, so a word that the parser misread is still recognised as uncertain.
 */

import { isLiteral, startsExpansion } from '../syntax/characters.js';
import type { DataSource } from '../syntax/types.js';
import { mayBeBraceList } from './braces.js';
import { decodeAnsiC } from './quoting.js';
import type { WordContext } from './word-context.js';
import { type WordReading, WordState } from './word-state.js';

const QUOTE = 39;
const DOUBLE_QUOTE = 34;
const BACKSLASH = 92;
const DOLLAR = 36;
const BACKTICK = 96;
const NEWLINE = 10;
const PIPE: DataSource = { kind: 'pipe' };

/**
 * Reads one word.
 * @param assignment whether it is the value of an assignment: no wildcards, no brace lists, and `~` also applies after `:`
 * @param context null: no expansion can be analysed
 */
export function readWord(text: string, assignment: boolean, context: WordContext | null = null): WordReading {
  return new WordReader(text, assignment, context).read();
}

class WordReader extends WordState {
  read(): WordReading {
    const text = this.text;
    if (text.charCodeAt(0) === 61 && text.length > 1) this.differs = 'zsh';
    while (this.position < text.length && !this.expands) {
      const start = this.position;
      while (this.position < text.length && isLiteral(text.charCodeAt(this.position))) this.position++;
      if (this.position > start) this.value += text.slice(start, this.position);
      if (this.position < text.length) this.special(text.charCodeAt(this.position));
    }
    return this.reading();
  }

  /** Takes the special character at the current position, and everything that belongs to it. */
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
      case 60: // <(…)
        this.pipe();
        return;
      case BACKTICK:
      case 62: // >(…)
        this.expansion(null);
        return;
      case 40: // an extended glob, or a glob qualifier of zsh
        this.differs = 'zsh';
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
    // A blank, operator or comment cannot be inside a word: the parser and this reader disagree.
    this.expansion('unexplained-bytes');
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
      const end = code === DOLLAR ? this.takeExpansion(i, start, true) : -1;
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
      this.differs = 'zsh';
      this.expansion('dynamic-word');
      return;
    }
    const end = this.takeExpansion(this.position, this.position, false);
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
   * Takes the expansion at an offset if its value is known or harmless, with the quoted text from `start` before it.
   * @returns the offset after it; -1 when it cannot be analysed
   */
  private takeExpansion(at: number, start: number, inQuotes: boolean): number {
    const { text, assignment } = this;
    const found = this.context?.expansion(text, at, { inQuotes, assignment }) ?? null;
    if (found === null) return -1;
    switch (found.kind) {
      case 'value':
        this.quote(text.slice(start, at) + found.value);
        return found.end;
      case 'pattern':
        this.pattern = found.binding;
        return found.end;
      case 'data':
        if (inQuotes) this.quote(text.slice(start, at));
        this.takeData(found.data, found.source);
        return found.end;
    }
  }

  /** Whether the `$` before this offset starts an expansion; notes a lone `$` that zsh expands. */
  private expandsAt(at: number, inQuotes: boolean): boolean {
    const next = this.text.charCodeAt(at);
    if (Number.isNaN(next)) return false;
    if (startsExpansion(next) || (next === BACKSLASH && this.text.charCodeAt(at + 1) === NEWLINE)) return true;
    const lone = inQuotes ? ' "\'.,/)%|&;\n\t\\' : '.,/%\\';
    if (next < 128 && !lone.includes(this.text.charAt(at))) this.differs = 'zsh';
    return false;
  }

  /** Takes a `<(…)`: a word that consists of exactly one is a file to read. */
  private pipe(): void {
    if (this.position > 0 || this.assignment || this.context?.isPipe() !== true) {
      this.expansion(null);
      return;
    }
    this.takeData('one', PIPE);
    this.position = this.text.length;
  }

  private ansiC(): void {
    const { value, end, sameInZsh } = decodeAnsiC(this.text, this.position + 2);
    if (!sameInZsh) this.differs = 'zsh';
    else if (this.differs === 'nowhere') this.differs = 'dash';
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
      this.differs = 'zsh';
      this.expansion('dynamic-word');
      return;
    }
    // `[` as a command is not a pattern.
    if (!this.assignment && !(code === 91 && this.text === '[')) {
      this.prefix ??= this.value;
      this.glob = true;
    }
    this.literally();
  }

  private brace(): void {
    if (!this.assignment && mayBeBraceList(this.text.slice(this.position + 1))) this.expansion('brace-expansion');
    else this.literally();
  }

  /** Takes a `~`: keeps and flags a leading `~` or `~/`; any other that the shell may expand makes the word uncertain. */
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
