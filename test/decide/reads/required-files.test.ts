/** `node -p "require('./a.json').x"`: node runs what a link leads to unless that is JSON, too. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const LINE = `node -p "require('./a.json').version"`;
const rows: readonly (readonly [string, Readonly<Record<string, string>>, 'allow' | 'ask'])[] = [
  ['a file', {}, 'allow'],
  ['a link to JSON', { '/repo/a.json': '/repo/src/b.json' }, 'allow'],
  ['a link to a program', { '/repo/a.json': '/repo/src/evil.js' }, 'ask'],
  ['a link to a file without an ending', { '/repo/a.json': '/repo/src/json' }, 'ask'],
  ['a link out of the project', { '/repo/a.json': '/etc/b.json' }, 'ask'],
];
for (const [what, links, expected] of rows)
  test(`node -p with ${what}`, () => assert.is(decideIn({ preset: 'safe', links }, 'Bash', LINE).decision, expected));

test('node -p with no file: a folder or a program of a longer name may stand there', () =>
  assert.is(decideIn({ preset: 'safe', missing: ['a.json'] }, 'Bash', LINE).decision, 'ask'));

test('a program that is only compiled may be a link of another name', () =>
  assert.is(
    decideIn({ preset: 'safe', links: { '/repo/a.js': '/repo/src/b.mjs' } }, 'Bash', 'node --check a.js').decision,
    'allow',
  ));

test.run();
