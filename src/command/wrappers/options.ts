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

/** What stands before the inner command. */
export interface OptionScan {
  readonly uses: readonly OptionUse[];
  readonly assignments: readonly ShellAssignment[];
  readonly operands: readonly ShellWord[];
  /** The words from the inner command on. */
  readonly rest: readonly ShellWord[];
  /** The words behind `--`; null without one. */
  readonly dashed: readonly ShellWord[] | null;
  /** An option such as `--help` was given: nothing is run. */
  readonly ended: boolean;
  /** An option that the rule does not know: where the inner command begins is a guess. */
  readonly unknown: boolean;
  readonly opaque: readonly Opaque[];
}

/** Words split out of `env -S` are few; more is no honest use. */
const MOST_WORDS = 4096;

/**
 * Scans `argv` from index 1 by the option table of `rule`, as getopt with a leading `+` does (or, with `permute`, without).
 * Exact long names only: an abbreviation is an unknown option. Never throws.
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
  /** The value of an option is the inner command: no further word is the wrapper's own. */
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
    // With permutation every operand was collected; those beyond the rule's own are the inner command.
    this.rest = this.rule.permute ? [...this.operands.slice(this.rule.operands), ...left] : left;
  }

  /** Options, and whatever the rule lets stand among them. */
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

  /** NAME=VALUE becomes an assignment of the inner command; env takes any name, also one that no shell would. */
  private takeAssignment(): boolean {
    const word = this.words[this.index];
    if (word === undefined) return false;
    const text = word.value ?? word.literalPrefix;
    const equals = text.indexOf('=');
    // `=x` too: env skips it without a word.
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

  /** Records one option, fetching its value from the next word when it has to. */
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

  /** `env -S`: the value's words stand where it stood, and may be options again. Only texts without any special meaning. */
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
