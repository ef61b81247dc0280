/** Of an index only what git surely reads alike counts as one without other repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { surelyHasNoLinks } from '../../../../src/disk/git/index-links.js';
import { indexedRepositories } from '../../../../src/disk/git/indexed-repositories.js';
import { INDEX } from '../../../../src/hook/training-calls.js';
import { seed } from '../../../seed.js';

const PLAIN = Buffer.from(INDEX, 'base64');
/** Where the mode of its first entry stands, and its name: package.json. */
const MODE = 12 + 24;
const NAME = 12 + 62;

function withIndex<Result>(bytes: Buffer | null, use: (file: string, folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'policy-index-'));
  try {
    const file = join(folder, 'index');
    if (bytes !== null) writeFileSync(file, bytes);
    return use(file, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isPlain = (bytes: Buffer | null, keys: readonly string[] = []) =>
  withIndex(bytes, (file) =>
    surelyHasNoLinks(
      file,
      keys.map((key) => ({ key, value: 'sha256', file: 'config', line: 1 })),
    ),
  );

/** The index with another text or number in a place of it. */
function changed(at: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(PLAIN);
  write(bytes.subarray(at));
  return bytes;
}

const rows: readonly (readonly [plain: boolean, bytes: Buffer | null, why: string])[] = [
  [true, PLAIN, 'as git wrote it'],
  [true, null, 'no index'],
  [false, changed(MODE, (bytes) => bytes.writeUInt32BE(0o160000)), 'another repository'],
  [false, changed(MODE, (bytes) => bytes.writeUInt32BE(0xffffe1ff)), 'one with bits that git does not look at'],
  [true, changed(MODE, (bytes) => bytes.writeUInt32BE(0o120000)), 'a link'],
  [false, changed(MODE, (bytes) => bytes.writeUInt32BE(0o40000)), 'a folder that stands for files'],
  [false, changed(NAME, (bytes) => bytes.write('../kage.json')), 'a name above the repository'],
  [false, changed(NAME, (bytes) => bytes.write('pac/../.json')), 'one that goes upwards later'],
  [false, changed(NAME, (bytes) => bytes.write('/ackage.json')), 'one from the root'],
  [true, changed(NAME, (bytes) => bytes.write('.a/..ge.json')), 'names that begin with dots'],
  [false, changed(4, (bytes) => bytes.writeUInt32BE(4)), 'a version with shortened names'],
  [false, changed(0, (bytes) => bytes.write('DIRX')), 'another file'],
  [false, changed(8, (bytes) => bytes.writeUInt32BE(4)), 'more entries than there are'],
  [false, changed(8, (bytes) => bytes.writeUInt32BE(2)), 'fewer'],
  [false, changed(PLAIN.indexOf('TREE'), (bytes) => bytes.write('link')), 'a split one'],
  [false, changed(PLAIN.indexOf('TREE'), (bytes) => bytes.write('EOIE')), 'one with places for threads'],
  [false, changed(PLAIN.indexOf('TREE') + 4, (bytes) => bytes.writeUInt32BE(0xffffff00)), 'an extension without an end'],
  [false, PLAIN.subarray(0, PLAIN.length - 1), 'one that is cut off'],
  [false, PLAIN.subarray(0, 20), 'hardly more than a header'],
  [false, Buffer.alloc(0), 'an empty file'],
];

for (const [plain, bytes, why] of rows) test(why, () => assert.is(isPlain(bytes), plain));

test('names of objects that may be longer, and what is no file', () => {
  assert.is(isPlain(PLAIN, ['core.bare']), true);
  assert.is(isPlain(PLAIN, ['extensions.objectformat']), false);
  withIndex(null, (file) => {
    mkdirSync(file);
    assert.is(surelyHasNoLinks(file, []), false);
    assert.is(surelyHasNoLinks(join(file, 'below'), []), true);
  });
});

for (const [name, leaves] of [
  ['../kage.json', true],
  ['pac/../.json', true],
  ['package.js/..', true],
  ['/ackage.json', true],
  ['..ckage.json', false],
  ['pa/..ge.json', false],
] as const)
  test(`${name} in an index ${leaves ? 'leads' : 'does not lead'} out of the repository`, () => {
    const bytes = changed(NAME, (rest) => rest.fill(0, 0, 14).write(name));
    bytes.writeUInt16BE(name.length, NAME - 2);
    withIndex(bytes, (_, folder) => assert.equal(indexedRepositories(folder, folder, folder), leaves ? null : []));
  });

test('of 4,000 damaged ones none counts in which another repository is found', () => {
  const random = seeded(seed);
  let counted = 0;
  withIndex(PLAIN, (file, folder) => {
    for (let run = 0; run < 4000; run += 1) {
      const bytes = Buffer.from(PLAIN);
      for (let change = 0; change <= run % 4; change += 1) {
        const at = random() % bytes.length;
        // Bytes that make a mode, a length or a name, more often than others.
        bytes[at] = [0xe0, 0xa0, 0x81, 0, 0x40, 0x0f, random() % 256][random() % 7] ?? 0;
      }
      if (run % 2 === 0) bytes.writeUInt32BE([0o160000, 0x1e000, 0o100644][random() % 3] ?? 0, MODE);
      writeFileSync(file, bytes);
      if (!surelyHasNoLinks(file, [])) continue;
      counted += 1;
      assert.equal(indexedRepositories(folder, folder, folder) ?? [], [], bytes.toString('base64'));
    }
  });
  assert.ok(counted > 500, `${counted}`);
});

test('an index that git made of a hundred files, and the same with a repository in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-index-'));
  const git = (...words: readonly string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' });
  try {
    git('init', '-q');
    for (let file = 0; file < 100; file += 1) writeFileSync(join(folder, `${'n'.repeat(file)}.txt`), '');
    git('add', '.');
    const index = join(folder, '.git', 'index');
    assert.is(surelyHasNoLinks(index, []), true);
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    assert.is(surelyHasNoLinks(index, []), false);
    assert.equal(indexedRepositories(join(folder, '.git'), join(folder, '.git'), folder), ['sub']);
    assert.ok(readFileSync(index).length > 100 * 62);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Numbers below 2^32 that follow from a first one. */
function seeded(first: number): () => number {
  let state = first >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

test.run();
