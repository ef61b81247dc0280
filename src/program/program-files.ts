/** The files of a copy of the program: those that are shipped, and the code caches that one Node.js makes from them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WriteError } from '../disk/replace.js';
import { NODE_OPTIONS, NODE_VARIABLES } from '../runner/hook/node-options.js';
import { nameOfNode } from './code-cache.js';

/**
 * The files of dist/ that the hook and the gateway may need: their bundles, the code caches, the rules, and the licenses of all of
 * these; not the command line.
 */
const SHIPPED = /^[\w.-]+\.(?:cjs|cache|pack|txt)$/;
const MOST_BYTES = 64n * 1024n * 1024n;

export type Files = ReadonlyMap<string, Buffer>;

/** Returns the files of a folder by name; `wanted` null: all of them. Only regular files are accepted. */
export function filesOf(folder: string, wanted: RegExp | null = SHIPPED): Files {
  return new Map([...statsOf(folder, wanted).keys()].map((name) => [name, readFileSync(join(folder, name))]));
}

interface KnownDigests {
  readonly stamp: string;
  readonly digests: ReadonlyMap<string, string>;
}

/** By folder. */
const known = new Map<string, KnownDigests>();
/** File systems tell times in steps of up to ten milliseconds: a file may change once more in the step in which it was read. */
const STEP_NS = 100_000_000n;

/**
 * Returns the SHA-256 of the files of a folder by name. An audit asks for those of an installed copy many times: they are read again
 * when a file has another change time, which nobody can set, or another size or number.
 */
export function digestsOf(folder: string, wanted: RegExp | null = SHIPPED): ReadonlyMap<string, string> {
  const began = BigInt(Date.now()) * 1_000_000n;
  const stats = statsOf(folder, wanted);
  const stamp = JSON.stringify(
    [...stats].map(([name, { dev, ino, size, ctimeNs }]) => [name, `${dev} ${ino} ${size} ${ctimeNs}`]),
  );
  const found = known.get(folder);
  if (found?.stamp === stamp) return found.digests;
  const digests = new Map([...stats.keys()].map((name) => [name, sha256(readFileSync(join(folder, name)))]));
  if ([...stats.values()].every(({ ctimeNs }) => ctimeNs + STEP_NS < began)) known.set(folder, { stamp, digests });
  return digests;
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function statsOf(folder: string, wanted: RegExp | null): ReadonlyMap<string, BigIntStats> {
  const stats = new Map<string, BigIntStats>();
  let bytes = 0n;
  for (const name of readdirSync(folder).sort()) {
    if (wanted !== null && !wanted.test(name)) continue;
    const stat = lstatSync(join(folder, name), { bigint: true });
    if (wanted !== null && !stat.isFile()) continue;
    bytes += stat.size;
    if (!stat.isFile() || bytes > MOST_BYTES) throw new WriteError(`${join(folder, name)} is no file of the program`);
    stats.set(name, stat);
  }
  return stats;
}

/** Matches the name of a code cache for one Node.js executable (src/program/code-cache.ts). */
const FOR_ONE_NODE = /\.v\d+\.\d+\.\d+-\d+-\d+\.cache$/;

/** Returns the files for every Node.js, and the code caches for this one, which exist already after a local build. */
export function partsOf<Content>(
  files: ReadonlyMap<string, Content>,
  node: string,
): readonly [ReadonlyMap<string, Content>, ReadonlyMap<string, Content>] {
  const own = `.${nameOfNode(node)}.cache`;
  return [
    new Map([...files].filter(([name]) => !FOR_ONE_NODE.test(name))),
    new Map([...files].filter(([name]) => name.endsWith(own))),
  ];
}

/** Milliseconds; enough for a busy machine, where one second is usual. */
const TRAINING_TIME = 60_000;

/**
 * Returns code caches made by this Node.js under NODE_OPTIONS; none if it does not support these, or the calls fail: the hook
 * then only starts more slowly.
 */
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
    // No space for temporary files, or no writable folder; `policy doctor` reports which caches Node.js accepts.
    return new Map();
  } finally {
    if (into !== null) rmSync(into, { recursive: true, force: true });
  }
}
