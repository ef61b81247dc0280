/** Starts a bundle of dist/ from V8's code cache beside it, which saves most of the start. */
import { closeSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { cacheName } from '../enforce/code-cache.js';
import { DamagedProgram } from '../policy/damaged-program.js';

/**
 * The exports of `dist/NAME.cjs`. Its cache is code: it is shipped and protected like the program itself and taken from nowhere
 * else. Another node passes over it. Throws a DamagedProgram when the bundle is not what was installed.
 * @param wanted a function that it has to export
 */
export function startCached(name: string, wanted: string): object {
  const filename = `${__dirname}/${name}.cjs`;
  // The file is a function expression in ASCII: read as such, V8 takes it without a second copy.
  const source = sourceOf(filename).toString('latin1');
  const module: { exports: Readonly<Record<string, unknown>> } = { exports: {} };
  functionOf(source, filename, cacheOf(name))(module.exports, requireOnce, module, filename, __dirname);
  if (typeof module.exports[wanted] !== 'function') throw new DamagedProgram(`${filename} is another program`);
  return module.exports;
}

type Bundle = (...words: unknown[]) => void;

function functionOf(source: string, filename: string, cachedData: Buffer | undefined): Bundle {
  try {
    const bundle: unknown = new Script(source, cachedData ? { filename, cachedData } : { filename }).runInThisContext();
    if (typeof bundle === 'function') return bundle as Bundle;
  } catch (error) {
    throw new DamagedProgram(`${filename} is no program (${error instanceof Error ? error.message.slice(0, 80) : error})`);
  }
  throw new DamagedProgram(`${filename} is empty`);
}

function sourceOf(filename: string): Buffer {
  try {
    return bytesOf(filename);
  } catch (error) {
    throw new DamagedProgram(error instanceof Error ? error.message : `${filename} cannot be read`);
  }
}

const given: Record<string, unknown> = {};

/** Every file of a bundle requires what it needs: what was given once is at hand. */
function requireOnce(name: string): unknown {
  given[name] ??= require(name);
  return given[name];
}

let named: string | undefined;

/** The cache for this node; none is no error. */
function cacheOf(name: string): Buffer | undefined {
  try {
    named ??= cacheName();
    return bytesOf(`${__dirname}/${name}.${named}.cache`);
  } catch {
    return undefined;
  }
}

/** More than any of the files holds: what is not written to costs nothing, and what one file was read into is cheap for the next. */
let room = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

/**
 * All of a file, until the next one is read, with the few functions of node that the hook needs anyway: each one more has to be
 * compiled first.
 */
function bytesOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    let size = 0;
    for (;;) {
      const got = readSync(descriptor, room, size, room.length - size, null);
      if (got === 0) return room.subarray(0, size);
      size += got;
      if (size === room.length) room = Buffer.concat([room, Buffer.allocUnsafeSlow(size)]);
    }
  } finally {
    closeSync(descriptor);
  }
}
