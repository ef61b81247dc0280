/** `npm run reproducible`: whoever has the sources can make the same bundles. Fails unless a build in another folder gives the same bytes. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

const copy = mkdtempSync(join(tmpdir(), 'policy-again-'));
try {
  for (const source of SOURCES) cpSync(source, join(copy, source), { recursive: true });
  rmSync(join(copy, 'src', 'generated'), { recursive: true, force: true });
  // esbuild names a linked package by where it really is.
  assert.equal(spawnSync('cp', ['-R', 'node_modules', copy]).status, 0);
  const { status, stderr } = spawnSync(process.execPath, ['.ci/build.mjs', '--dist', '--only-dist'], {
    cwd: copy,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const expected = digestsOf(resolve('dist'));
  const files = Object.keys(expected).length;
  assert.ok(files > 10);
  assert.deepEqual(digestsOf(join(copy, 'dist')), expected);
  console.log(`${files} files are the same when they are built elsewhere`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
