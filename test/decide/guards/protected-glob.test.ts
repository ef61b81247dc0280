/** Which protected paths a glob may stand for by its text alone, where nobody can look. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { protectedGlob } from '../../../src/decide/place/protected-glob.js';
import { decideIn } from '../world.js';

const PLACES = { home: '/home/me', ownDirectories: ['/srv/state/policy'] };

const ROWS: readonly (readonly [glob: string, pattern: string | null, why: string])[] = [
  ['/p/*', 'node_modules', 'any name'],
  ['/p/*.yaml', 'policy.yaml', ''],
  ['/p/*.o', null, 'an ending that nothing protected has'],
  ['/home/me/.b*c', '~/.bashrc', 'in the home'],
  ['/home/me/.CON*/Policy/x', '~/.config/policy', 'below a folder of the home, in any case'],
  ['/home/m*e/.bashrc', '~/.bashrc', 'the home itself by a wildcard'],
  ['/home/you/.b*c', null, 'in another home'],
  ['/et?/polic?', '/etc/policy', 'from the root'],
  ['/p/**/x.o', 'node_modules', 'one of any number of folders'],
  ['/srv/s*e/policy/log/x', '/srv/state/policy', 'in a folder of our own'],
  ['/srv/state/policy/log/*', '/srv/state/policy', 'by what is certain of it'],
];

for (const [glob, pattern, why] of ROWS)
  test(`${glob}: ${why}`, () => assert.is(protectedGlob(glob, PLACES, false, false)?.pattern ?? null, pattern));

test('what is deleted takes along what is below', () => {
  assert.is(protectedGlob('/home/me/.co*g', PLACES, false, true)?.effect, 'deny');
  assert.is(protectedGlob('/home/me/.co*g', PLACES, false, false), null);
});

test('what was looked up need not be guessed from wildcards alone', () => {
  assert.is(protectedGlob('/p/build/*', PLACES, true, true), null);
  assert.is(protectedGlob('/p/build/.[a-z]*', PLACES, true, true), null);
  assert.is(protectedGlob('/p/cover*', PLACES, true, true), null);
  assert.is(protectedGlob('/p/.g*', PLACES, true, true)?.pattern, '.git');
});

test('a denial says that the pattern may stand for it, and what to do', () =>
  assert.is(
    decideIn({ allow: ['Bash(*)'] }, 'Bash', 'rm -rf .g*').message,
    'deleting .g* is blocked: .git is protected, and the pattern may match it; write a narrower pattern, or the names',
  ));

test.run();
