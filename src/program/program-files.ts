/** The files that a copy of the program is made of: what is shipped, and the code caches that one node makes of it. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WriteError } from '../disk/replace.js';
import { NODE_OPTIONS, NODE_VARIABLES } from '../runner/hook/node-options.js';
import { nameOfNode } from './code-cache.js';

/** What the hook may need of dist/: its bundles, their code caches, the rules, and the licences of all that; not the command line. */
const SHIPPED = /^[\w.-]+\.(?:cjs|cache|pack|txt)$/;
const MOST_BYTES = 64 * 1024 * 1024;

export type Files = ReadonlyMap<string, Buffer>;

/** The files of a folder by name; `wanted` null: all of them. Only regular files count. */
export function filesOf(folder: string, wanted: RegExp | null = SHIPPED): Files {
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const name of readdirSync(folder).sort()) {
    if (wanted !== null && !wanted.test(name)) continue;
    const stat = lstatSync(join(folder, name));
    if (wanted !== null && !stat.isFile()) continue;
    bytes += stat.size;
    if (!stat.isFile() || bytes > MOST_BYTES) throw new WriteError(`${join(folder, name)} is no file of the program`);
    files.set(name, readFileSync(join(folder, name)));
  }
  return files;
}

/** The name of a code cache for one program of node (src/program/code-cache.ts). */
const FOR_ONE_NODE = /\.v\d+\.\d+\.\d+-\d+-\d+\.cache$/;

/** What is there for every node, and the code caches for this one: whoever builds the program has them already. */
export function partsOf(files: Files, node: string): readonly [Files, Files] {
  const own = `.${nameOfNode(node)}.cache`;
  return [
    new Map([...files].filter(([name]) => !FOR_ONE_NODE.test(name))),
    new Map([...files].filter(([name]) => name.endsWith(own))),
  ];
}

/** Enough for a busy machine: a second is usual. */
const TRAINING_TIME = 60_000;

/** Code caches made by this node under NODE_OPTIONS; none when it does not know these, or the calls fail: the hook then only starts slower. */
export function trainedCaches(bundles: string, node: string): Files {
  let into: string | null = null;
  try {
    into = mkdtempSync(join(tmpdir(), 'policy-caches-'));
    const { status } = spawnSync(node, [...NODE_OPTIONS, join(bundles, 'train-hook.js'), bundles, into], {
      env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir(), ...NODE_VARIABLES },
      cwd: into,
      stdio: 'ignore',
      timeout: TRAINING_TIME,
      killSignal: 'SIGKILL',
    });
    return status === 0 ? filesOf(into) : new Map();
  } catch {
    // No room for temporary files, or none to write to; `policy doctor` says which caches node takes.
    return new Map();
  } finally {
    if (into !== null) rmSync(into, { recursive: true, force: true });
  }
}
