/**
 * The fast path for plain lines: commands of plain or simply quoted words, redirected to plain words, with `&&`, `||`, `;` or `|`
 * and single blanks between them. It must return exactly what the parser's path returns (a property test compares them); anything
 * that could mean more is left to the parser.
 */

import { readWord } from '../expand/word.js';
import { isBuiltinOfInterest } from '../scope/builtins.js';
import { DirectoryTrack, known, moveOf } from '../scope/cwd.js';
import { assignedName, movesDirectory } from '../scope/variables.js';
import { isPlain } from '../syntax/characters.js';
import { plainShellWord } from '../syntax/plain-word.js';
import type { CommandLine, Enclosure, Invocation, ShellRedirection, ShellWord } from '../syntax/types.js';

const NONE: readonly never[] = [];
const PIPELINE: readonly Enclosure[] = ['pipeline'];

const BLANK = 32;
const SEMICOLON = 59;
const EQUALS = 61;
const AMPERSAND = 38;
const PIPE = 124;
const LESS = 60;
const GREATER = 62;
const QUOTE = 39;
const DOUBLE_QUOTE = 34;
const MINUS = 45;
const TILDE = 126;
const STAR = 42;
const QUESTION = 63;
const COLON = 58;

type Operator = '&&' | '||' | ';' | '|' | 'end';

/** Reads a plain line; null when it is not plain. */
export function readPlainLine(source: string): CommandLine | null {
  const invocations = new PlainLine(source).read();
  return invocations === null ? null : { source, invocations, opaque: NONE };
}

/** The part of the line read so far, and the command being read; each reading method returns false for anything that is not plain. */
class PlainLine {
  private readonly invocations: Invocation[] = [];
  private position = 0;
  private start = 0;
  private end = 0;
  private argv: ShellWord[] = [];
  private redirections: ShellRedirection[] | null = null;
  private piped = false;
  /** True after an operator that does not depend on success: then the directory after a `cd` is unknown. */
  private branches = false;
  /** Created with the first `cd`. */
  private track: DirectoryTrack | null = null;

  constructor(private readonly source: string) {}

  read(): readonly Invocation[] | null {
    const { source } = this;
    while (this.position < source.length) {
      if (!this.item(source.charCodeAt(this.position))) return null;
      if (this.position === source.length) break;
      // One blank, followed by something else.
      if (source.charCodeAt(this.position) !== BLANK || this.position + 1 === source.length) return null;
      this.position += 1;
    }
    return this.finish('end') ? this.invocations : null;
  }

  /** Reads the item at the current position: an operator, a redirection or a word. */
  private item(code: number): boolean {
    const next = this.source.charCodeAt(this.position + 1);
    switch (code) {
      case AMPERSAND:
        return next === AMPERSAND && this.operator('&&');
      case PIPE:
        return this.operator(next === PIPE ? '||' : '|');
      case SEMICOLON:
        return this.operator(';');
      case LESS:
      case GREATER:
        return this.redirection(null);
    }
    const digit = code >= 48 && code <= 57;
    return digit && (next === LESS || next === GREATER) ? this.redirection(code - 48) : this.word();
  }

  /** Reads an operator; it ends a command and is followed by a blank. */
  private operator(operator: Exclude<Operator, 'end'>): boolean {
    this.position += operator.length;
    return this.source.charCodeAt(this.position) === BLANK && this.finish(operator);
  }

  private word(): boolean {
    const word = this.takeWord();
    if (word === null) return false;
    if (this.argv.length === 0) {
      // The name of a command can have too many special meanings.
      if (word.value !== word.text || word.glob || word.tilde || !isPlainName(word.text)) return false;
      this.start = word.span.start;
    }
    this.argv.push(word);
    this.end = this.position;
    return this.endsItem();
  }

  /** A word is followed by a blank, or by `;` and a blank. */
  private endsItem(): boolean {
    if (this.position === this.source.length) return true;
    const code = this.source.charCodeAt(this.position);
    return code === SEMICOLON ? this.operator(';') : code === BLANK;
  }

  /** Reads the word at the current position: plain characters, wildcards, `~`, and quotes without anything special in them. */
  private takeWord(): ShellWord | null {
    const { source } = this;
    const start = this.position;
    let at = start;
    let special = false;
    for (; at < source.length; at += 1) {
      const code = source.charCodeAt(at);
      if (isPlain(code) || (code === TILDE && at > start && isOrdinaryBefore(source.charCodeAt(at - 1)))) continue;
      if (code === QUOTE || code === DOUBLE_QUOTE) at = closingQuote(source, at, code);
      else if (code !== STAR && code !== QUESTION && code !== TILDE) break;
      if (at < 0) return null;
      special = true;
    }
    // A leading `=` makes zsh look up a command.
    if (at === start || source.charCodeAt(start) === EQUALS) return null;
    this.position = at;
    const text = source.slice(start, at);
    return special ? specialWord(text, start, at) : plainShellWord(text, { start, end: at });
  }

  /** `2>/dev/null`, `> out.txt`, `< in.txt`, `2>&1`; the position is at the descriptor or the operator. */
  private redirection(descriptor: number | null): boolean {
    const { source } = this;
    const start = this.position;
    if (this.argv.length === 0) return false;
    const sign = descriptor === null ? start : start + 1;
    const reads = source.charCodeAt(sign) === LESS;
    const next = source.charCodeAt(sign + 1);
    const duplicates = !reads && next === AMPERSAND;
    const operator = reads ? '<' : duplicates ? '>&' : next === GREATER ? '>>' : '>';
    this.position = sign + operator.length;
    if (!duplicates && source.charCodeAt(this.position) === BLANK) this.position += 1;
    const first = source.charCodeAt(this.position);
    const digit = first >= 48 && first <= 57;
    // Anything but one digit after `>&` is expanded twice; zsh reads `<1-9` as a pattern.
    if (reads && (digit || first === MINUS)) return false;
    const target = this.takeWord();
    if (target === null || (duplicates && !(digit && target.text.length === 1))) return false;
    this.end = this.position;
    this.redirections ??= [];
    this.redirections.push({
      operator,
      direction: reads ? 'read' : duplicates ? 'duplicate' : 'write',
      descriptor,
      target,
      text: null,
      span: { start, end: this.position },
    });
    return this.endsItem();
  }

  /** Adds the command before an operator, or at the end of the line. */
  private finish(operator: Operator): boolean {
    const { argv } = this;
    if (argv.length === 0) return false;
    const inPipeline = this.piped || operator === '|';
    const invocation: Invocation = {
      argv,
      assignments: NONE,
      redirections: this.redirections ?? NONE,
      enclosures: inPipeline ? PIPELINE : NONE,
      background: false,
      piped: this.piped,
      directory: this.track === null ? NONE : known(this.track.state),
      span: { start: this.start, end: this.end },
    };
    this.invocations.push(invocation);
    if (argv[0]?.value === 'cd' && (inPipeline || !this.enter(invocation))) return false;
    if (operator === '||' || operator === ';') this.branches = true;
    if (this.branches && this.track !== null) return false;
    this.argv = [];
    this.redirections = null;
    this.piped = operator === '|';
    return true;
  }

  /** Follows a `cd` to one certain place, after which only success leads on. */
  private enter(invocation: Invocation): boolean {
    if (invocation.argv.some((word) => movesDirectory(assignedName(word.value ?? word.text)))) return false;
    const move = moveOf(invocation, 'cd');
    if (move.kind !== 'to') return false;
    this.track ??= new DirectoryTrack();
    this.track.apply(move);
    this.track.state = this.track.succeeded;
    return true;
  }
}

/**
 * Whether the name is plain: not a keyword, an assignment, a job or a builtin that does more than an ordinary program; `cd` is
 * followed here.
 */
function isPlainName(text: string): boolean {
  return text === 'cd' || !(text.includes('=') || text.startsWith('%') || text === 'time' || isBuiltinOfInterest(text));
}

/** The offset of the closing quote; -1 if there is none, or the quoted text needs the parser. */
function closingQuote(source: string, open: number, quote: number): number {
  for (let at = open + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === quote) return at;
    if (code < BLANK || code > 126 || (quote === DOUBLE_QUOTE && isActive(code))) return -1;
  }
  return -1;
}

/** Whether the character is `$`, backtick, backslash or `!`, which stay special in double quotes. */
function isActive(code: number): boolean {
  return code === 36 || code === 96 || code === 92 || code === 33;
}

/** After any character except `:` and `=`, a `~` is literal (`HEAD~1`). */
function isOrdinaryBefore(code: number): boolean {
  return isPlain(code) && code !== EQUALS && code !== COLON;
}

/** A word that is not its own value, read by the reader for all words; null if there is anything to note about it. */
function specialWord(text: string, start: number, end: number): ShellWord | null {
  if (isFastPathQuotation(text)) {
    const value = text.slice(1, -1);
    return { text, value, span: { start, end }, glob: false, tilde: false, literalPrefix: value };
  }
  const read = readWord(text, false);
  const { value, glob, tilde, literalPrefix } = read;
  if (value === null || read.codes.length > 0 || read.differs !== 'nowhere') return null;
  return { text, value, span: { start, end }, glob, tilde, literalPrefix };
}

/** `'plain text'` or `"plain text"`: quoted words that the fast path reads without the parser. */
function isFastPathQuotation(text: string): boolean {
  const quote = text.charCodeAt(0);
  const last = text.length - 1;
  if ((quote !== QUOTE && quote !== DOUBLE_QUOTE) || last < 1 || text.charCodeAt(last) !== quote) return false;
  for (let at = 1; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== BLANK && !isPlain(code)) return false;
  }
  return true;
}
