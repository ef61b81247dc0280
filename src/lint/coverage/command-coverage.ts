/** Whether one shell rule of a policy covers another one completely, decided by the languages of their patterns. */
import { singleQuoted } from '../../call/quote.js';
import { analyse } from '../../decide/flow/analysis.js';
import { clusterOf } from '../../decide/policy/spellings.js';
import { certainCover, coveringLanguage, meetingLanguage, WORD_END, widestCover } from '../../rule/inclusion/command-language.js';
import { exampleOf, inclusionOf, type Language, literal, optional, RUN } from '../../rule/inclusion/language.js';
import { type Holder, LanguageIndex } from '../../rule/inclusion/language-index.js';
import { type CoverReading, coverReadings, isConclusive, readingCovers } from '../../rule/pattern/command-pattern.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** The pattern of a rule and its effect. */
export interface ShellPattern {
  readonly pattern: string;
  readonly effect: Effect;
}

/** At most this many command lines are analyzed to find the words that an allow rule must write out; rules beyond that are not reported. */
const MOST_READ = 200;
/** Longer patterns are not compared. */
const MOST_PATTERN = 1_000;

/**
 * Shell rules of one tool against which others are compared. Allow rules are compared with allow rules word by word, all others as text.
 */
export class CommandCoverage<Value extends object> {
  /** Ask and deny rules by their patterns. */
  readonly #restricting = new Map<string, Value>();
  /** The texts that ask and deny rules match. */
  readonly #meeting = new LanguageIndex<Value>();
  /** The commands that allow rules cover, with WORD_END between the words. */
  readonly #covering = new LanguageIndex<Value>();
  /** The texts that the patterns of allow rules match. */
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

  /** Returns a rule that covers this one completely, with a command that both are about; null when no rule certainly does. */
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

  /** Whether an allow rule covers another one completely, even where words have to be written out. */
  #coversAll(outer: readonly CoverReading[], inner: readonly CoverReading[]): boolean {
    return inner.every((reading) => isWithin(reading, outer)) && inner.every((reading) => this.#settlesAll(outer, reading));
  }

  /**
   * `git *` does not cover `git push *`: a command that publishes has to be written out. A rule writes out its words, so one of
   * the commands that it covers shows what they do.
   */
  #settlesAll(outer: readonly CoverReading[], inner: CoverReading): boolean {
    const times = (words: readonly string[], word: string) => words.filter((one) => one === word).length;
    const known = (reading: CoverReading) =>
      inner.literals.every((word) => times(inner.literals, word) <= times(reading.literals, word));
    if (outer.some((reading) => !reading.wild || (inner.wild && known(reading)))) return true;
    // If any command or subcommand may occur here, no example shows how it treats the words after it.
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
    // A condition that only facts can settle is treated like an issue: unsettled, it is one.
    const written = [...verdict.issues, ...verdict.conditions.map(({ word }) => ({ word, option: null }))].filter((issue) =>
      isConclusive(inner, words, [issue]),
    );
    return outer.some((reading) => isConclusive(reading, words, written));
  }
}

/**
 * Returns everything that an ask or deny rule matches: the options that it writes out may occur anywhere after the command's first word.
 */
function metLanguage({ pattern, effect }: ShellPattern): Language {
  const language = meetingLanguage(pattern);
  const cluster = clusterOf({ pattern, effect });
  if (cluster === null) return language;
  const words = [cluster.name, ...cluster.operands.slice(0, 1)].join(' ');
  return [...language, [...literal(words), ...optional([...literal(' '), ...RUN])]];
}

/** Returns the pattern with a single notation of "then anything". */
export function plainPattern({ pattern }: ShellPattern): string {
  return pattern.replace(/(?::|\s+)\*+$/, ' *').replace(/\s+/g, ' ');
}

/** Returns a command line that a rule is about. */
export function someCommand({ pattern, effect }: ShellPattern): string {
  if (effect !== 'allow') return exampleOf(meetingLanguage(pattern));
  return lineOf(exampleOf(widestLanguage(coverReadings(pattern))).split(WORD_END));
}

function lineOf(words: readonly string[]): string {
  return words.map(literalWord).join(' ');
}

/** Puts `'` around any word that a shell would not read literally. */
function literalWord(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : singleQuoted(word);
}

function widestLanguage(readings: readonly CoverReading[]): Language {
  return readings.map((reading) => widestCover(reading, WORD_END));
}

/** Whether other readings cover all words that one reading covers, as far as wildcards allow to tell. */
function isWithin(inner: CoverReading, outer: readonly CoverReading[]): boolean {
  const certain = outer.flatMap((reading) => {
    const row = certainCover(reading);
    return row === null ? [] : [row];
  });
  if (certain.length > 0 && inclusionOf([widestCover(inner, WORD_END)], certain).answer === 'included') return true;
  return outer.some((reading) => certainCover(reading) === null && isBelow(inner, reading));
}

/** Whether it is below a folder, or is an address that an address pattern covers. */
function isBelow(inner: CoverReading, outer: CoverReading): boolean {
  const begins = outer.words.every((word, index) => word === inner.words[index]);
  if (!begins) return false;
  const depth = outer.words.length;
  if (outer.end === 'folder' && inner.end === 'folder' && inner.words.length === depth)
    return readingCovers(outer, [...inner.words, inner.text]);
  if (inner.words.length <= depth || (inner.end !== 'exact' && (outer.end !== 'folder' || inner.end !== 'rest'))) return false;
  return readingCovers(outer, inner.words);
}
