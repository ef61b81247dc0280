/** The names of V8's code caches next to the bundles of dist/ (src/hook/train.ts creates them). */
import { lstatSync } from 'node:fs';

/**
 * Returns the part that distinguishes the caches for this process in their names: `NAME.node20.cache` for every Node.js of that major
 * version, as shipped in the package, or `NAME.v20.20.2-SIZE-CHANGED.cache` for one Node.js executable started with options
 * (src/runner/hook/node-options.ts). V8 accepts a cache made under the same options, even by a Node.js that hashes strings differently:
 * since these options keep it from recomputing hashes, nothing in the cache would be found. So the executable has to be the very same file.
 */
export function cacheName(): string {
  return process.execArgv.length === 0 ? `node${process.versions.node.split('.')[0]}` : nameOfNode(process.execPath);
}

/** Returns the same part for this version of Node.js at a real path. Throws if the file does not exist. */
export function nameOfNode(path: string): string {
  const { size, mtimeMs } = lstatSync(path);
  return `${process.version}-${size}-${Math.trunc(mtimeMs)}`;
}
