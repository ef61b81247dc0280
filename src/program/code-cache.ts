/** The names of V8's code caches beside the bundles of dist/ (src/hook/train.ts makes them). */
import { lstatSync } from 'node:fs';

/**
 * How the caches for this process are called: `NAME.node20.cache` for every node of that major version, as the package ships them,
 * or `NAME.v20.20.2-SIZE-CHANGED.cache` for one program of node that was started with options (src/runner/hook/node-options.ts). V8
 * takes a cache that was made under the same options, also from a node that hashes texts in another way: since under these options
 * hashes are not computed anew, nothing in it would be found. So the very file has to be the same.
 */
export function cacheName(): string {
  return process.execArgv.length === 0 ? `node${process.versions.node.split('.')[0]}` : nameOfNode(process.execPath);
}

/** Of this version of node, lying at a real path. Throws when there is none. */
export function nameOfNode(path: string): string {
  const { size, mtimeMs } = lstatSync(path);
  return `${process.version}-${size}-${Math.trunc(mtimeMs)}`;
}
