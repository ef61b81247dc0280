/**
 * Whether git's index contains other repositories, or names that lead out of this one: most contain none, which is determined
 * without decoding a name.
 */
import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { latin1Of } from '../../log/record/bytes.js';
import type { ConfigEntry } from './config.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes before the first entry, and after the last extension. */
const HEADER = 12;
const CHECKSUM = 20;
/** Offsets of the mode and the flags in an entry (gitformat-index), and of the name if no more flags follow. */
const MODE = 24;
const FLAGS = 60;
const NAME = 62;
/** Bits that are the same for commits of other repositories and for folders of a sparse index, and different for files and links. */
const KIND = 0x5000;
const NO_FILE = 0x4000;
const MORE_FLAGS = 0x4000;
const LENGTH = 0xfff;

/**
 * True if there is no index, or one in which git surely finds no other repository and no file outside of this one: SHA-1, version
 * 2 or 3, followed only by extensions that do not change the entries. All others are left to `indexedRepositories`.
 * @param entries the whole configuration: it may make object names longer
 */
export function surelyHasNoLinks(file: string, entries: readonly ConfigEntry[]): boolean {
  if (entries.some(({ key }) => key === 'extensions.objectformat')) return false;
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isFile() || stat.size < HEADER + CHECKSUM || stat.size > MAX_BYTES) return false;
    const bytes = bytesOf(file, stat.size);
    return !latin1Of(bytes).includes('/../') && hasNoLinks(new DataView(bytes.buffer));
  } catch {
    // The index cannot be read, or ends too early.
    return false;
  }
}

/** Returns this many bytes of a file. Throws when it has fewer. */
function bytesOf(file: string, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (readSync(descriptor, bytes, 0, size, 0) !== size) throw new RangeError('the file ends before');
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Walks like git: the flags of an entry contain the length of its name. */
function hasNoLinks(index: DataView): boolean {
  const version = index.getUint32(4);
  if (index.getUint32(0) !== DIRC || (version !== 2 && version !== 3)) return false;
  const end = index.byteLength - CHECKSUM;
  let at = HEADER;
  for (let left = index.getUint32(8); left > 0; left -= 1) {
    if (at + NAME > end) return false;
    const flags = index.getUint16(at + FLAGS);
    const length = flags & LENGTH;
    if ((index.getUint32(at + MODE) & KIND) === NO_FILE || length === LENGTH) return false;
    const name = NAME + ((flags & MORE_FLAGS) === 0 ? 0 : 2);
    if (mayLeadOut(index.getUint16(at + name))) return false;
    // One to eight NULs end a name, so that the next entry begins at a multiple of eight.
    at += (name + length + 8) & ~7;
  }
  // Git's threads look for it at this offset, even inside another extension.
  if (end - EOIE_BYTES >= HEADER && index.getUint32(end - EOIE_BYTES) === EOIE) return false;
  while (at + 8 <= end) {
    if (!HARMLESS.has(index.getUint32(at))) return false;
    at += 8 + index.getUint32(at + 4);
  }
  return at === end;
}

/** Whether a name with these first two characters may lead out of the repository, if nothing after them leads upwards: `..` and `/x`. */
function mayLeadOut(letters: number): boolean {
  return letters === 0x2e2e || letters >> 8 === 0x2f;
}

/** Returns four characters as the number that they are in a file. */
const numberOf = (name: string) => [...name].reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0);
const DIRC = numberOf('DIRC');
/** The extension that states where the entries end; always the last one. */
const EOIE = numberOf('EOIE');
const EOIE_BYTES = 8 + 4 + CHECKSUM;
/** Extensions that do not change the entries. */
const HARMLESS: ReadonlySet<number> = new Set(['TREE', 'REUC', 'UNTR', 'FSMN'].map(numberOf));
