/** What names of files there are below a directory and in git's index: whether one could be taken apart, or for an option. */
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainName, isWildName } from '../command/found-names.js';
import type { NameFacts } from '../decide/facts.js';
import { secretPath } from '../decide/sensitive-paths.js';
import { readConfig } from './git-config.js';
import { gitDirectory, locateRepository, realOrSelf } from './git-directory.js';
import { leadsAstray } from './packed-links.js';
import { realPath } from './real-path.js';

/** Entries that are looked at for one call, over all trees. */
const MAX_ENTRIES = 50_000;
const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** A function that tells about the names below a directory, null when there are too many; all calls share one budget. */
export function treeNames(budget: number = MAX_ENTRIES): (tree: string) => NameFacts | null {
  let left = budget;
  return (tree) => {
    const base = realPath(tree);
    if (base === null) return NO_NAMES;
    let [odd, leading, wild] = [false, false, false];
    const pending = [base];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const entries = entriesOf(folder);
      if (entries === null) return null;
      left -= entries.length;
      if (left < 0) return null;
      for (const entry of entries) {
        odd ||= !isPlainName(entry.name);
        wild ||= isWildName(entry.name);
        leading ||= folder === base && isLeading(entry.name);
        if (entry.isDirectory()) pending.push(join(folder, entry.name));
      }
      // Nothing could change any more.
      if (odd && leading && wild) break;
    }
    return { odd, leading, wild, top: false };
  };
}

/** About the names in one directory; null when there are too many, or it cannot be listed. */
export function folderNames(folder: string): NameFacts | null {
  const entries = entriesOf(folder);
  if (entries === null || entries.length > MAX_ENTRIES) return null;
  const has = (test: (name: string) => boolean) => entries.some(({ name }) => test(name));
  return { odd: has((name) => !isPlainName(name)), leading: has(isLeading), wild: has(isWildName), top: false };
}

const NO_NAMES: NameFacts = { odd: false, leading: false, wild: false, top: false, astray: false };

function isLeading(name: string): boolean {
  return name.startsWith('-') || name.startsWith(':');
}

/** None for a file or something missing; null for a folder that cannot be listed, which somebody else might. */
function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === 'ENOTDIR' || code === 'ENOENT' ? [] : null;
  }
}

/**
 * About the names in the index of the repository that git would use in `directory`, which may be other than those of the files that
 * are there; null when they cannot be read. Versions 2 to 4 of gitformat-index(5), for SHA-1.
 */
export function indexNames(directory: string, home: string): NameFacts | null {
  const start = realOrSelf(directory);
  const located = locateRepository(start);
  if (located === null) return NO_NAMES;
  const { folders } = gitDirectory(located.top, located.sound);
  const [folder] = folders;
  if (folder === undefined || folders.some(hasOtherObjects)) return null;
  const bytes = readIndex(join(folder, 'index'));
  if (bytes === null) return null;
  const read = bytes.length === 0 ? NO_ENTRIES : namesOf(bytes);
  if (read === null) return null;
  const { names, links } = read;
  return {
    odd: names.some((name) => !isPlainName(name)),
    // Seen from a folder, any part of a name may stand first.
    leading: names.some((name) => isLeading(name) || name.includes('/-') || name.includes('/:')),
    wild: names.some(isWildName),
    top: located.top === start,
    astray: names.some((name) => LEAVING.test(name)) || packedAstray(names, located.top, home),
    // What is in a submodule may be searched too.
    secret:
      links.length > 0 ||
      names.some(
        (name) => name === '.gitmodules' || secretPath(join(located.top, Buffer.from(name, 'latin1').toString()), home) !== null,
      ),
  };
}

/** Whether a git directory may say that names of objects are no SHA-1: then git finds other names in the same bytes. */
function hasOtherObjects(folder: string): boolean {
  const read = readConfig(join(folder, 'config'));
  return !read.ok || read.entries.some(({ key, value }) => key === 'extensions.objectformat' && value !== 'sha1');
}

/** What git itself never puts into an index. */
const LEAVING = /^\/|(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;
/** Who looks for secrets passes over these. */
const PACKED = /(?:^|\/)node_modules(?:\/|$)/;
/** Names in them that are looked at. */
const MAX_PACKED = 20_000;

/** Whether one of the names in installed packages leads out of the repository, or to a secret. */
function packedAstray(names: readonly string[], top: string, home: string): boolean {
  const packed = names.filter((name) => PACKED.test(name));
  return (
    packed.length > MAX_PACKED || packed.some((name) => leadsAstray(join(top, Buffer.from(name, 'latin1').toString()), home, top))
  );
}

/** The bytes of an index; none when there is no file. */
function readIndex(file: string): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_INDEX_BYTES) return null;
    const bytes = Buffer.alloc(stat.size);
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? bytes : null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? Buffer.alloc(0) : null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Bytes of an entry before its flags: times, device, inode, mode, owner, size and the object's name. */
const FIXED = 60;
const EXTENDED = 0x4000;
/** Where the mode stands in them, and the kind of a commit of another repository in it. */
const MODE = 24;
const KIND = 0xf000;
const GITLINK = 0xe000;
const SHA1_BYTES = 20;

interface Entries {
  readonly names: readonly string[];
  readonly links: readonly string[];
}

const NO_ENTRIES: Entries = { names: [], links: [] };

/**
 * Other repositories in the index of a git directory, by their paths in its work tree; null when nobody can say.
 * @param common the directory with its configuration, which is a hazard itself when it cannot be read
 */
export function indexLinks(folder: string, common: string): readonly string[] | null {
  if (hasOtherObjects(common)) return readConfig(join(common, 'config')).ok ? null : [];
  const bytes = readIndex(join(folder, 'index'));
  const read = bytes?.length === 0 ? NO_ENTRIES : bytes && namesOf(bytes);
  return read?.links.map((name) => Buffer.from(name, 'latin1').toString()) ?? null;
}

/** The names of all entries, and of those that are other repositories; null for anything that is not exactly an index as described. */
function namesOf(bytes: Buffer): Entries | null {
  if (bytes.length < 12 + SHA1_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const names: string[] = [];
  const links: string[] = [];
  let at = 12;
  let last = '';
  for (let entry = 0; entry < count; entry += 1) {
    if (at + FIXED + 2 > bytes.length) return null;
    const flags = bytes.readUInt16BE(at + FIXED);
    const isExtended = (flags & EXTENDED) !== 0;
    if (isExtended && version === 2) return null;
    let from = at + FIXED + (isExtended ? 4 : 2);
    let kept = '';
    if (version === 4) {
      const strip = varint(bytes, from);
      if (strip === null || strip.value > last.length) return null;
      kept = last.slice(0, last.length - strip.value);
      from = strip.next;
    }
    const end = bytes.indexOf(0, from);
    if (end < 0) return null;
    last = kept + bytes.toString('latin1', from, end);
    const length = flags & 0xfff;
    if (length < 0xfff && length !== last.length) return null;
    names.push(last);
    if ((bytes.readUInt32BE(at + MODE) & KIND) === GITLINK) links.push(last);
    // One to eight NULs, so that the next entry begins at a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return hasOnlyKnownExtensions(bytes, at) ? { names, links } : null;
}

/** git's offset encoding: seven bits a byte, one added for each further byte. */
function varint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 4); at += 1) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, next: at + 1 };
    value += 1;
  }
  return null;
}

/**
 * Those that leave the entries as they stand. `link` says that most of them stand in another file, `sdir` that folders stand for files,
 * `EOIE` and `IEOT` where git's threads look for entries and extensions: anywhere in the file.
 */
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(['TREE', 'REUC', 'UNTR', 'FSMN']);

function hasOnlyKnownExtensions(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - SHA1_BYTES) {
    if (!KNOWN_EXTENSIONS.has(bytes.toString('latin1', at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - SHA1_BYTES;
}
