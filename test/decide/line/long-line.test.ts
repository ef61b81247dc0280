/** A line that is too much to be read to its end is allowed by nothing, not even by a rule that covers every command. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const TOO_MUCH: readonly (readonly [why: string, line: string])[] = [
  ['more commands than are judged', `${'ls; '.repeat(1000)}rm -rf x`],
  ['more inner words than are judged', `find . ${'-exec find . '.repeat(4000)}`],
  ['more expansions than are read', `${'echo "$('.repeat(3000)}rm x`],
  ['more evaluated texts in each other than are read', `${'eval '.repeat(20)}rm x`],
];
for (const [why, line] of TOO_MUCH) {
  test(`${why}: a rule for every command does not cover it`, () => {
    assert.is(decideIn({ allow: ['Bash(*)'], deny: ['Bash(rm *)'] }, 'Bash', line).decision === 'allow', false);
    assert.is.not(decideIn({ preset: 'all' }, 'Bash', line).decision, 'allow');
  });
}

test('ten thousand redirections of one command are each held against the rules', () => {
  const line = (last: string) => `cat a.txt ${'>b '.repeat(10_000)}${last}`;
  assert.is(decideIn({ preset: 'safe' }, 'Bash', line('> c')).decision, 'allow');
  assert.is(decideIn({ preset: 'safe' }, 'Bash', line('> .git/config')).decision, 'deny');
  assert.is(decideIn({ preset: 'safe' }, 'Bash', line('> ../c')).decision, 'ask');
});

const MANY: readonly (readonly [why: string, line: string])[] = [
  ['options that no grammar knows', Array.from({ length: 5_000 }, (_, at) => `--x${at}`).join(' ')],
  ['globs', '* '.repeat(30_000)],
];
for (const [why, words] of MANY)
  test(`thousands of ${why}: no reason is given twice`, () => {
    const { decision, reasons } = decideIn({ preset: 'safe' }, 'Bash', `tar cf x.tar ${words}`);
    assert.is.not(decision, 'allow');
    assert.is(new Set(reasons.map(({ code, message }) => `${code} ${message}`)).size, reasons.length);
  });

test.run();
