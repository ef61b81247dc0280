/** Git's index as described in gitformat-index(5): versions 2 to 4, SHA-1 and SHA-256, in one file or split into two. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes before the first entry, and of an entry before the object's name. */
const HEADER = 12;
const TIMES_AND_MODE = 40;
/** Offset of the mode in an entry, and the kinds of entries that are no files. */
const MODE = 24;
const KIND = 0xf000;
const GITLINK = 0xe000;
const FOLDER = 0x4000;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

/** Paths in the work tree, one character per byte. */
export interface GitIndex {
  readonly names: readonly string[];
  /** The names that are commits of other repositories. */
  readonly links: readonly string[];
  /** The names that stand for the whole content of a tree (a sparse index), with a trailing slash. */
  readonly folders: readonly string[];
}

const NOTHING: GitIndex = { names: [], links: [], folders: [] };

/** Returns the number of bytes of object names if the configuration is unambiguous; git uses the last of several lines. */
function objectBytes(common: string): number | null {
  const read = readConfig(join(common, 'config'));
  if (!read.ok) return null;
  const valuesOf = (name: string) => read.entries.filter(({ key }) => key === name).map(({ value }) => value);
  const formats = valuesOf('extensions.objectformat');
  if (formats.every((format) => format === 'sha1')) return 20;
  const versions = valuesOf('core.repositoryformatversion');
  const isLong =
    formats.every((format) => format === 'sha256') && versions.length > 0 && versions.every((value) => value === '1');
  return isLong ? 32 : null;
}

/**
 * Returns the index in a git directory, an empty one if it does not exist; null for anything that is not exactly an index as
 * described. For a split index, returns the entries of both files, some of which may have been removed.
 * @param common the directory with the configuration
 */
export function readIndex(folder: string, common: string): GitIndex | null {
  const hash = objectBytes(common);
  const bytes = hash === null ? null : bytesOf(join(folder, 'index'));
  if (hash === null || bytes === null) return null;
  if (bytes.length === 0) return NOTHING;
  const own = readEntries(bytes, hash);
  if (own === null || own.shared === null) return own;
  const sharedBytes = bytesOf(join(folder, `sharedindex.${own.shared}`));
  const shared = sharedBytes && readEntries(sharedBytes, hash);
  // An entry without a name takes the name of an entry of the shared file, which matters only if one of them is no file.
  if (!shared || shared.shared !== null || [...own.links, ...own.folders, ...shared.names].includes('')) return null;
  return {
    names: [...shared.names, ...own.names.filter((name) => name !== '')],
    links: [...shared.links, ...own.links],
    folders: [...shared.folders, ...own.folders],
  };
}

/** Returns the bytes of a file; empty if it does not exist. */
function bytesOf(file: string): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    const bytes = Buffer.alloc(stat.size);
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? bytes : null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? Buffer.alloc(0) : null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** The entries of one file; `shared` identifies the other file of a split index. */
interface Entries extends GitIndex {
  readonly shared: string | null;
}

function readEntries(bytes: Buffer, hash: number): Entries | null {
  if (bytes.length < HEADER + hash || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const fixed = TIMES_AND_MODE + hash;
  const [names, links, folders]: [string[], string[], string[]] = [[], [], []];
  /** Offsets of entries that can be read without the one before, by their numbers. */
  const starts = new Map<number, number>();
  let at = HEADER;
  let last = '';
  for (let entry = 0; entry < count; entry += 1) {
    if (at + fixed + 2 > bytes.length) return null;
    const flags = bytes.readUInt16BE(at + fixed);
    const isExtended = (flags & EXTENDED) !== 0;
    if (isExtended && version === 2) return null;
    let from = at + fixed + (isExtended ? 4 : 2);
    let kept = '';
    if (version === 4) {
      const strip = varint(bytes, from);
      if (strip === null || strip.value > last.length) return null;
      kept = last.slice(0, last.length - strip.value);
      from = strip.next;
    }
    const end = bytes.indexOf(0, from);
    if (end < 0) return null;
    if (kept === '') starts.set(entry, at);
    last = kept + bytes.toString('latin1', from, end);
    const length = flags & LENGTH;
    if (length < LENGTH && length !== last.length) return null;
    names.push(last);
    const kind = bytes.readUInt32BE(at + MODE) & KIND;
    if (kind === GITLINK) links.push(last);
    if (kind === FOLDER) folders.push(last);
    // One to eight NULs follow, so that the next entry begins at a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  const shared = readExtensions(bytes, at, hash, { starts, count });
  return shared === null ? null : { names, links, folders, shared: shared.name };
}

/** Decodes git's offset encoding: seven bits per byte, plus one for each further byte. */
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

/** Extensions that do not change the entries; `sdir` means that some of them are folders. */
const PLAIN: ReadonlySet<string> = new Set(['TREE', 'REUC', 'UNTR', 'FSMN', 'sdir']);

interface Walked {
  readonly starts: ReadonlyMap<number, number>;
  readonly count: number;
}

/**
 * Reads the extensions after the entries, and returns the name in `link`, that of the shared file of a split index. Null for
 * extensions that git might not know, or whose tables (EOIE, IEOT) would lead git's threads to other entries than those found.
 */
function readExtensions(bytes: Buffer, from: number, hash: number, walked: Walked): { readonly name: string | null } | null {
  const end = bytes.length - hash;
  // Git looks for it at this offset, even if these bytes belong to another extension.
  const last = end - (8 + 4 + hash);
  const isThreaded = last >= 0 && bytes.toString('latin1', last, last + 4) === 'EOIE';
  let name: string | null = null;
  let at = from;
  let isFound = false;
  while (at + 8 <= end) {
    const kind = bytes.toString('latin1', at, at + 4);
    const content = bytes.subarray(at + 8, Math.min(end, at + 8 + bytes.readUInt32BE(at + 4)));
    if (kind === 'EOIE') {
      if (at !== last || content.length !== 4 + hash || content.readUInt32BE(0) !== from) return null;
      isFound = true;
    } else if (kind === 'IEOT') {
      if (!leadsToEntries(content, walked)) return null;
    } else if (kind === 'link') {
      if (name !== null || content.length < hash) return null;
      name = content.toString('hex', 0, hash);
    } else if (!PLAIN.has(kind)) return null;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  if (at !== end || isThreaded !== isFound) return null;
  // No shared file has the all-zero name: git then treats this file as the complete index.
  return { name: name === null || /^0+$/.test(name) ? null : name };
}

/** Whether a table of blocks has version 1, and contains each entry once, at its offset. */
function leadsToEntries(table: Buffer, { starts, count }: Walked): boolean {
  if (table.length < 4 + 8 || table.length % 8 !== 4 || table.readUInt32BE(0) !== 1) return false;
  let entries = 0;
  for (let at = 4; at < table.length; at += 8) {
    if (starts.get(entries) !== table.readUInt32BE(at)) return false;
    entries += table.readUInt32BE(at + 4);
  }
  return entries === count;
}
