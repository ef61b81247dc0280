/**
 * Copies of the program, outside of every work tree (docs/guarantees.md, 3): bundles, code caches and rules, in a folder whose name
 * contains a digest of all of it. The installed command line names that folder, so the program cannot be changed without a trace.
 */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { repositoryTop } from '../disk/git/directory.js';
import { pathFact } from '../disk/real-path.js';
import { WriteError } from '../disk/replace.js';
import { ownershipProblem } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { hasProcess } from '../run/process-identity.js';
import { NODE_OPTIONS } from '../runner/hook/node-options.js';
import { digestsOf, type Files, filesOf, partsOf, sha256, trainedCaches } from './program-files.js';

/** Returns `$XDG_DATA_HOME/policy/versions`, else `~/.local/share/policy/versions`. */
export function userVersions(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = environment.XDG_DATA_HOME ?? '';
  return join(isAbsolute(base) ? base : join(home, '.local', 'share'), 'policy', 'versions');
}

/** The folder for `--managed`: only root can write there. */
export const MANAGED_VERSIONS = '/usr/local/lib/policy/versions';

const MANIFEST = 'installed.json';
/** The list of a copy's files. */
interface Manifest {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The wanted copy. */
export interface ProgramCopy {
  readonly hook: string;
  /** Options for Node.js under which the code caches in the copy are valid: none if no caches could be made for this Node.js. */
  readonly nodeOptions: readonly string[];
  /** False: it does not exist yet, or is incomplete. */
  readonly isThere: boolean;
  /** Creates it. Throws WriteError. */
  readonly make: () => void;
}

export interface WantedCopy {
  /** The folder `dist` of the running program. */
  readonly bundles: string;
  /** The folder that contains all copies. */
  readonly versions: string;
  readonly version: string;
  /** Real path of the running Node.js, which will run the hook. */
  readonly node: string;
  /** Readable for all users (--managed). */
  readonly shared: boolean;
  /** Paths of hooks that the runner's settings already name. */
  readonly installed: readonly string[];
}

/** Returns the copy of the program below `versions`. Throws WriteError if that place is inside a repository. */
export function programCopy({ bundles, versions, version, node, shared, installed }: WantedCopy): ProgramCopy {
  const place = pathFact(versions);
  if (place === null) throw new WriteError(`${versions} cannot be looked at; nothing was changed`);
  refuseWorkTree(place.real);
  const [shipped, built] = partsOf(filesOf(bundles), node);
  const caches = built.size > 0 ? built : (cachesOf(installed, place.real, shipped, node) ?? trainedCaches(bundles, node));
  const files = new Map([...shipped, ...caches].sort(([a], [b]) => (a < b ? -1 : 1)));
  const manifest = { version, files: Object.fromEntries([...files].map(([name, content]) => [name, sha256(content)])) };
  const folder = join(place.real, `${version}-${digestOf(manifest)}`);
  const make = () => {
    const mode = shared ? 0o755 : 0o700;
    makeOwn(place.real, mode);
    removeLeftovers(place.real);
    if (copyProblem(folder) !== null) putInPlace(folder, files, manifest, mode);
    const problem = copyProblem(folder);
    if (problem !== null) throw new WriteError(`${folder} ${problem}; remove it and try again`);
  };
  return {
    hook: join(folder, 'dist', 'hook.cjs'),
    nodeOptions: caches.size > 0 ? NODE_OPTIONS : [],
    isThere: copyProblem(folder) === null,
    make,
  };
}

/**
 * Returns the code caches for this Node.js from an installed copy of exactly the same program, so that a second installation has
 * nothing to do: V8 never writes the same bytes twice. Null if there are none. Only copies named in the settings are used, since
 * others may come from anyone.
 */
function cachesOf(installed: readonly string[], versions: string, shipped: Files, node: string): Files | null {
  for (const hook of installed.filter((path) => isWholeCopy(path, [versions]))) {
    const [others, caches] = partsOf(filesOf(dirname(hook)), node);
    const isSame = others.size === shipped.size && [...shipped].every(([name, content]) => others.get(name)?.equals(content));
    if (isSame && caches.size > 0) return caches;
  }
  return null;
}

/**
 * Returns why the copy of `hook` differs from what was installed; null if every byte is the same. The digest in the name of its
 * folder, which is in the runner's settings, shows that.
 * @param hook path of `dist/hook.cjs` in a copy
 */
export function copyProblemOf(hook: string): string | null {
  const folder = dirname(dirname(hook));
  return hook === join(folder, 'dist', 'hook.cjs') ? copyProblem(folder) : 'is not a copy of the program';
}

/** True for the bundle of a complete copy in one of these folders: anyone who can write there already has the user's rights. */
export function isWholeCopy(hook: string, versions: readonly string[]): boolean {
  return versions.some((folder) => dirname(dirname(dirname(hook))) === folder) && copyProblemOf(hook) === null;
}

/** Returns the version of the program in such a copy, from the name of its folder; null if it is not a copy in these folders. */
export function versionOfCopy(hook: string, versions: readonly string[]): string | null {
  const folder = dirname(dirname(hook));
  if (!versions.includes(dirname(folder))) return null;
  return /^(\d+\.\d+\.\d+[\w.+-]*)-[0-9a-f]{32}$/.exec(basename(folder))?.[1] ?? null;
}

function copyProblem(folder: string): string | null {
  const named = /-([0-9a-f]{32})$/.exec(folder)?.[1];
  if (named === undefined) return 'is not a copy of the program';
  try {
    if (!lstatSync(folder).isDirectory()) return 'is not a folder';
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
    if (digestOf(manifest) !== named) return 'was changed: its list of digests is not the one in its name';
    const found = digestsOf(join(folder, 'dist'), null);
    const names = new Set([...found.keys(), ...Object.keys(manifest.files)]);
    for (const name of names)
      if (found.get(name) !== manifest.files[name])
        return found.get(name) === undefined ? `lacks dist/${name}` : `was changed: dist/${name} is not what was installed`;
    return strangersIn(folder, names);
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? 'is not there, or not whole' : `cannot be read (${systemCode(error)})`;
  }
}

/** Returns why others may change the copy, by writing a file of the program or its folder. Files of root are as safe as our own. */
function strangersIn(folder: string, names: Iterable<string>): string | null {
  for (const path of [folder, join(folder, 'dist'), ...[...names].map((name) => join(folder, 'dist', name))]) {
    const stat = lstatSync(path);
    const stranger = stat.uid === 0 && (stat.mode & 0o022) === 0 ? null : ownershipProblem(stat);
    if (stranger !== null) return `is not safe: ${path.slice(folder.length + 1) || 'it'} ${stranger}`;
  }
  return null;
}

function refuseWorkTree(path: string): void {
  const top = repositoryTop(path);
  if (top !== null)
    throw new WriteError(
      `${path} lies inside the repository ${top}, where agents may write; set XDG_DATA_HOME to a folder outside of any, or use --managed`,
    );
  if (path.split(sep).includes('node_modules')) throw new WriteError(`${path} lies inside node_modules; nothing was changed`);
}

/** Returns the part of a digest that is in the folder's name: 128 bits. */
function digestOf({ version, files }: Manifest): string {
  return sha256([version, ...Object.entries(files).map(([name, digest]) => `${name} ${digest}`)].join('\n')).slice(0, 32);
}

function makeOwn(versions: string, mode: number): void {
  try {
    if (mkdirSync(versions, { recursive: true, mode }) !== undefined)
      for (const made of [versions, dirname(versions)]) chmodSync(made, mode);
  } catch (error) {
    throw new WriteError(`${versions} cannot be made (${systemCode(error)}); nothing was changed`);
  }
  const stranger = ownershipProblem(lstatSync(versions));
  if (stranger !== null) throw new WriteError(`${versions} ${stranger}; it has to be yours alone. Nothing was changed`);
}

/** Writes a copy next to its place and moves it there as a whole, so that other processes see all of it or nothing. */
function putInPlace(folder: string, files: Files, manifest: Manifest, mode: number): void {
  const fresh = join(dirname(folder), `.new-${process.pid}-${process.hrtime.bigint()}`);
  try {
    for (const made of [fresh, join(fresh, 'dist')]) {
      mkdirSync(made, { mode });
      // Overrides the umask: a copy for all users has to be readable for all users.
      chmodSync(made, mode);
    }
    for (const [name, content] of files) writeWhole(join(fresh, 'dist', name), content, mode & 0o644);
    writeWhole(join(fresh, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, mode & 0o644);
    moveTo(fresh, folder);
  } catch (error) {
    throw error instanceof WriteError ? error : new WriteError(`${folder} cannot be written (${systemCode(error)})`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Another install may have been faster; an incomplete copy is replaced. */
function moveTo(fresh: string, folder: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(fresh, folder);
      return;
    } catch (error) {
      const taken = systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOTDIR';
      if (!taken || attempt >= 3) throw error;
      if (copyProblem(folder) === null) return;
      const aside = `${fresh}-old`;
      try {
        renameSync(folder, aside);
      } catch (moved) {
        if (systemCode(moved) !== 'ENOENT') throw moved;
      }
      rmSync(aside, { recursive: true, force: true });
    }
  }
}

function writeWhole(path: string, content: string | Buffer, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    fchmodSync(descriptor, mode);
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the leftovers of killed installs. */
function removeLeftovers(versions: string): void {
  for (const name of readdirSync(versions)) {
    const pid = /^\.new-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !hasProcess(Number(pid))) rmSync(join(versions, name), { recursive: true, force: true });
  }
}
