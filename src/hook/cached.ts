/** Starts a bundle of dist/ from the V8 code cache next to it, which saves most of the start-up time. */
import { closeSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { BUILD } from '../generated/build.js';
import { latin1Of } from '../log/record/bytes.js';
import { damagedProgram } from '../policy/read/damaged-program.js';
import { cacheName } from '../program/code-cache.js';

/** Extracts V8's part of a code cache file; undefined if it must not be used. */
type CacheReader = (file: Uint8Array) => Uint8Array | undefined;

/**
 * Returns the exports of `NAME.cjs` in this program's folder. Its cache is code: it is shipped and protected like the program itself, and
 * never loaded from anywhere else. A different version of node ignores it. Throws a damagedProgram if the bundle is not the installed one.
 * @param wanted a function that the bundle has to export
 * @param read a hook uses a cache unchecked: the installed line denies when a damaged one ends the process
 * @param cache the name of the cache with the functions that will be needed; a bundle may have several
 */
export function startCached(name: string, wanted: string, read: CacheReader = (file) => file, cache = name): object {
  const filename = `${__dirname}/${name}.cjs`;
  const module: { exports: Readonly<Record<string, unknown>> } = { exports: {} };
  let bundle: unknown;
  try {
    // The file is a function expression in ASCII; V8 reads it without making a second copy.
    bundle = new Script(latin1Of(bytesOf(filename)), { filename, cachedData: cacheOf(cache, read) }).runInThisContext();
  } catch (error) {
    throw damagedProgram(`${name}.cjs is no program (${error instanceof Error ? error.message.slice(0, 200) : error})`);
  }
  if (typeof bundle === 'function') bundle(module.exports, requireOnce, module, filename, __dirname);
  if (typeof module.exports[wanted] !== 'function') throw damagedProgram(`${filename} is another program`);
  // Written by the build: parts of different builds cannot read each other's data.
  if (module.exports.build !== BUILD) throw damagedProgram(`${filename} belongs to another build`);
  return module.exports;
}

const given: Record<string, unknown> = {};

/** Caches modules, because every file of a bundle requires what it needs. */
function requireOnce(name: string): unknown {
  given[name] ??= require(name);
  return given[name];
}

/** The name of the caches for this version of node; null once one of them was missing. */
let named: string | null | undefined;

/** The cache for this version of node; a missing one is not an error. */
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

/** Larger than any of the files: untouched memory costs nothing, and memory used for one file is cheap to reuse for the next. */
let room = new Uint8Array(4 * 1024 * 1024);

/**
 * The content of a file, valid until the next one is read. Uses only the few node functions that the hook needs anyway, because
 * every additional one has to be compiled first.
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
