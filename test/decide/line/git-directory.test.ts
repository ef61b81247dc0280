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

const REDIRECTED: readonly (readonly [line: string, decision: string, why: string])[] = [
  ['git -C src log >src/out.txt', 'allow', 'the shell opens the file, in its own folder'],
  ['git -C src log >out.txt', 'deny', 'not src/out.txt'],
  ['git -C src log &>out.txt', 'deny', 'both streams'],
  ['git -C src log 2>out.txt >src/out.txt', 'deny', 'one of two'],
  ['git -C src log >../out.txt', 'ask', 'outside the project'],
  ['git -C src log <keys.txt', 'deny', 'reading too'],
  ['git -C src log >src/out.txt 2>&1', 'allow', 'a copy of a descriptor is no file'],
  ['git -C src clean -f >src/out.txt', 'ask', 'the command itself is judged too'],
  ['git -C /elsewhere log >src/out.txt', 'ask', 'and where it works'],
  ['env git -C src log >out.txt', 'deny', 'behind a wrapper'],
  ['cd src && git -C sub log >out.txt', 'allow', 'the folder of the shell is src'],
  ['cd src && git -C .. log >../out.txt', 'deny', 'and back'],
];
for (const [line, decision, why] of REDIRECTED)
  test(`${line}: ${decision}, ${why}`, () => {
    const world = { preset: 'safe', deny: ['Edit(/out.txt)', 'Read(/keys.txt)'] } as const;
    assert.is(decideIn(world, 'Bash', line).decision, decision);
  });

test.run();
