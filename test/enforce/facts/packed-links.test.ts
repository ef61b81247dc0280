/** Links in installed packages and in `.git`, for those who are given their names. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { anyLeadsOutside, packedLinks } from '../../../src/enforce/facts/packed-links.js';
import { withFiles } from '../scratch.js';

const rows: readonly (readonly [string, Readonly<Record<string, string>>, string, readonly string[]])[] = [
  ['one that leads out', { 'p/node_modules/a/x': '-> ../../../out', out: '' }, 'p', ['p/node_modules/a/x']],
  ['one to a secret', { 'p/node_modules/x': '-> ../.env', 'p/.env': '' }, 'p', ['p/node_modules/x']],
  ['one to nowhere outside', { 'p/node_modules/x': '-> /nowhere/y' }, 'p', ['p/node_modules/x']],
  ['one in a folder further down', { 'p/a/b/node_modules/x': '-> /nowhere' }, 'p/a', ['p/a/b/node_modules/x']],
  ['one in the repository', { 'p/.git/x': '-> ../../out', out: '' }, 'p', ['p/.git/x']],
  ['one that stays in the project', { 'p/node_modules/.bin/x': '-> ../a/x.js', 'p/node_modules/a/x.js': '' }, 'p', []],
  ['one that secrets are sought behind elsewhere', { 'p/src/x': '-> ../../out', out: '' }, 'p', []],
  ['nothing', {}, 'p/nothing', []],
];
for (const [what, files, tree, expected] of rows)
  test(`links in packages: ${what}`, () => {
    withFiles({ 'p/': '', ...files }, (folder) =>
      assert.equal(
        packedLinks('/home/me', join(folder, 'p'))(join(folder, tree)),
        expected.map((path) => join(folder, path)),
      ),
    );
  });

test('links in packages: too many entries are not known, and the budget is shared', () => {
  withFiles({ 'a/1': '', 'a/2': '', 'b/1': '' }, (folder) => {
    const links = packedLinks('/home/me', folder, 2);
    assert.equal(links(join(folder, 'a')), []);
    assert.is(links(join(folder, 'b')), null);
  });
});

for (const [path, expected] of [
  ['in/plain.ts', false],
  ['in/missing.ts', false],
  ['gone/far/x.ts', false],
  ['in/plain.ts/x', false],
  ['in/near.ts', false],
  ['in/far.ts', true],
  ['in/secret.ts', true],
  ['in/.env', true],
  ['in/round.ts', true],
  ['near/plain.ts', false],
  ['far/a.ts', true],
  ['gone/.env', true],
] as const)
  test(`${path} ${expected ? 'leads astray' : 'leads nowhere else'}`, () => {
    const files = {
      'p/in/plain.ts': '',
      'p/in/.env': '',
      'p/in/near.ts': '-> plain.ts',
      'p/in/far.ts': '-> ../../out/a.ts',
      'p/in/secret.ts': '-> .env',
      'p/in/round.ts': '-> round.ts',
      'p/near': '-> in',
      'p/far': '-> ../out',
      'out/a.ts': '',
    };
    withFiles(files, (folder) => {
      const project = join(folder, 'p');
      const paths = ['in/plain.ts', path, 'in/plain.ts'].map((one) => join(project, one));
      assert.is(anyLeadsOutside(paths, '/home/me', project), expected);
    });
  });

test.run();
