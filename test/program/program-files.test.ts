/** Digests of the program's files are remembered, and no change is missed for that. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { digestsOf, sha256 } from '../../src/program/program-files.js';
import { scratch } from '../cli/spawned.js';

/** Longer than the steps in which a file system tells times. */
const SETTLED = 150;

function settle(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED);
}

test('files that stay as they are are read once', () => {
  const folder = scratch({ 'hook.cjs': 'one', 'rules.pack': 'r' });
  settle();
  assert.is(digestsOf(folder), digestsOf(folder));
});

test('other bytes of the same length are noticed, even with the old time of change', () => {
  const folder = scratch({ 'hook.cjs': 'one' });
  const file = join(folder, 'hook.cjs');
  settle();
  assert.is(digestsOf(folder).get('hook.cjs'), sha256('one'));
  const { atime, mtime } = statSync(file);
  writeFileSync(file, 'two');
  utimesSync(file, atime, mtime);
  assert.is(digestsOf(folder).get('hook.cjs'), sha256(readFileSync(file)));
  assert.is(digestsOf(folder).get('hook.cjs'), sha256('two'));
});

test('a file that changes in the moment after it was read is read again', () => {
  const folder = scratch({ 'hook.cjs': '0' });
  const file = join(folder, 'hook.cjs');
  for (const text of ['1', '2', '3', '4', '5']) {
    writeFileSync(file, text);
    assert.is(digestsOf(folder).get('hook.cjs'), sha256(text));
  }
});

test('a new file, and one that is gone, are noticed', () => {
  const folder = scratch({ 'hook.cjs': 'one' });
  settle();
  digestsOf(folder);
  writeFileSync(join(folder, 'seal.cjs'), 's');
  assert.equal([...digestsOf(folder).keys()], ['hook.cjs', 'seal.cjs']);
});

test.run();
