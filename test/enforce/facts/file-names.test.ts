/** What names there are below a directory and in git's index, from real folders and indexes that git wrote. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { indexNames, treeNames } from '../../../src/enforce/facts/file-names.js';
import { withFiles } from '../scratch.js';

const HOME = '/home/me';

const trees: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  ['plain names', { 'src/a.ts': '', 'src/b/c-d_e.ts': '', 'src/@x/y.tsx': '', 'src/$a(1)!.ts': '' }, 'src', ''],
  ['a bracket', { 'src/@x/[id].tsx': '' }, 'src', 'wild'],
  ['a star', { 'src/.*/.*/etc/passwd': '' }, 'src', 'wild'],
  ['a question mark below', { 'src/a/?': '' }, 'src', 'wild'],
  ['a pattern of extglob', { 'src/a/@(x)': '' }, 'src', 'wild'],
  ['all of them', { 'src/-x': '', 'src/a b': '', 'src/*': '' }, 'src', 'odd,leading,wild'],
  ['a blank', { 'src/b/c d': '' }, 'src', 'odd'],
  ['a blank in front', { 'src/b/ c': '' }, 'src', 'odd,torn'],
  ['a blank in front of a folder', { 'src/ /etc/passwd': '' }, 'src', 'odd,torn'],
  ['a blank behind', { 'src/.env ': '' }, 'src', 'odd,torn'],
  ['a blank in a folder', { 'src/x /etc/passwd': '' }, 'src', 'odd,torn'],
  ['a tab', { 'src/a\tb': '' }, 'src', 'odd,torn'],
  ['a line end', { 'src/a\n/etc/passwd': '' }, 'src', 'odd,torn'],
  ['a quote', { "src/it's": '' }, 'src', 'odd'],
  ['quotes that would vanish from a way up', { 'src/.""./.""./x': '' }, 'src', 'odd,torn'],
  ['a backslash that would', { 'src/.\\./x': '' }, 'src', 'odd,torn'],
  ['a letter that some locale takes for a blank', { 'src/à': '' }, 'src', 'odd,torn'],
  ['installed packages count', { 'src/node_modules/x/a b': '' }, 'src', 'odd'],
  ['so does what is hidden', { 'src/.x/a b': '' }, 'src', 'odd'],
  ['a hyphen in front', { 'src/-x': '' }, 'src', 'leading'],
  ['a colon in front', { 'src/:x': '' }, 'src', 'leading'],
  ['a hyphen in front of a folder', { 'src/--pre=evil/x': '' }, 'src', 'leading'],
  ['further down it is no option', { 'src/a/-x': '' }, 'src', ''],
  ['a link is its name, and is not followed', { 'src/l': '-> ../other', 'other/a b': '' }, 'src', ''],
  ['a starting point that is a link', { src: '-> other', 'other/a b': '' }, 'src', 'odd'],
  ['a file', { src: 'x' }, 'src', ''],
  ['nothing', {}, 'src', ''],
];
for (const [what, files, tree, expected] of trees) {
  test(`tree: ${what}`, () => {
    withFiles(files, (folder) => {
      const facts = treeNames()(join(folder, tree));
      assert.is(
        [facts?.odd && 'odd', facts?.torn && 'torn', facts?.leading && 'leading', facts?.wild && 'wild'].filter(Boolean).join(),
        expected,
      );
    });
  });
}

test('tree: too many entries are not known, and the budget is shared', () => {
  withFiles({ 'a/1': '', 'a/2': '', 'b/1': '' }, (folder) => {
    const names = treeNames(2);
    assert.is.not(names(join(folder, 'a')), null);
    assert.is(names(join(folder, 'b')), null);
  });
});

function git(folder: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', [...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  });
  assert.is(status, 0, stderr);
}

/** The facts of an index that git wrote from these files, which may be gone since. */
function indexed(files: Readonly<Record<string, string>>, version: string, from = '', more: (folder: string) => void = () => {}) {
  return withFiles(files, (folder) => {
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'update-index', '--index-version', version);
    more(folder);
    return indexNames(join(folder, from), HOME);
  });
}

const MANY = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`src/folder${at % 7}/some-file-${at}.ts`, '']));
for (const version of ['2', '3', '4']) {
  for (const [what, files, expected] of [
    ['plain names', MANY, ''],
    ['nothing', {}, ''],
    ['a blank', { ...MANY, 'src/folder3/a b.ts': '' }, 'odd'],
    ['a blank last', { ...MANY, 'z z': '' }, 'odd'],
    ['a blank that is in front as seen from a folder', { ...MANY, 'src/ /etc/passwd': '' }, 'odd,torn'],
    ['a blank behind', { ...MANY, 'src/.env ': '' }, 'odd,torn'],
    ['a backslash', { ...MANY, 'src/.\\./x': '' }, 'odd,torn'],
    ['a hyphen in front', { ...MANY, '-x': '' }, 'leading'],
    ['a hyphen that is in front as seen from a folder', { ...MANY, 'src/-x': '' }, 'leading'],
    ['a quote', { ...MANY, 'src/"': '' }, 'odd,torn'],
    ['a bracket', { ...MANY, '.[e]nv': '' }, 'wild'],
    ['a star', { ...MANY, 'src/*': '' }, 'wild'],
  ] as const) {
    test(`index of version ${version}: ${what}`, () => {
      const facts = indexed(files, version);
      assert.is(
        [facts?.odd && 'odd', facts?.torn && 'torn', facts?.leading && 'leading', facts?.wild && 'wild'].filter(Boolean).join(),
        expected,
      );
      assert.is(facts?.top, true);
    });
  }
}

test('index: names of files that are gone are found', () => {
  assert.is(indexed({ 'a b': '', c: '' }, '2', '', (folder) => rmSync(join(folder, 'a b')))?.odd, true);
});
test('index: an entry with extended flags', () => {
  assert.is(indexed({ 'a b': '', c: '' }, '3', '', (folder) => git(folder, 'update-index', '--skip-worktree', 'c'))?.odd, true);
});
test('index: a folder is not the top', () => assert.is(indexed({ 'src/x': '' }, '2', 'src')?.top, false));
test('index: one that is split over two files', () => {
  assert.is(indexed({ 'a b': '' }, '2', '', (folder) => git(folder, 'update-index', '--split-index'))?.odd, true);
});
test('index: folders that stand for files do not tell their names', () => {
  const facts = (...more: readonly string[]) =>
    indexed({ 'a/x': '', 'b/y': '' }, '2', '', (folder) => {
      git(folder, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
      git(folder, 'sparse-checkout', 'init', '--cone', ...more);
      git(folder, 'sparse-checkout', 'set', 'a');
    });
  assert.is(facts()?.odd, false);
  assert.is(facts('--sparse-index'), null);
});
for (const [what, setting, isKnown] of [
  ['one that tells threads where its entries lie', 'index.threads=2', true],
  ['one that is read in one go', 'index.threads=1', true],
  ['one of a repository that says it has SHA-1', 'extensions.objectFormat=sha1', true],
  ['one of a repository with SHA-256, where the same bytes are other names', 'extensions.objectFormat=sha256', false],
] as const)
  test(`index: ${what}`, () => {
    const facts = indexed({ 'a b': '' }, '4', '', (folder) => {
      const [key = '', value = ''] = setting.split('=');
      if (key.startsWith('ext')) git(folder, 'config', 'core.repositoryFormatVersion', '1');
      git(folder, 'config', key, value);
      if (key === 'index.threads') git(folder, 'update-index', '--index-version', '2');
    });
    assert.is(facts !== null, isKnown);
  });
for (const [extension, isKnown] of [
  ['UNTR', true],
  ['EOIE', false],
  ['IEOT', false],
  ['ABCD', false],
] as const)
  test(`index: one with the extension ${extension}`, () =>
    withFiles({ a: '' }, (folder) => {
      git(folder, 'init', '-q');
      git(folder, 'add', '-A');
      const file = join(folder, '.git/index');
      const bytes = readFileSync(file);
      const added = Buffer.concat([Buffer.from(extension), Buffer.alloc(4)]);
      writeFileSync(file, Buffer.concat([bytes.subarray(0, -20), added, bytes.subarray(-20)]));
      assert.is(indexNames(folder, HOME) !== null, isKnown);
    }));
test('index: outside of any repository there are no names', () => {
  withFiles({ 'a b': '' }, (folder) => assert.is(indexNames(folder, HOME)?.odd, false));
});

test('index: whatever is damaged is not known, or says what git would', () => {
  withFiles({ 'a b': '', 'src/c': '' }, (folder) => {
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    const file = join(folder, '.git/index');
    const bytes = readFileSync(file);
    for (let length = 1; length < bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length));
      assert.is(indexNames(folder, HOME), null, `cut off at ${length}`);
    }
    for (let at = 0; at < bytes.length - 20; at += 1) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      writeFileSync(file, broken);
      assert.not.throws(() => indexNames(folder, HOME), `changed at ${at}`);
    }
  });
});

for (const [what, files, expected] of [
  ['no secrets', MANY, false],
  ['a secret', { ...MANY, 'src/.env': '' }, true],
  ['a secret in a folder with letters of more than one byte', { 'ü/.env': '' }, true],
  ['submodules, which may hold any', { '.gitmodules': '' }, true],
] as const)
  test(`index: ${what}`, () => assert.is(indexed(files, '2')?.secret, expected));

test('index: another repository is in it, whose file of submodules may lie anywhere', () =>
  assert.is(
    indexed({ 'a b': '' }, '2', '', (folder) =>
      git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`),
    )?.secret,
    true,
  ));

test('index: outside of repositories nobody can say what git would search', () =>
  withFiles({ a: '' }, (folder) => assert.is(indexNames(folder, HOME)?.secret, undefined)));

for (const [what, files, expected] of [
  ['plain names', MANY, false],
  ['installed packages', { ...MANY, 'node_modules/a/b.ts': '', 'node_modules/a/c.ts': '-> b.ts' }, false],
  ['a link in installed packages to a secret', { '.env': '', 'node_modules/a/c.ts': '-> ../../.env' }, true],
  ['a link in installed packages that leads out', { 'node_modules/a/c.ts': '-> ../../../x' }, true],
  ['a link elsewhere, which the tree tells of', { 'src/c.ts': '-> ../../x' }, false],
] as const)
  test(`index: astray: ${what}`, () => assert.is(indexed(files, '2')?.astray, expected));

for (const [name, expected] of [
  ['ab/x.ts', false],
  ['..a/x.t', false],
  ['../x.ts', true],
  ['a/../x1', true],
  ['/etc/xx', true],
  ['.git/xx', true],
  ['.GIT/xx', true],
  ['a/.git/', true],
] as const)
  test(`index: a name that git would not put there: ${name}`, () =>
    withFiles({ aaaaaaa: '' }, (folder) => {
      git(folder, 'init', '-q');
      git(folder, 'add', '-A');
      const file = join(folder, '.git/index');
      const bytes = readFileSync(file);
      bytes.write(name, bytes.indexOf('aaaaaaa'), 'latin1');
      writeFileSync(file, bytes);
      assert.is(indexNames(folder, HOME)?.astray, expected);
    }));

test.run();
