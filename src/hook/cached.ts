/** Starts a bundle of dist/ from V8's code cache beside it, which saves most of the start. */
import { closeSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { BUILD } from '../generated/build.js';
import { latin1Of } from '../log/record/bytes.js';
import { damagedProgram } from '../policy/read/damaged-program.js';
import { cacheName } from '../program/code-cache.js';

/** V8's part of a file that holds a code cache; undefined where that must not be used. */
type CacheReader = (file: Uint8Array) => Uint8Array | undefined;

/**
 * The exports of `NAME.cjs` in the folder of this program. Its cache is code: it is shipped and protected like the program itself
 * and taken from nowhere else. Another node passes over it. Throws a damagedProgram when the bundle is not what was installed.
 * @param wanted a function that it has to export
 * @param read a hook takes a cache as it is: the installed line denies when a damaged one ends the process
 * @param cache whose functions are those that will be needed; a bundle may have several
 */
export function startCached(name: string, wanted: string, read: CacheReader = (file) => file, cache = name): object {
  const filename = `${__dirname}/${name}.cjs`;
  const module: { exports: Readonly<Record<string, unknown>> } = { exports: {} };
  let bundle: unknown;
  try {
    // The file is a function expression in ASCII: read as such, V8 takes it without a second copy.
    bundle = new Script(latin1Of(bytesOf(filename)), { filename, cachedData: cacheOf(cache, read) }).runInThisContext();
  } catch (error) {
    throw damagedProgram(`${name}.cjs is no program (${error instanceof Error ? error.message.slice(0, 200) : error})`);
  }
  if (typeof bundle === 'function') bundle(module.exports, requireOnce, module, filename, __dirname);
  if (typeof module.exports[wanted] !== 'function') throw damagedProgram(`${filename} is another program`);
  // Written by the build; the parts of two builds do not know each other's data.
  if (module.exports.build !== BUILD) throw damagedProgram(`${filename} belongs to another build`);
  return module.exports;
}

const given: Record<string, unknown> = {};

/** Every file of a bundle requires what it needs: what was given once is at hand. */
function requireOnce(name: string): unknown {
  given[name] ??= require(name);
  return given[name];
}

/** How the caches for this node are called; null once one of them was not there. */
let named: string | null | undefined;

/** The cache for this node; none is no error. */
function cacheOf(name: string, read: CacheReader): Uint8Array | undefined {
  if (named === null) return undefined;
  try {
    named ??= cacheName();
    return read(bytesOf(`${__dirname}/${name}.${named}.cache`));
  } catch {
    named = null;
    return undefined;
  }
}

/** More than any of the files holds: what is not written to costs nothing, and what one file was read into is cheap for the next. */
let room = new Uint8Array(4 * 1024 * 1024);

/**
 * All of a file, until the next one is read, with the few functions of node that the hook needs anyway: each one more has to be
 * compiled first.
 */
function bytesOf(file: string): Uint8Array {
  const descriptor = openSync(file, 'r');
  try {
    let size = 0;
    for (;;) {
      const got = readSync(descriptor, room, size, room.length - size, null);
      if (got === 0) return room.subarray(0, size);
      size += got;
      if (size === room.length) {
        const small = room;
        room = new Uint8Array(2 * size);
        room.set(small);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
