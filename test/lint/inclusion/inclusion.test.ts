// "This rule covers that one" against brute force: every short line, under either rule alone. `npm run inclusion` compares 240,000 pairs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seed } from '../../seed.js';
import { type Compared, compareWithBruteForce } from './compare.js';
import { ALPHABETS, linesOf, patternsOf, randomFrom } from './patterns.js';
import { type Judge, OF_CLAUDE, OF_POLICY, readLine } from './world.js';

const test = suite('inclusion against brute force');

for (const [name, system, patterns] of [
  ['a policy', OF_POLICY, 18],
  ["Claude Code's settings", OF_CLAUDE, 30],
] as const)
  test(`rules of ${name}`, () => {
    const wanted = { system, length: 4, patterns, pairs: 600, seed };
    const all = ALPHABETS.map((alphabet) => compareWithBruteForce({ ...wanted, alphabet }));
    const sum = (count: (one: Compared) => number) => all.reduce((total, one) => total + count(one), 0);
    assert.equal(
      all.flatMap(({ wrong }) => wrong),
      [],
    );
    const [pairs, included] = [sum((one) => one.pairs), sum((one) => one.included)];
    assert.ok(pairs > 400, `${pairs} pairs`);
    assert.ok(included > 0.05 * pairs && included < 0.8 * pairs, `${included} of ${pairs}`);
    assert.ok(sum((one) => one.found) > 20 && sum((one) => one.examples) > 10, JSON.stringify(all));
  });

function judged(judge: Judge | null): Judge {
  if (judge === null) throw new Error('no rule');
  return judge;
}

test('patterns have every form', () => {
  const texts = ALPHABETS.flatMap((alphabet) => patternsOf(alphabet, 200, randomFrom(1)));
  for (const form of [/:\*$/, /[ab]\*$/, / \*$/, /^\* /, /"a b"/, /nohup /, /\?$/, /[^* ]\* /])
    assert.ok(texts.filter((text) => form.test(text)).length > 5, String(form));
  assert.is(new Set(linesOf(ALPHABETS[0], 6)).size, 5461);
});

test('a rule that covers less is told apart, and one that writes out an option is not said to be covered by more words', () => {
  const judge = (effect: 'allow' | 'ask' | 'deny', pattern: string) => judged(OF_POLICY(effect, pattern));
  const covers = (outer: ReturnType<typeof judge>, inner: ReturnType<typeof judge>) => outer.covers(inner) !== null;
  assert.ok(covers(judge('deny', 'rm *'), judge('deny', 'rm -rf *')));
  assert.ok(covers(judge('deny', 'git push *'), judge('ask', 'git push -f')));
  assert.ok(covers(judge('deny', 'git -f'), judge('ask', 'git -f')));
  // `-f` may stand anywhere behind the command's name; how far the wider rule follows it there is not said.
  assert.not.ok(covers(judge('deny', 'x a b *'), judge('deny', 'x a b -f')));
  assert.ok(judge('deny', 'x a b -f').decides(readLine('x a -f b')) && judge('deny', 'x a b *').decides(readLine('x a -f b')));
  // What would have to be written out is not known of a command that may be any.
  assert.not.ok(covers(judge('allow', '* * *'), judge('allow', '* push -f')));
});

test.run();
