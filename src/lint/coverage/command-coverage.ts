/** Whether one shell rule of a policy stands for all that another one does, decided by the languages of their patterns. */
import { analyse } from '../../decide/flow/analysis.js';
import { clusterOf } from '../../decide/policy/spellings.js';
import { certainCover, coveringLanguage, meetingLanguage, WORD_END, widestCover } from '../../rule/inclusion/command-language.js';
import { exampleOf, inclusionOf, type Language, literal, optional, RUN } from '../../rule/inclusion/language.js';
import { type Holder, LanguageIndex } from '../../rule/inclusion/language-index.js';
import { type CoverReading, coverReadings, isConclusive, readingCovers } from '../../rule/pattern/command-pattern.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** The pattern of a rule and what it decides. */
export interface ShellPattern {
  readonly pattern: string;
  readonly effect: Effect;
}

/** Command lines that are read to find out what an allow rule must write out; those beyond are not told of. */
const MOST_READ = 200;
/** Longer patterns are not compared. */
const MOST_PATTERN = 1_000;

/** Shell rules of one tool that others are held against. Allow rules are held against allow rules as words, all else as texts. */
export class CommandCoverage<Value extends object> {
  /** Ask and deny rules by their patterns. */
  readonly #restricting = new Map<string, Value>();
  /** What ask and deny rules meet. */
  readonly #meeting = new LanguageIndex<Value>();
  /** What allow rules cover, with WORD_END between the words. */
  readonly #covering = new LanguageIndex<Value>();
  /** What the pattern of an allow rule matches as a text. */
  readonly #matching = new LanguageIndex<Value>();
  readonly #readings = new Map<Value, readonly CoverReading[]>();
  #left = MOST_READ;

  add({ pattern, effect }: ShellPattern, value: Value): void {
    if (pattern.length > MOST_PATTERN) return;
    if (effect !== 'allow') {
      this.#meeting.add(meetingLanguage(pattern), value);
      if (!this.#restricting.has(pattern)) this.#restricting.set(pattern, value);
      return;
    }
    const readings = coverReadings(pattern);
    this.#readings.set(value, readings);
    this.#covering.add(widestLanguage(readings), value);
    this.#matching.add(meetingLanguage(pattern), value);
  }

  /** A rule that does all that this one does, with a command that both are about; null when none certainly does. */
  holderOf({ pattern, effect }: ShellPattern, self: Value): Holder<Value> | null {
    if (pattern.length > MOST_PATTERN) return null;
    if (effect !== 'allow') {
      const same = this.#restricting.get(pattern);
      if (same !== undefined && same !== self) return { value: same, witness: someCommand({ pattern, effect }) };
      const language = metLanguage({ pattern, effect });
      const holder = this.#meeting.holderOf(language, self) ?? this.#matching.holderOf(language, self);
      return holder === null ? null : { value: holder.value, witness: someCommand({ pattern, effect }) };
    }
    const witness = someCommand({ pattern, effect });
    const met = this.#meeting.holderOf(coveringLanguage(pattern), self);
    if (met !== null) return { value: met.value, witness };
    const readings = coverReadings(pattern);
    const covered = this.#covering.holderOf(widestLanguage(readings), self, (outer) =>
      this.#coversAll(this.#readings.get(outer) ?? [], readings),
    );
    return covered === null ? null : { value: covered.value, witness };
  }

  /** Whether an allow rule covers whatever another one does, also where something has to be written out. */
  #coversAll(outer: readonly CoverReading[], inner: readonly CoverReading[]): boolean {
    return inner.every((reading) => isWithin(reading, outer)) && inner.every((reading) => this.#settlesAll(outer, reading));
  }

  /**
   * `git *` does not stand for `git push *`: what publishes has to be written out. A rule writes out its words, so one of the commands
   * that it covers tells what they do.
   */
  #settlesAll(outer: readonly CoverReading[], inner: CoverReading): boolean {
    const times = (words: readonly string[], word: string) => words.filter((one) => one === word).length;
    const known = (reading: CoverReading) =>
      inner.literals.every((word) => times(inner.literals, word) <= times(reading.literals, word));
    if (outer.some((reading) => !reading.wild || (inner.wild && known(reading)))) return true;
    // Where any command or subcommand may come, no example tells what it does with the words behind it.
    const isOpenAhead = inner.words.length === 0 || (inner.end === 'glob' && inner.literals.length > inner.words.length);
    if (isOpenAhead || this.#left-- <= 0) return false;
    const words = exampleOf([widestCover(inner, WORD_END)]).split(WORD_END);
    const command = lineOf(words);
    const { lines } = analyse({ tool: 'Bash', input: { command }, cwd: '/project', headless: false, shell: 'bash' });
    const [found, ...others] = lines.flatMap(({ tree }) => tree.commands);
    if (found === undefined || others.length > 0) return false;
    const { invocation, verdict, inner: wrapped } = found;
    const read = invocation.argv.map(({ value }) => value);
    if (wrapped.length > 0 || invocation.assignments.length > 0 || read.join(WORD_END) !== words.join(WORD_END)) return false;
    // What only facts can answer counts like an issue: unanswered, it is one.
    const written = [...verdict.issues, ...verdict.conditions.map(({ word }) => ({ word, option: null }))].filter((issue) =>
      isConclusive(inner, words, [issue]),
    );
    return outer.some((reading) => isConclusive(reading, words, written));
  }
}

/** All that an ask or deny rule meets: the options that it writes out may stand anywhere behind the command's first word. */
function metLanguage({ pattern, effect }: ShellPattern): Language {
  const language = meetingLanguage(pattern);
  const cluster = clusterOf({ pattern, effect });
  if (cluster === null) return language;
  const words = [cluster.name, ...cluster.operands.slice(0, 1)].join(' ');
  return [...language, [...literal(words), ...optional([...literal(' '), ...RUN])]];
}

/** The pattern with one way to say "then anything". */
export function plainPattern({ pattern }: ShellPattern): string {
  return pattern.replace(/(?::|\s+)\*+$/, ' *').replace(/\s+/g, ' ');
}

/** A command line that a rule is about. */
export function someCommand({ pattern, effect }: ShellPattern): string {
  if (effect !== 'allow') return exampleOf(meetingLanguage(pattern));
  return lineOf(exampleOf(widestLanguage(coverReadings(pattern))).split(WORD_END));
}

function lineOf(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** `'` around whatever a shell could take for more than a text. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function widestLanguage(readings: readonly CoverReading[]): Language {
  return readings.map((reading) => widestCover(reading, WORD_END));
}

/** Whether the words that one reading covers are all covered by others, as far as wildcards go. */
function isWithin(inner: CoverReading, outer: readonly CoverReading[]): boolean {
  const certain = outer.flatMap((reading) => {
    const row = certainCover(reading);
    return row === null ? [] : [row];
  });
  if (certain.length > 0 && inclusionOf([widestCover(inner, WORD_END)], certain).answer === 'included') return true;
  return outer.some((reading) => certainCover(reading) === null && isBelow(inner, reading));
}

/** Below a folder, or an address that a pattern of addresses covers. */
function isBelow(inner: CoverReading, outer: CoverReading): boolean {
  const begins = outer.words.every((word, index) => word === inner.words[index]);
  if (!begins) return false;
  const depth = outer.words.length;
  if (outer.end === 'folder' && inner.end === 'folder' && inner.words.length === depth)
    return readingCovers(outer, [...inner.words, inner.text]);
  if (inner.words.length <= depth || (inner.end !== 'exact' && (outer.end !== 'folder' || inner.end !== 'rest'))) return false;
  return readingCovers(outer, inner.words);
}
