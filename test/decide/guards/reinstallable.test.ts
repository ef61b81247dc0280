/** Installed packages and locks of git: writes to them are denied, taking them away asks, and a rule that names them settles it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = {
  preset: 'safe',
  policy: { default: 'ask' },
  // What patterns of these tests stand for on the disk.
  facts: {
    globs: {
      '/repo/packages/*/node_modules': ['/repo/packages/a/node_modules'],
      '/repo/node_modules/*': ['/repo/node_modules/a'],
      '/repo/.git/*': ['/repo/.git/config'],
    },
  },
};
const answer = (line: string, world: World = SAFE) => decideIn(world, 'Bash', line).decision;

const ROWS: readonly (readonly [line: string, said: 'ask' | 'deny'])[] = [
  ['rm -rf node_modules', 'ask'],
  ['rm -rf app node_modules pnpm-lock.yaml', 'ask'],
  ['cd web && rm -rf .next && rm -rf node_modules/.cache', 'ask'],
  ['rm -rf packages/*/node_modules', 'ask'],
  ['rm -rf node_modules/*', 'ask'],
  ['mv node_modules /tmp/old', 'ask'],
  ['rm .git/index.lock', 'ask'],
  ['rm -f .git/refs/heads/x.lock .git/HEAD.lock', 'ask'],
  ['rm -f .git/*.lock', 'ask'],
  // Everything else about them.
  ['cp x node_modules/a/index.js', 'deny'],
  ['mv x node_modules', 'deny'],
  ['ln -s /tmp/x node_modules', 'deny'],
  ['echo x > node_modules/.bin/tsc', 'deny'],
  ['touch .git/index.lock', 'deny'],
  ['mv x .git/index.lock', 'deny'],
  ['rm -rf .git', 'deny'],
  ['rm .git/config', 'deny'],
  ['rm .git/lock', 'deny'],
  ['rm -rf .git/hooks', 'deny'],
  ['rm -rf .git/*', 'deny'],
  ['rm -rf node_modules/../.git', 'deny'],
  ['rm -rf node_modules .git', 'deny'],
  ['rm -rf .git/node_modules', 'deny'],
  ['rm -rf ~/.claude/local/node_modules', 'deny'],
  ['rm -rf ~/.claude/*/node_modules', 'deny'],
  ['rm -rf .husky', 'deny'],
];
for (const [line, said] of ROWS) test(`${line}: ${said}`, () => assert.is(answer(line), said));

test('a link to something protected is not what its name says', () => {
  const links = { '/repo/node_modules/x': '/home/me/.ssh', '/repo/a/node_modules': '/repo/.git' };
  assert.is(answer('rm -rf node_modules/x', { ...SAFE, links }), 'deny');
  assert.is(answer('rm -rf a/node_modules', { ...SAFE, links }), 'deny');
});

test('a rule settles it that names it, and no wildcard does', () => {
  const under = (rule: string, line: string) => answer(line, { ...SAFE, allow: [rule] });
  assert.is(under('Bash(rm -rf node_modules)', 'rm -rf node_modules'), 'allow');
  assert.is(under('Bash(rm -rf node_modules *)', 'rm -rf node_modules dist'), 'allow');
  assert.is(under('Bash(rm .git/index.lock)', 'rm .git/index.lock'), 'allow');
  assert.is(under('Bash(rm *)', 'rm -rf node_modules'), 'ask');
  assert.is(under('Bash(rm -rf node_modules *)', 'rm -rf node_modules .git'), 'deny');
  assert.is(under('Bash(rm *)', 'rm .git/index.lock'), 'ask');
});

test('the tools that edit files take nothing away there', () => {
  const patch = '*** Begin Patch\n*** Delete File: node_modules/a/index.js\n*** End Patch';
  assert.is(decideIn(SAFE, 'ApplyPatch', { patch }).decision, 'deny');
  assert.is(decideIn(SAFE, 'Write', 'node_modules/a/index.js').decision, 'deny');
});

test('a pattern that may stand for a protected file, but does not, asks', () => {
  const facts = (listed: readonly string[]) => ({ facts: { globs: { '/repo/src/*.json': listed } } });
  assert.is(answer('rm src/*.json', { ...SAFE, ...facts(['/repo/src/a.json']) }), 'ask');
  assert.is(answer('rm src/*.json', { ...SAFE, ...facts(['/repo/src/a.json', '/repo/src/policy.json']) }), 'deny');
  assert.is(answer('rm src/*.json'), 'deny', 'nobody looked');
});

test.run();
