/**
 * dist/hook.cjs: starts dist/hook-main.cjs from V8's code cache beside it, which saves most of the start. The cache is code: it
 * is shipped and protected like the program itself and taken from nowhere else. Another version of node passes over it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The name of the cache for a version of node, beside `hook-main.cjs`. */
const cacheName = `hook-main.node${process.versions.node.split('.')[0]}.cache`;

function cache(): Buffer | undefined {
  try {
    return readFileSync(join(__dirname, cacheName));
  } catch {
    return undefined;
  }
}

try {
  const filename = join(__dirname, 'hook-main.cjs');
  // The file is a function expression in ASCII: read as such, V8 takes it without a second copy.
  const source = readFileSync(filename, 'latin1');
  const cachedData = cache();
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const main = { exports: {} as { main: (words: readonly string[]) => void } };
  script.runInThisContext()(main.exports, require, main, filename, __dirname);
  main.exports.main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `policy denied this call: the hook could not start (${error instanceof Error ? error.message : error}); install it again\n`,
  );
  process.exitCode = 2;
}
