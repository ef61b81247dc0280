import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { globMatch, wildcardsMatchWords, wildcardsMeet } from '../../src/rule/pattern/wildcard.js';

interface GlobVector {
  readonly pattern: string;
  readonly text: string;
  readonly expect: boolean;
}

const vectors = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line.includes('"kind": "cmdglob"'))
  .map((line) => JSON.parse(line) as GlobVector);

for (const { pattern, text, expect } of vectors) {
  test(`vector: ${pattern} and ${text}`, () => {
    assert.is(globMatch(pattern, text), expect);
    assert.is(wildcardsMeet(pattern, [text]), expect);
  });
}

test('the vectors are there', () => {
  assert.is(vectors.length, 12);
});

const facts: [pattern: string, text: string, expected: boolean, why: string][] = [
  ['', '', true, 'nothing is nothing'],
  ['*', '', true, 'a star may be nothing'],
  ['?', '', false, 'one character is needed'],
  ['?', '😀', true, 'a pair of surrogates is one character'],
  ['??', '😀', false, 'and not two'],
  ['a*b*c', 'a1b2b3c', true, 'stars give back what they took'],
  ['git *', 'GIT status', false, 'case counts'],
  ['a[b]c', 'abc', false, 'brackets are literal'],
  ['{a,b}', 'a', false, 'braces are literal'],
  ['a\\*', 'a\\b', true, 'a backslash is literal'],
  ['*', 'a\nb', true, 'a star crosses lines'],
];
for (const [pattern, text, expected, why] of facts) {
  test(`${JSON.stringify(pattern)} and ${JSON.stringify(text)}: ${why}`, () => {
    assert.is(globMatch(pattern, text), expected);
  });
}

test('a question mark does not stand for the barrier', () => {
  assert.not(globMatch('git?status', 'git\u0000status', 0));
  assert.ok(globMatch('git*status', 'git\u0000status', 0));
});

test('a pattern that makes backtracking matchers hang is answered at once', () => {
  assert.not(globMatch('a*'.repeat(40).concat('b'), 'a'.repeat(20000)));
  assert.not(wildcardsMeet('a*'.repeat(40).concat('b'), ['a'.repeat(2000), 'c']));
});

const wordFacts: [pattern: string, words: (string | null)[], expected: boolean, why: string][] = [
  ['git push', ['git', null], true, 'the word may be push'],
  ['git', ['git', null], true, 'the word may be no word'],
  ['git push', ['git', null, 'push'], true, 'no word in the middle'],
  ['git push', ['git', null, 'pull'], false, 'the last word is certain'],
  ['gitk', ['git', null], false, 'an unknown word is not glued to a known one'],
  ['git push --force', ['git', null], true, 'one unknown word may be two'],
  ['rm *', [null, '-rf', '/'], true, 'the command is unknown'],
  ['rm *', [null], true, 'everything is unknown'],
  ['', [null], true, 'nothing at all'],
  ['rm *', ['ls', null], false, 'the command is certain'],
  ['a  b', ['a', '', 'b'], true, 'an empty word stands between two spaces'],
];
for (const [pattern, words, expected, why] of wordFacts) {
  test(`${pattern} and ${JSON.stringify(words)}: ${why}`, () => {
    assert.is(wildcardsMatchWords(pattern, words), expected);
  });
}

const HOLE = Symbol('hole');
type Item = string | typeof HOLE;

/** The meaning, written down directly: try everything. */
function naive(pattern: readonly string[], text: readonly Item[]): boolean {
  const [wanted, ...patternRest] = pattern;
  const [actual, ...textRest] = text;
  if (actual === HOLE) {
    return naive(pattern, textRest) || (wanted !== undefined && naive(patternRest, text));
  }
  if (wanted === undefined) return actual === undefined;
  if (wanted === '*') return naive(patternRest, text) || (actual !== undefined && naive(pattern, textRest));
  return actual !== undefined && (wanted === '?' || wanted === actual) && naive(patternRest, textRest);
}

const patterns = fc.array(fc.constantFrom('a', 'b', ' ', '*', '?', '😀'), { maxLength: 6 });
const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '*'), maxLength: 5 });

test('globMatch and wildcardsMeet agree with the naive reading', () => {
  fc.assert(
    fc.property(patterns, words, (pattern, text) => {
      const expected = naive(pattern, [...text]);
      assert.is(globMatch(pattern.join(''), text), expected);
      assert.is(wildcardsMeet(pattern.join(''), [text]), expected);
    }),
    { numRuns: 3000 },
  );
});

test('wildcardsMeet agrees with the naive reading of holes', () => {
  fc.assert(
    fc.property(patterns, fc.array(fc.option(words), { maxLength: 3 }), (pattern, parts) => {
      const items = parts.flatMap((part): Item[] => (part === null ? [HOLE] : [...part]));
      assert.is(wildcardsMeet(pattern.join(''), parts), naive(pattern, items));
    }),
    { numRuns: 1000 },
  );
});

/** Every way in which each unknown word is left out or stands for some text. */
function* readings(unknown: readonly (string | null)[]): Generator<Item[][]> {
  const [word, ...rest] = unknown;
  if (word === undefined) {
    yield [];
    return;
  }
  for (const tail of readings(rest)) {
    if (word === null) yield tail;
    yield [word === null ? [HOLE] : [...word], ...tail];
  }
}

test('wildcardsMeetWords agrees with trying every reading of the words', () => {
  const someWords = fc.array(fc.option(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 })), { maxLength: 4 });
  fc.assert(
    fc.property(patterns, someWords, (pattern, unknown) => {
      const expected = [...readings(unknown)].some((reading) =>
        naive(
          pattern,
          reading.flatMap((word, at): Item[] => (at === 0 ? word : [' ', ...word])),
        ),
      );
      assert.is(wildcardsMatchWords(pattern.join(''), unknown), expected);
    }),
    { numRuns: 1000 },
  );
});

test.run();
