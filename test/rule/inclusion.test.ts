// One language lies in another: the automaton against brute force, with the patterns of rules and the engine that matches them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CommandCoverage } from '../../src/lint/coverage/command-coverage.js';
import { coveringLanguage, meetingLanguage, WORD_END, widestCover } from '../../src/rule/inclusion/command-language.js';
import {
  accepts,
  exampleOf,
  inclusionOf,
  type Language,
  literal,
  ONE,
  optional,
  type Row,
  RUN,
  runWithout,
} from '../../src/rule/inclusion/language.js';
import { LanguageIndex } from '../../src/rule/inclusion/language-index.js';
import { coverReadings, meetGlobs } from '../../src/rule/pattern/command-pattern.js';
import type { Effect } from '../../src/rule/pattern/permission-rule.js';
import { toolsCovered } from '../../src/rule/pattern/tool-coverage.js';
import { globMatch } from '../../src/rule/pattern/wildcard.js';
import { compileRules } from '../../src/rule/rule-set.js';
import { rule } from './rules.js';

const test = suite('inclusion of languages');
const PAIRS = 100_000;

/** The same numbers in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** All texts of up to `length` characters. */
function allTexts(alphabet: readonly string[], length: number): string[] {
  const texts = [''];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if (text.length < length) texts.push(...alphabet.map((letter) => text + letter));
  }
  return texts;
}

/** A pattern with what it matches of all texts, one bit each. */
interface Matched {
  readonly pattern: string;
  readonly bits: Uint32Array;
}

function matchedOf(pattern: string, texts: readonly string[], matches: (text: string) => boolean): Matched {
  const bits = new Uint32Array(Math.ceil(texts.length / 32));
  texts.forEach((text, at) => {
    if (matches(text)) bits[at >> 5] = (bits[at >> 5] ?? 0) | (1 << (at & 31));
  });
  return { pattern, bits };
}

const isSubset = (inner: Matched, outer: Matched) => inner.bits.every((word, at) => (word & ~(outer.bits[at] ?? 0)) === 0);

/** Every answer of a comparison against brute force and, for a text that only one of them has, against the engine itself. */
function compared(
  pool: readonly Matched[],
  languageOf: (pattern: string) => Language,
  matches: (pattern: string, text: string) => boolean,
  seed: number,
): void {
  const roll = dice(seed);
  let included = 0;
  let excluded = 0;
  const languages = new Map(pool.map((one) => [one, languageOf(one.pattern)]));
  // Two patterns by chance seldom lie in each other, so half of the pairs are drawn from those that do.
  const nested = pool.flatMap((outer) =>
    pool.flatMap((inner) =>
      inner !== outer && inner.bits.some((word) => word !== 0) && isSubset(inner, outer) ? [[inner, outer]] : [],
    ),
  );
  for (let round = 0; round < PAIRS; round++) {
    const chance = [pool[roll(pool.length)], pool[roll(pool.length)]];
    const [inner, outer] = round % 2 === 0 ? (nested[roll(nested.length)] ?? chance) : chance;
    if (inner === undefined || outer === undefined) throw new Error('an empty pool');
    const found = inclusionOf(languages.get(inner) ?? [], languages.get(outer) ?? []);
    const subset = isSubset(inner, outer);
    const pair = `${inner.pattern} in ${outer.pattern}`;
    if (found.answer === 'included') {
      included++;
      assert.ok(subset, `${pair}: brute force knows a text that is only in the first`);
      assert.ok(matches(inner.pattern, found.witness) && matches(outer.pattern, found.witness), `${pair}: ${found.witness}`);
    } else {
      assert.is(found.answer, 'not-included', pair);
      excluded++;
      // A longer text, or one of other letters, may be needed to tell them apart: the engine has the last word.
      const { witness } = found as { witness: string };
      assert.ok(matches(inner.pattern, witness) && !matches(outer.pattern, witness), `${pair}: ${JSON.stringify(witness)}`);
    }
  }
  assert.ok(included >= PAIRS / 5 && excluded >= PAIRS / 5, `${included} included, ${excluded} not`);
}

const ENDINGS = ['', '*', ' *', ':*', '', ' *'];
const WORDS = ['a', 'b', 'ab', '*', 'a*', '*b', '?', '"a b"', "'a'", '"a"', 'a', 'a', '*'];

/** Patterns as people write them: mostly short and wide, so that many lie in each other. */
function patterns(count: number, seed: number): string[] {
  const roll = dice(seed);
  const found = new Set<string>();
  while (found.size < count) {
    const words = Array.from({ length: 1 + roll(3) }, () => WORDS[roll(WORDS.length)] ?? 'a');
    const pattern = words.join(' ') + (ENDINGS[roll(ENDINGS.length)] ?? '');
    if (coverReadings(pattern).length > 0) found.add(pattern);
  }
  return [...found, 'a*', '*', 'a *', 'a:*', '* b', '* *', 'ab*', 'a b*'];
}

test('what ask and deny rules meet, as texts', () => {
  const texts = allTexts(['a', 'b', ' '], 6);
  const rules = new Map<string, ReturnType<typeof compileRules>>();
  const matches = (pattern: string, text: string) => {
    // The engine also looks at a text with its white space put in order, which no pattern has.
    if (/^\s|\s$|\s\s/.test(text)) return meetGlobs(pattern).some((glob) => globMatch(glob, text));
    const compiled = rules.get(pattern) ?? compileRules([rule('deny', `Bash(${pattern})`)], toolsCovered);
    rules.set(pattern, compiled);
    return compiled.total('Bash').length + compiled.meetsText('Bash', 'command', text).length > 0;
  };
  const pool = patterns(300, 1).map((pattern) => matchedOf(pattern, texts, (text) => matches(pattern, text)));
  compared(pool, meetingLanguage, matches, 2);
});

test('what allow rules cover, as words', () => {
  const texts = allTexts(['a', 'b', WORD_END], 6);
  const rules = new Map<string, ReturnType<typeof compileRules>>();
  const matches = (pattern: string, text: string) => {
    const compiled = rules.get(pattern) ?? compileRules([rule('allow', `Bash(${pattern})`)], toolsCovered);
    rules.set(pattern, compiled);
    return compiled.total('Bash').length + compiled.coversCommand('Bash', text.split(WORD_END), []).length > 0;
  };
  // A star in the name of a program covers less than its row says: such patterns are compared by other means.
  const simple = patterns(400, 3).filter(
    (pattern) => !/^\S*[*?]./.test(pattern.replaceAll(/["']/g, '')) && !/^["']?[*?]/.test(pattern),
  );
  const pool = simple.map((pattern) => matchedOf(pattern, texts, (text) => matches(pattern, text)));
  compared(pool, (pattern) => coverReadings(pattern).map((reading) => widestCover(reading, WORD_END)), matches, 4);
});

test('an allow rule below a deny rule: every command that it covers is met', () => {
  const words = allTexts(['a', 'b', WORD_END], 5);
  const roll = dice(5);
  const pool = patterns(250, 6);
  let included = 0;
  for (let round = 0; round < 4_000; round++) {
    const [inner, outer] = [pool[roll(pool.length)] ?? '', pool[roll(pool.length)] ?? ''];
    if (inclusionOf(coveringLanguage(inner), meetingLanguage(outer)).answer !== 'included') continue;
    if (included++ > 600) break;
    const allow = compileRules([rule('allow', `Bash(${inner})`)], toolsCovered);
    const deny = compileRules([rule('deny', `Bash(${outer})`)], toolsCovered);
    if (deny.total('Bash').length > 0 || allow.total('Bash').length > 0) continue;
    for (const text of words) {
      const command = text.split(WORD_END);
      if (allow.coversCommand('Bash', command, []).length > 0)
        assert.ok(deny.meetsCommand('Bash', command).length > 0, `${inner} below ${outer}: ${command.join('|')}`);
    }
  }
  assert.ok(included > 300, `${included}`);
});

/** Rows of all kinds of steps. */
function rows(roll: (sides: number) => number): Language {
  const step = (): Row => {
    const one = roll(9);
    if (one < 4) return literal(['a', 'b', '/'][roll(3)] ?? 'a');
    if (one === 4) return RUN;
    if (one === 5) return runWithout('/');
    if (one === 6) return ONE;
    return optional([...literal('/'), ...(one === 7 ? RUN : literal('a'))]);
  };
  return Array.from({ length: 1 + roll(2) }, () => Array.from({ length: 1 + roll(4) }, step).flat());
}

/** What a row means, written down once more in the slowest way. */
function means(row: Row, text: string): boolean {
  const source = (part: Row): string => {
    let result = '';
    for (let at = 0; at < part.length; at++) {
      const token = part[at];
      if (token?.kind === 'skip') {
        result += `(?:${source(part.slice(at + 1, at + 1 + token.count))})?`;
        at += token.count;
      } else if (token?.kind === 'character') result += `\\u{${token.code.toString(16)}}`;
      else if (token !== undefined)
        result += `${token.except < 0 ? '[^]' : `[^\\u{${token.except.toString(16)}}]`}${token.kind === 'run' ? '*' : ''}`;
    }
    return result;
  };
  return new RegExp(`^${source(row)}$`, 'u').test(text);
}

test('rows of every kind of step, against regular expressions', () => {
  const texts = allTexts(['a', 'b', '/'], 5);
  const roll = dice(7);
  let included = 0;
  for (let round = 0; round < 3_000; round++) {
    const [inner, outer] = [rows(roll), rows(roll)];
    const has = (language: Language, text: string) => language.some((row) => means(row, text));
    for (const text of [texts[roll(texts.length)] ?? '', exampleOf(inner)])
      assert.is(accepts(inner, text), has(inner, text), text);
    assert.ok(has(inner, exampleOf(inner)), 'an example is one');
    const found = inclusionOf(inner, outer);
    if (found.answer === 'unknown') continue;
    if (found.answer === 'included') {
      included++;
      for (const text of texts) if (has(inner, text)) assert.ok(has(outer, text), text);
    } else assert.ok(has(inner, found.witness) && !has(outer, found.witness), found.witness);
  }
  assert.ok(included > 200, `${included}`);
});

const facts: [outer: string, inner: string, effects: [Effect, Effect], covered: boolean, why: string][] = [
  ['git *', 'git log *', ['allow', 'allow'], true, 'more words behind the same ones'],
  ['git *', 'git reset *', ['allow', 'allow'], false, 'a subcommand that has to be written out'],
  ['git *', 'git push --force', ['allow', 'allow'], false, 'the same for an option'],
  ['npm run *', 'npm run test:unit', ['allow', 'allow'], true, 'a script'],
  ['./scripts/*', './scripts/build.sh', ['allow', 'allow'], true, 'a file of a folder'],
  ['./scripts/*', './scripts/ci/*', ['allow', 'allow'], true, 'a folder of a folder'],
  ['./scripts/*', './scripts/../evil.sh', ['allow', 'allow'], false, 'out of the folder again'],
  ['git * main', 'git push * main', ['deny', 'deny'], true, 'a wildcard inside'],
  ['git * main', 'git push *', ['deny', 'deny'], false, 'some of it only'],
  ['* --force', 'git push --force', ['deny', 'allow'], true, 'an ending'],
  ['* --force *', 'git push --force', ['deny', 'allow'], true, 'the star behind it needs no words'],
  ['git *', 'gitk', ['deny', 'allow'], false, 'another word with the same beginning'],
  ['git*', 'gitk *', ['deny', 'allow'], true, 'no boundary'],
  ['git push *', 'git *', ['deny', 'allow'], false, 'something is left'],
  ['echo "a b" *', 'echo "a b" c', ['deny', 'deny'], true, 'quotes'],
];

for (const [outer, inner, [outerEffect, innerEffect], covered, why] of facts)
  test(`${outerEffect} ${outer} ${covered ? 'covers' : 'does not cover'} ${innerEffect} ${inner}: ${why}`, () => {
    const coverage = new CommandCoverage<object>();
    coverage.add({ pattern: outer, effect: outerEffect }, {});
    assert.is(coverage.holderOf({ pattern: inner, effect: innerEffect }, {}) !== null, covered);
  });

test('2,000 rules of the same beginning are compared within a second', () => {
  const started = performance.now();
  for (const make of [
    (at: number) => `git log ${at} *`,
    (at: number) => `git * x${at} *`,
    (at: number) => `* ${at}`,
    (at: number) => `a*${at}*b`,
  ]) {
    const index = new LanguageIndex<number>();
    const languages = Array.from({ length: 2_000 }, (_, at) => meetingLanguage(make(at)));
    for (const [at, language] of languages.entries()) index.add(language, at);
    for (const [at, language] of languages.entries()) index.holderOf(language, at);
  }
  const took = (performance.now() - started) / 4;
  assert.ok(took < 1_000, `${Math.round(took)} ms`);
});

test('a question that is too large is not answered', () => {
  const wide: Language = [[...RUN, ...literal('a'), ...Array.from({ length: 40 }, () => ONE).flat()]];
  const other: Language = [[...RUN, ...literal('a'), ...Array.from({ length: 39 }, () => ONE).flat(), ...literal('b')]];
  assert.is(inclusionOf(other, [...wide, ...other], { left: 500 }).answer, 'unknown');
  assert.is(inclusionOf([literal('a'.repeat(20_000))], [RUN]).answer, 'unknown');
});

test.run();
