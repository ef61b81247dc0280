/** `git -C DIR`: what the reasons say of DIR, however many there are. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const REASONS: readonly (readonly [line: string, message: string, why: string])[] = [
  ['git -C /elsewhere status', '/elsewhere is not known to lie inside the project', 'the folder, not its "."'],
  ['git -C ../x log', '/x is not known to lie inside the project', 'as seen from where the call is made'],
  ['git -C /a -C b status', '/a/b is not known to lie inside the project', 'one step after the other'],
  ['cd /elsewhere && git status .', '/elsewhere is not known to lie inside the project', 'the same behind cd'],
];
for (const [line, message, why] of REASONS)
  test(`${line}: ${why}`, () => {
    const links = { '/elsewhere': '/elsewhere', '/x': '/x', '/a/b': '/a/b' };
    const { decision, reasons } = decideIn({ preset: 'safe', links }, 'Bash', line);
    assert.is(decision, 'ask');
    assert.ok(
      reasons.some((reason) => reason.message.endsWith(message)),
      JSON.stringify(reasons),
    );
  });

test('twenty thousand folders are followed one after the other', () => {
  const line = (last: string) => `git${' -C .'.repeat(10_000)} -C ${last} status`;
  assert.is(decideIn({ preset: 'safe' }, 'Bash', line('src')).decision, 'allow');
  assert.is(decideIn({ preset: 'safe' }, 'Bash', line('/elsewhere')).decision, 'ask');
});

test('a folder deeper than any path is long is not known', () => {
  assert.is(decideIn({ preset: 'safe' }, 'Bash', `git${' -C d'.repeat(13_000)} status`).decision, 'ask');
  assert.is(decideIn({ preset: 'safe' }, 'Bash', `${'cd d && '.repeat(900)}git status`).decision, 'ask');
  const wiping = `cd ${'d/'.repeat(5_000)} && cd / && rm -rf *`;
  assert.is(decideIn({ allow: ['Bash(*)'] }, 'Bash', wiping).decision, 'deny', 'from there an absolute path leads back');
});

test.run();
