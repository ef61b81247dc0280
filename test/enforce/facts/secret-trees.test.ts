/** Secrets that a reader of a whole tree meets, also behind links; and what the walk may cost. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { secretTreeReader } from '../../../src/enforce/facts/secret-trees.js';
import { withFiles } from '../scratch.js';

const rows: readonly (readonly [string, Readonly<Record<string, string>>, string, readonly string[]])[] = [
  ['a link to a secret', { 'src/notes.txt': '-> ../.env', '.env': '' }, 'src', ['src/notes.txt']],
  ['a link out of the project', { 'p/src/l': '-> ../../other', 'other/a': '' }, 'p/src', ['p/src/l']],
  ['a link to a file elsewhere in the project', { 'p/src/l': '-> ../a.txt', 'p/a.txt': '' }, 'p/src', []],
  ['a dangling link out of the project', { 'p/src/l': '-> /nowhere/x' }, 'p/src', ['p/src/l']],
  ['a link in a loop', { 'p/src/l': '-> l' }, 'p/src', ['p/src/l']],
  [
    'a folder link to secrets elsewhere in the project',
    { 'p/src/l': '-> ../tls', 'p/tls/x/server.pem': 'x key\n' },
    'p/src',
    ['p/src/l'],
  ],
  ['folder links one behind another', { 'p/src/l': '-> ../b', 'p/b/m': '-> ../c', 'p/c/.env': '' }, 'p/src', ['p/src/l']],
  ['a folder link to plain files', { 'p/src/l': '-> ../b', 'p/b/a.txt': '' }, 'p/src', []],
  ['a folder link upwards', { 'p/src/l': '-> ..', 'p/a.txt': '' }, 'p/src', []],
  [
    'installed packages behind a link of the same name',
    { 'p/node_modules': '-> ../q/node_modules', 'q/node_modules/': '' },
    'p',
    [],
  ],
  [
    'another folder behind a link named like installed packages',
    { 'p/node_modules': '-> ../q', 'q/a': '' },
    'p',
    ['p/node_modules'],
  ],
  ['the tree itself is a link', { 'p/l': '-> src', 'p/src/.env': '' }, 'p/l', ['p/l/.env']],
];

for (const [why, files, tree, expected] of rows) {
  test(`secrets below a folder: ${why}`, () => {
    withFiles({ 'p/': '', ...files }, (folder) => {
      const project = tree.startsWith('p') ? join(folder, 'p') : folder;
      assert.equal(
        secretTreeReader('/home/me', project)(join(folder, tree)),
        expected.map((path) => join(folder, path)),
      );
    });
  });
}

test('a tree outside the project is its own boundary', () => {
  withFiles({ 'p/': '', 'other/l': '-> ../third', 'other/in': '-> a.txt', 'other/a.txt': '', 'third/': '' }, (folder) =>
    assert.equal(secretTreeReader('/home/me', join(folder, 'p'))(join(folder, 'other')), [join(folder, 'other/l')]),
  );
});

test('one budget for all trees; a tree under another name, or within one that was walked, costs nothing', () => {
  const files = { 'a/x/1': '', 'a/x/2': '', l: '-> a', 'b/1': '', 'empty/': '' };
  withFiles(files, (folder) => {
    const below = secretTreeReader('/home/me', folder, 3);
    for (const tree of ['a', 'l', 'a/.', 'a/x', 'l/x']) assert.equal(below(join(folder, tree)), [], tree);
    assert.equal(below(join(folder, 'empty')), []);
    assert.is(below(join(folder, 'b')), null);
    assert.equal(below(join(folder, 'a')), []);
  });
});

test.run();
