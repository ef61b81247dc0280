/** Which patterns of files of ignored names take in what a search passes over, from real folders. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inclusionReader } from '../../../src/enforce/facts/ignore-patterns.js';
import { withFiles } from '../scratch.js';

/** What is taken in where `work/src/.env` is the secret of `work`, beside these files. */
function takenIn(files: Readonly<Record<string, string>>, more: (folder: string) => void = () => {}): readonly string[] | null {
  return withFiles({ 'work/src/.env': '', ...files }, (folder) => {
    more(folder);
    const tree = join(folder, 'work');
    const trees = { [tree]: [join(tree, 'src/.env')] };
    return inclusionReader(trees, { home: join(folder, 'home'), environment: { XDG_CONFIG_HOME: join(folder, 'xdg') } })(tree);
  });
}

const rows: readonly (readonly [what: string, files: Readonly<Record<string, string>>, expected: readonly string[]])[] = [
  ['nothing', {}, []],
  ['names that are left out', { 'work/.gitignore': '.env\n.env.*\n# !.env\n' }, []],
  ['an example', { 'work/.gitignore': '.env*\n!.env.example\n' }, ['.env.example']],
  ['a file', { 'work/.ignore': '!.env\n' }, ['.env']],
  ['lines of Windows', { 'work/.ignore': '*\r\n!.env\r\n' }, ['.env']],
  ['by its path', { 'work/.rgignore': '!/src/.env\n' }, ['.env']],
  ['a folder', { 'work/.gitignore': '!.github/\n' }, ['.github']],
  ['all of a folder', { 'work/.gitignore': '!src/**\n' }, ['**']],
  ['behind a backslash', { 'work/.gitignore': '!\\.env\n' }, ['*']],
  ['one of several names', { 'work/.gitignore': '!.e{nv,x}\n' }, ['*']],
  ['one of several paths', { 'work/.gitignore': '!{src/.env,x}\n' }, ['*']],
  ['a list with a slash', { 'work/.gitignore': '![--/]env\n' }, ['*']],
  ['a list with a bracket and a slash', { 'work/.gitignore': '![]/.]env\n' }, ['*']],
  ['a list in front of a slash', { 'work/.gitignore': '!**/[Pp]ackages/build/\n' }, ['build']],
  ['in the folder of the secret', { 'work/src/.ignore': '!.env\n' }, ['.env']],
  ['above the tree', { '.ignore': '!.env\n' }, ['.env']],
  ["in a folder beside it, which is nobody's concern", { 'work/docs/.ignore': '!.env\n' }, []],
  [
    "the repository's own",
    { 'work/.git/HEAD': '', 'work/.git/objects/x': '', 'work/.git/refs/x': '', 'work/.git/info/exclude': '!.env\n' },
    ['.env'],
  ],
  ["the user's", { 'xdg/git/ignore': '!.env\n' }, ['.env']],
  ["the user's at its other place", { 'home/.config/git/ignore': '!.env\n' }, ['.env']],
  ['where the settings say', { 'home/.gitconfig': '[core]\n\texcludesFile = ~/mine\n', 'home/mine': '!.env\n' }, ['.env']],
];
for (const [what, files, expected] of rows) test(what, () => assert.equal(takenIn(files), expected));

test('settings that name a file in another way, and files that cannot be read, tell nothing', () => {
  assert.is(takenIn({ 'home/.gitconfig': '[core]\n\texcludesFile = mine\n' }), null);
  assert.is(takenIn({ 'work/.gitignore': `${'x'.repeat(1024)}\n`.repeat(1100) }), null);
});

test('a folder of that name is no file', () => {
  assert.equal(
    takenIn({}, (folder) => mkdirSync(join(folder, 'work/.ignore'))),
    [],
  );
});

test('nobody asks about a tree without secrets, or one that is too large', () => {
  const read = inclusionReader({ '/none': [], '/large': null }, { home: '/home/me', environment: {} });
  assert.equal(read('/none'), []);
  assert.is(read('/large'), null);
  assert.is(read('/other'), null);
});

test.run();
