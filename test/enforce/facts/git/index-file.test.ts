/** The shapes of index that git writes into large repositories are read for other repositories, and doubts are not read over. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readIndex } from '../../../../src/disk/git/index-file.js';
import { surelyHasNoLinks } from '../../../../src/disk/git/index-links.js';
import { gitFacts } from '../../../../src/disk/git/repository.js';
import { withFiles } from '../../scratch.js';

const UNKNOWN = 'index that cannot be read';

function git(folder: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    stdio: 'pipe',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

const FILES = Object.fromEntries(
  [
    'apps/a/x.ts',
    'apps/a/y.ts',
    'apps/b/x.ts',
    'libs/c/deep/z.ts',
    'README.md',
    ...Array.from({ length: 40 }, (_, at) => `d${at}`),
  ].map((name) => [name, name]),
);

/** A repository that git makes of those files, with another one in it that runs a program, which the index does not know yet. */
function withRepository(use: (folder: string) => void, ...init: readonly string[]): void {
  withFiles(FILES, (folder) => {
    git(folder, 'init', '-q', ...init);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'x');
    use(folder);
  });
}

function addRepository(folder: string, path: string, ...init: readonly string[]): void {
  git(folder, 'init', '-q', ...init, path);
  git(join(folder, path), 'commit', '-qm', 'x', '--allow-empty');
  git(join(folder, path), 'config', 'core.fsmonitor', 'evil');
  git(folder, 'add', path);
}

const keys = (folder: string) => gitFacts(folder, [], folder)?.hazards.map(({ key }) => key);
const indexOf = (folder: string) => join(folder, '.git', 'index');

const SPARSE = ['sparse-checkout', 'init', '--cone', '--sparse-index'];
const shapes: readonly (readonly [string, readonly string[], readonly (readonly string[])[]])[] = [
  ['SHA-256', ['--object-format=sha256'], []],
  ['version 4', [], [['update-index', '--index-version', '4']]],
  [
    'places for threads',
    [],
    [
      ['config', 'index.threads', '4'],
      ['update-index', '--force-write-index'],
    ],
  ],
  ['a split index', [], [['update-index', '--split-index']]],
  [
    'a split index of version 4',
    [],
    [
      ['update-index', '--index-version', '4'],
      ['update-index', '--split-index'],
    ],
  ],
  ['a split index and SHA-256', ['--object-format=sha256'], [['update-index', '--split-index']]],
  ['a sparse index', [], [SPARSE, ['sparse-checkout', 'set', 'apps/a']]],
  ['a sparse index and SHA-256', ['--object-format=sha256'], [SPARSE, ['sparse-checkout', 'set', 'apps/a']]],
  [
    'what scalar sets up',
    [],
    [
      ['config', 'index.threads', 'true'],
      ['config', 'index.version', '4'],
      ['config', 'core.untrackedCache', 'true'],
      SPARSE,
      ['sparse-checkout', 'set', 'apps/a'],
    ],
  ],
];

for (const [what, init, steps] of shapes) {
  test(`${what}: no hazard, also with a file more, until another repository is in it`, () => {
    withRepository(
      (folder) => {
        for (const step of steps) git(folder, ...step);
        assert.equal(keys(folder), []);
        writeFileSync(join(folder, 'apps/a/new.ts'), '');
        git(folder, 'add', '.');
        assert.equal(keys(folder), []);
        const known = git(folder, 'ls-files', '--sparse').split('\n').filter(Boolean);
        assert.equal([...new Set(readIndex(join(folder, '.git'), join(folder, '.git'))?.names)].sort(), known.sort());
        addRepository(folder, 'apps/a/sub', ...init);
        assert.equal(keys(folder), ['core.fsmonitor']);
      },
      ...init,
    );
  });
}

test('of a split index both files count, and one that is missing, split again or has no name for another repository is not known', () => {
  withRepository((folder) => {
    addRepository(folder, 'sub');
    git(folder, 'update-index', '--split-index');
    assert.equal(keys(folder), ['core.fsmonitor']);
    const shared = join(folder, '.git', readdirSync(join(folder, '.git')).find((name) => name.startsWith('sharedindex.')) ?? '');
    const bytes = readFileSync(shared);
    const own = readFileSync(indexOf(folder));
    for (const other of [null, own, bytes.subarray(0, -1), Buffer.alloc(0)]) {
      if (other === null) rmSync(shared);
      else writeFileSync(shared, other);
      assert.equal(keys(folder), [UNKNOWN]);
    }
    writeFileSync(shared, bytes);
    git(folder, 'config', 'core.splitIndex', 'true');
    git(join(folder, 'sub'), 'commit', '-qm', 'y', '--allow-empty');
    git(folder, '-c', 'splitIndex.maxPercentChange=100', 'add', 'sub');
    assert.is(git(folder, 'ls-files', '-s', 'sub').slice(0, 6), '160000');
    // What replaces an entry has no name of its own.
    assert.equal(keys(folder), [UNKNOWN]);
  });
});

test('a sparse index: a repository where a folder stands for files counts as soon as it is there', () => {
  withRepository((folder) => {
    addRepository(folder, 'libs/c/deep/sub');
    git(folder, 'commit', '-qm', 'sub');
    git(folder, 'rm', '-q', '--cached', 'libs/c/deep/sub');
    git(folder, 'rm', '-qr', 'libs/c/deep/z.ts', '--cached');
    for (const step of [SPARSE, ['sparse-checkout', 'set', 'apps/a']]) git(folder, ...step);
    // A folder whose tree has the repository, as git itself never makes one.
    const tree = git(folder, 'rev-parse', 'HEAD:libs').trim();
    const path = indexOf(folder);
    const [from, to] = [git(folder, 'ls-files', '-s', '--sparse', 'apps/b').slice(7, 47), tree];
    const bytes = readFileSync(path);
    const text = bytes
      .toString('latin1')
      .replace(Buffer.from(from, 'hex').toString('latin1'), Buffer.from(to, 'hex').toString('latin1'));
    assert.is.not(text, bytes.toString('latin1'));
    writeFileSync(path, Buffer.from(text, 'latin1'));
    assert.is(existsSync(join(folder, 'apps/b')), false);
    assert.equal(keys(folder), []);
    git(folder, 'init', '-q', 'apps/b/c/deep/sub');
    git(join(folder, 'apps/b/c/deep/sub'), 'config', 'core.fsmonitor', 'evil');
    assert.equal(keys(folder), ['core.fsmonitor']);
    git(join(folder, 'apps/b/c/deep/sub'), 'config', '--unset', 'core.fsmonitor');
    assert.equal(keys(folder), []);
  });
});

test('one that says it has SHA-256 in a version of repositories that knows none is not known', () => {
  withRepository((folder) => {
    assert.equal(keys(folder), []);
    const config = readFileSync(join(folder, '.git/config'), 'utf8');
    for (const other of [config.replace('= 1', '= 0'), `${config}[extensions]\n\tobjectFormat = sha1\n`]) {
      assert.is.not(other, config);
      writeFileSync(join(folder, '.git/config'), other);
      assert.equal(keys(folder), [UNKNOWN]);
    }
  }, '--object-format=sha256');
});

/** An entry of version 2. */
function entry(mode: number, name: string): Buffer {
  const bytes = Buffer.alloc((62 + name.length + 8) & ~7);
  bytes.writeUInt32BE(mode, 24);
  bytes.write('1'.repeat(20), 40, 'latin1');
  bytes.writeUInt16BE(name.length, 60);
  bytes.write(name, 62, 'latin1');
  return bytes;
}

function extension(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}____`, 'latin1');
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();

/** What tells git's threads where entries lie. */
function places(table: readonly number[], end: number): Buffer {
  const blocks = extension('IEOT', numbers(1, ...table));
  return Buffer.concat([blocks, extension('EOIE', Buffer.concat([numbers(end), sha1(blocks.subarray(0, 8))]))]);
}

function index(count: number, ...parts: readonly Buffer[]): Buffer {
  const all = Buffer.concat([Buffer.from('DIRC'), numbers(2, count), ...parts]);
  return Buffer.concat([all, sha1(all)]);
}

const entries = Buffer.concat(['a', 'b', 'c'].map((name) => entry(0o100644, name)));
const SIZE = entries.length / 3;
const END = 12 + entries.length;
/** The same number of entries, one of them another repository. */
const hidden = Buffer.concat([entry(0o100644, 'a'), entry(0o100644, 'b'), entry(0o160000, 's')]);
const inside = extension('TREE', Buffer.concat([hidden, places([END + 8, 1, END + 8 + SIZE, 2], END + 8 + hidden.length)]));

for (const [what, bytes, isKnown] of [
  ['places as they are', index(3, entries, places([12, 1, 12 + SIZE, 2], END)), true],
  ['a block that is left out', index(3, entries, places([12, 1, 12 + 2 * SIZE, 1], END)), false],
  ['fewer entries', index(3, entries, places([12, 1, 12 + SIZE, 1], END)), false],
  ['a block elsewhere', index(3, entries, places([12, 1, 12, 2], END)), false],
  ['an end elsewhere', index(3, entries, places([12, 1, 12 + SIZE, 2], END - SIZE)), false],
  ['another version', index(3, entries, extension('IEOT', numbers(2, 12, 3))), false],
  ['other entries and their places inside of an extension', index(3, entries, inside), false],
] as const)
  test(`places for threads: ${what}`, () => {
    withRepository((folder) => {
      git(folder, 'config', 'index.threads', '4');
      writeFileSync(indexOf(folder), bytes);
      assert.equal(keys(folder), isKnown ? [] : [UNKNOWN]);
    });
  });

test('git itself finds the entries inside of an extension, with threads', () => {
  withRepository((folder) => {
    writeFileSync(indexOf(folder), index(3, entries, inside));
    assert.is(surelyHasNoLinks(indexOf(folder), []), false);
    assert.match(git(folder, '-c', 'index.threads=4', 'ls-files', '-s'), /^160000 .*\ts$/m);
  });
});

test.run();
