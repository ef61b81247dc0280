/** Reads the options, assignments and leading operands of a wrapper, up to the first word of its inner command. */
import type { Opaque, ShellAssignment, ShellWord } from '../../shell/syntax/types.js';
import { isCertain, opaqueReason, staticWord, wordTail } from '../model/words.js';
import type { OptionRole, WrapperRule } from './rules.js';

/** One option found, with its value when its role has one. */
export interface OptionUse {
  readonly role: OptionRole;
  readonly option: string;
  readonly value: ShellWord | null;
  readonly word: ShellWord;
}

/** The words before the inner command, as scanned. */
export interface OptionScan {
  readonly uses: readonly OptionUse[];
  readonly assignments: readonly ShellAssignment[];
  readonly operands: readonly ShellWord[];
  /** The words from the inner command on. */
  readonly rest: readonly ShellWord[];
  /** The words after `--`; null without one. */
  readonly dashed: readonly ShellWord[] | null;
  /** An option such as `--help` was given, so nothing is run. */
  readonly ended: boolean;
  /** The rule does not know an option, so the start of the inner command is a guess. */
  readonly unknown: boolean;
  readonly opaque: readonly Opaque[];
}

/** At most this many words, including those split out of `env -S`: more is no honest use. */
const MOST_WORDS = 4096;

/**
 * Scans `argv` from index 1 by the option table of `rule`, like getopt with a leading `+` (or, with `permute`, without). Long
 * names must be exact: an abbreviation is an unknown option. Never throws.
 */
export function scanOptions(argv: readonly ShellWord[], rule: WrapperRule): OptionScan {
  const scanner = new Scanner(argv.slice(1), rule);
  scanner.run();
  return scanner;
}

class Scanner implements OptionScan {
  readonly uses: OptionUse[] = [];
  readonly assignments: ShellAssignment[] = [];
  readonly operands: ShellWord[] = [];
  readonly opaque: Opaque[] = [];
  rest: readonly ShellWord[] = [];
  dashed: readonly ShellWord[] | null = null;
  ended = false;
  unknown = false;
  private readonly words: ShellWord[];
  private readonly rule: WrapperRule;
  private index = 0;
  /** An option value is the inner command: no further word belongs to the wrapper. */
  private found = false;

  constructor(words: ShellWord[], rule: WrapperRule) {
    this.words = words;
    this.rule = rule;
  }

  run(): void {
    this.readOptions();
    while (!this.ended && this.wantsOperand()) this.takeOperand();
    if (this.rule.assignments !== 'none') while (this.takeAssignment());
    const left = this.words.slice(this.index);
    // With permutation, every operand was collected; those beyond the rule's own are the inner command.
    this.rest = this.rule.permute ? [...this.operands.slice(this.rule.operands), ...left] : left;
  }

  /** Reads options, and whatever the rule permits among them. */
  private readOptions(): void {
    while (!this.ended && !this.found) {
      const word = this.words[this.index];
      if (word === undefined) return;
      const text = word.value ?? word.literalPrefix;
      if (text === '--' && isCertain(word)) {
        this.index += 1;
        this.dashed = this.words.slice(this.index);
        return;
      }
      if (this.looksLikeOption(text)) this.readOption(word, text);
      else if (this.rule.assignments === 'anywhere' && this.takeAssignment()) continue;
      else if (this.rule.permute || (this.rule.optionsAfterOperands && this.wantsOperand())) this.takeOperand();
      else return;
    }
  }

  private looksLikeOption(text: string): boolean {
    return text.startsWith('-') && (text !== '-' || this.rule.options.has('-'));
  }

  private wantsOperand(): boolean {
    return this.operands.length < this.rule.operands && this.index < this.words.length;
  }

  private takeOperand(): void {
    const word = this.words[this.index];
    if (word === undefined) return;
    if (!isCertain(word)) this.unsure(word);
    this.operands.push(word);
    this.index += 1;
  }

  /** Takes NAME=VALUE as an assignment of the inner command; env accepts any name, even one that no shell would. */
  private takeAssignment(): boolean {
    const word = this.words[this.index];
    if (word === undefined) return false;
    const text = word.value ?? word.literalPrefix;
    const equals = text.indexOf('=');
    // Includes `=x`, which env skips silently.
    if (equals < 0) return false;
    if (!isCertain(word)) this.unsure(word);
    const value = isCertain(word) ? text.slice(equals + 1) : null;
    this.assignments.push({ name: text.slice(0, equals), value, append: false, span: word.span });
    this.index += 1;
    return true;
  }

  private readOption(word: ShellWord, text: string): void {
    this.index += 1;
    if (!isCertain(word)) this.unsure(word);
    const whole = this.rule.options.get(text);
    if (whole !== undefined) this.use(whole, text, word, null);
    else if (text.startsWith('--')) this.readLong(word, text);
    else if (!this.rule.numeric || !/^-\d+$/.test(text)) this.readCluster(word, text);
  }

  /** `--name=value`. */
  private readLong(word: ShellWord, text: string): void {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    const role = this.rule.options.get(name);
    if (equals < 0 || role === undefined || role === 'flag' || role === 'end') this.notKnown(word);
    else this.use(role, name, word, wordTail(word, equals + 1));
  }

  /** `-abc`, `-n5`: flags up to the first letter that takes the rest (or the next word) as its value. */
  private readCluster(word: ShellWord, text: string): void {
    for (let at = 1; at < text.length && !this.ended; at += 1) {
      const option = `-${text[at]}`;
      const role = this.rule.options.get(option);
      if (role === undefined) {
        this.notKnown(word);
        return;
      }
      const attached = at + 1 < text.length ? wordTail(word, at + 1) : null;
      this.use(role, option, word, attached);
      if (role !== 'flag') return;
    }
  }

  /** Records one option, and takes its value from the next word if necessary. */
  private use(role: OptionRole, option: string, word: ShellWord, attached: ShellWord | null): void {
    if (role === 'end') this.ended = true;
    if (role === 'command') this.found = true;
    const takes = role !== 'flag' && role !== 'end' && role !== 'attached' && role !== 'replace-attached';
    let value = role === 'flag' ? null : attached;
    if (takes && value === null) {
      value = this.words[this.index] ?? null;
      this.index += 1;
      if (value !== null && !isCertain(value) && role !== 'script') this.unsure(value);
    }
    if (role === 'split' && value !== null) this.split(value);
    else this.uses.push({ role, option, value, word });
  }

  /**
   * `env -S`: inserts the words of the value at its position, where they may be options again. Only for text without special characters.
   */
  private split(value: ShellWord): void {
    const text = value.value ?? value.literalPrefix;
    const plain = isCertain(value) && !/[\\$'"#\n\r\t\v\f]/.test(text);
    if (!plain) this.opaque.push(opaqueReason('dynamic-word', 'The text that env splits into words is not plain.', value.span));
    const parts = text.split(/\s+/).filter((part) => part !== '');
    if (this.words.length + parts.length > MOST_WORDS) {
      this.opaque.push(opaqueReason('nesting', 'The text that env splits has too many words.', value.span));
      return;
    }
    this.words.splice(this.index, 0, ...parts.map((part) => staticWord(part, value.span)));
  }

  private unsure(word: ShellWord): void {
    this.opaque.push(
      opaqueReason('dynamic-word', `A word before the command that ${this.rule.name} runs is not static.`, word.span),
    );
  }

  private notKnown(word: ShellWord): void {
    this.unknown = true;
    this.opaque.push(opaqueReason('unknown-construct', `An option of ${this.rule.name} is not known.`, word.span));
  }
}
