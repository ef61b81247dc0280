/** Whoever has the sources can make the same bundles: a build in another folder gives the same bytes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

/** What goes into a build; `src/generated` is made by it. */
const SOURCES = ['.ci', 'bin', 'package.json', 'package-lock.json', 'rules', 'schemas', 'src', 'tsconfig.json'];

/** The digest of every file of dist/ by name. V8 makes the code caches on each machine anew, and not byte by byte alike. */
function digestsOf(dist: string): Readonly<Record<string, string>> {
  const names = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.cache'))
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dist, name)))
        .digest('hex'),
    ]),
  );
}

(existsSync('dist/hook.cjs') ? test : test.skip)('a build elsewhere gives the same files', () => {
  const copy = mkdtempSync(join(tmpdir(), 'policy-again-'));
  try {
    for (const source of SOURCES) cpSync(source, join(copy, source), { recursive: true });
    rmSync(join(copy, 'src', 'generated'), { recursive: true, force: true });
    // esbuild names a linked package by where it really is.
    assert.is(spawnSync('cp', ['-R', 'node_modules', copy]).status, 0);
    const { status, stderr } = spawnSync(process.execPath, ['.ci/build.mjs', '--dist'], { cwd: copy, encoding: 'utf8' });
    assert.is(status, 0, stderr);
    const expected = digestsOf(resolve('dist'));
    assert.ok(Object.keys(expected).length > 10);
    assert.equal(digestsOf(join(copy, 'dist')), expected);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test.run();
