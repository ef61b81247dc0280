/**
 * The format of a snapshot: 32-bit little-endian numbers (MAGIC, size of the file, size of the head, number of slots, checksum of
 * these three, an unused one); the head; a table of the slots; their contents; the texts of the policy files. Values are stored
 * in slots by a hash of their keys, and a call reads only those that it needs. A slot states where its content is, and the
 * content names its slot and keys, so that a hole in the file is not mistaken for an absent key.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { ownershipProblem } from '../../log/files/directory.js';
import { latin1Of } from '../../log/record/bytes.js';
import type { Store } from '../../rule/store/node.js';

export const MAGIC = 0x706f6c31;
export const PREFIX = 24;
/** Size of a slot: offset and length of `[slot, key, value, …]`, JSON in ASCII. */
export const SLOT = 8;
/** Offset and length of a slot without keys; zeros would be a hole in the file. */
export const NO_KEYS = 0xffffffff;

const LARGEST = 256 * 1024 * 1024;
/** A file up to this size is read at once. */
const SMALL = 192 * 1024;

/** Up to this many slots, a sample of a key's characters is enough for the hash. */
export const FEW_SLOTS = 512;

/** Returns the slot of a key. Hashing every character would make the writer's loop long enough to be compiled to machine code. */
export function slotOf(key: string, slots: number): number {
  const step = slots > FEW_SLOTS ? 1 : (key.length >> 3) + 1;
  let hash = key.length;
  for (let at = key.length - 1; at >= 0; at -= step) hash = (hash * 31 + key.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (slots - 1);
}

/** Returns a checksum of the three numbers. */
export function headerChecksum(size: number, headSize: number, slots: number): number {
  return (size ^ headSize ^ slots) >>> 0;
}

/** An open snapshot. Its head is JSON that this program wrote, whose shape its reader knows. */
export interface SnapshotFile {
  readonly head: unknown;
  readonly store: Store;
  /** True if the file contains these bytes at this distance from its end. */
  readonly holds: (text: Uint8Array, fromEnd: number) => boolean;
  readonly close: () => void;
}

/** Opens a regular file that belongs to the user alone; null for anything else. Its folder has to belong to the user alone, too. */
export function openSnapshot(folder: string, name: string): SnapshotFile | null {
  let bytes: Bytes | null = null;
  try {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isDirectory() || ownershipProblem(stat) !== null) return null;
    const file = `${folder}/${name}`;
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    bytes = new Bytes(descriptor);
    const opened = read(bytes, file);
    if (opened === null) bytes.close();
    return opened;
  } catch {
    // Absent, unreadable or damaged: the policy is compiled instead.
    bytes?.close();
    return null;
  }
}

function read(bytes: Bytes, file: string): SnapshotFile | null {
  const stat = fstatSync(bytes.descriptor);
  if (!stat.isFile() || stat.size < PREFIX || stat.size > LARGEST || ownershipProblem(stat) !== null) return null;
  bytes.begin(stat.size);
  const [magic, size, headSize, slots, together] = [0, 4, 8, 12, 16].map((at) => bytes.number(at));
  if (magic !== MAGIC || size !== stat.size || headSize === undefined || slots === undefined) return null;
  // With a wrong number of slots, keys would be looked up in the wrong places.
  if (together !== headerChecksum(size, headSize, slots)) return null;
  const head: unknown = JSON.parse(bytes.text(PREFIX, headSize));
  return {
    head,
    store: new SlotStore(bytes, { from: PREFIX + headSize, slots }, file),
    holds: (text, fromEnd) => bytes.holds(text, stat.size - fromEnd),
    close: () => bytes.close(),
  };
}

/** The bytes of a file: a small one is read at once, a large one on demand. */
class Bytes {
  readonly descriptor: number;
  #read = new Uint8Array(0);
  #numbers = numbersOf(this.#read);
  #size = 0;
  #open = true;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  begin(size: number): void {
    this.#size = size;
    this.#read = this.#from(0, Math.min(size, SMALL));
    this.#numbers = numbersOf(this.#read);
    if (size <= SMALL) this.close();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.descriptor);
  }

  number(at: number): number {
    if (at + 4 <= this.#read.length) return this.#numbers.getUint32(at, true);
    return numbersOf(this.#from(at, 4)).getUint32(0, true);
  }

  /** Returns ASCII text, or any bytes for comparison. */
  text(at: number, length: number): string {
    const end = at + length;
    return end <= this.#read.length ? latin1Of(this.#read, at, end) : latin1Of(this.#from(at, length));
  }

  holds(text: Uint8Array, at: number): boolean {
    return at >= 0 && this.text(at, text.length) === latin1Of(text);
  }

  #from(at: number, length: number): Uint8Array<ArrayBuffer> {
    if (at + length > this.#size || !this.#open) throw new RangeError('the file ends before, or is closed');
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const got = readSync(this.descriptor, bytes, done, length - done, at + done);
      if (got === 0) throw new RangeError('the file ends before');
      done += got;
    }
    return bytes;
  }
}

/** Reads numbers at any offset; Buffer's own methods would have to be compiled first. */
function numbersOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Values by key in the slots of a file. If anything about a slot is wrong, the file is deleted and nothing is decided with it. */
class SlotStore implements Store {
  readonly #bytes: Bytes;
  readonly #table: { readonly from: number; readonly slots: number };
  readonly #file: string;

  constructor(bytes: Bytes, table: { readonly from: number; readonly slots: number }, file: string) {
    this.#bytes = bytes;
    this.#table = table;
    this.#file = file;
  }

  get(key: string): unknown {
    const slot = slotOf(key, this.#table.slots);
    const content = this.#contentOf(slot);
    if (content === null) return undefined;
    if (!Array.isArray(content) || content[0] !== slot) return this.damaged(key);
    for (let at = 1; at < content.length; at += 2) if (content[at] === key) return content[at + 1] ?? this.damaged(key);
    return undefined;
  }

  #contentOf(slot: number): unknown {
    try {
      const at = this.#table.from + slot * SLOT;
      const length = this.#bytes.number(at + 4);
      return length === NO_KEYS ? null : JSON.parse(this.#bytes.text(this.#bytes.number(at), length));
    } catch {
      return this.damaged(`slot ${slot}`);
    }
  }

  damaged(_key: string): never {
    try {
      unlinkSync(this.#file);
    } catch {
      // The file is already gone, or it stays and the next call fails in the same way.
    }
    throw new Error('the compiled policy is damaged and was removed; repeat the call, and it is compiled again');
  }
}
