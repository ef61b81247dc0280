/** What a glob stands for on the disk, within bounds. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { globPaths } from '../../../src/enforce/facts/glob-paths.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-globs-')));
test.after(() => rmSync(base, { recursive: true, force: true }));
for (const folder of ['a/deep/er', 'b', 'empty']) mkdirSync(join(base, folder), { recursive: true });
for (const file of ['a/one.o', 'a/two.c', 'a/.hidden', 'a/deep/er/three.o', 'b/One.o']) writeFileSync(join(base, file), '');
symlinkSync(join(base, 'a'), join(base, 'link'));

const ROWS: readonly (readonly [glob: string, found: readonly string[] | null, why: string])[] = [
  ['a/*', ['a/one.o', 'a/two.c', 'a/deep'], 'a wildcard is no leading dot'],
  ['a/.*', ['a/.hidden'], 'but behind a dot it is'],
  ['a/./o*.o', ['a/one.o'], ''],
  ['B/o*', [], 'a folder that is not there'],
  ['b/o*', ['b/One.o'], 'case is passed over: some file systems do'],
  ['?/*.o', ['a/one.o', 'b/One.o'], 'in the middle'],
  ['a/[no]*', ['a/one.o', 'a/two.c', 'a/deep', 'a/.hidden'], 'a list is any character: more than it means, never less'],
  ['link/one*', ['link/one.o', 'a/one.o'], 'where a link leads counts, too'],
  ['a/**/*.o', ['a/one.o', 'a/deep/er/three.o'], 'any number of folders'],
  ['empty/*', [], 'nothing'],
  ['a/one.o/*', [], 'below a file is nothing'],
  ['a/*/er', ['a/deep/er'], 'nor below any of several files'],
  ['*/new', ['a/new', 'b/new', 'empty/new', 'link/new'], 'what is not there yet, in folders and behind links'],
  ['nothing*/x', [], 'and so behind a folder that is not there'],
  ['a/+(o)*', null, 'what depends on options of the shell cannot be told'],
];

for (const [glob, found, why] of ROWS)
  test(`${glob}: ${why}`, () => {
    const paths = globPaths()(`${base}/${glob}`);
    assert.equal(paths && [...paths].sort(), found === null ? null : found.map((path) => join(base, path)).sort());
  });

test('too much to look at cannot be told, and all globs of a call share the bound', () => {
  const tell = globPaths(12);
  assert.is(tell(`${base}/a/*`)?.length, 3);
  assert.is(tell(`${base}/**`), null);
  assert.is(tell(`${base}/a/*`), null);
});

test.run();
