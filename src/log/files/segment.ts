/**
 * One file of the log with random access to its bytes, packed or not. A packed file is plain gzip (`zcat` reads it) in members of
 * 256 KiB, each with its length in its header (RFC 1952 §2.3.1.1), so that reading its end is as cheap as reading its beginning
 * and at most one member is in memory.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { LogError, systemCode } from './log-error.js';

export interface Segment {
  /** Size in bytes, unpacked. */
  readonly size: number;
  /** Returns up to `length` bytes at `position`; fewer only at the end. */
  readonly read: (position: number, length: number) => Buffer;
  /** Reads the same bytes into `target` from `at` on; returns how many there were. */
  readonly readInto: (target: Uint8Array, at: number, position: number, length: number) => number;
  readonly close: () => void;
  /** Time of the last write, in milliseconds since 1970. */
  readonly changed: number;
}

/** Opens a file of the log. Throws LogError for a file that cannot be read or is damaged. */
export function openSegment(path: string): Segment {
  const descriptor = openFile(path);
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const close = () => closeSync(descriptor);
    if (path.endsWith('.gz')) return { ...unpacked(path, descriptor, size), close, changed: mtimeMs };
    return {
      size,
      read: (position, length) => bytesAt(path, descriptor, position, length),
      readInto: (target, at, position, length) => fill(path, descriptor, target, { at, position, length }),
      close,
      changed: mtimeMs,
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openFile(path: string): number {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    throw new LogError('log/file', `The decision log ${path} cannot be read (${systemCode(error)}).`);
  }
  throw new LogError('log/file', `The decision log ${path} is not a regular file.`);
}

function bytesAt(path: string, descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, fill(path, descriptor, bytes, { at: 0, position, length }));
}

/** Reads up to `length` bytes at `position` into `target` from `at` on; returns how many there were. */
function fill(
  path: string,
  descriptor: number,
  target: Uint8Array,
  { at, position, length }: { readonly at: number; readonly position: number; readonly length: number },
): number {
  let filled = 0;
  try {
    while (filled < length) {
      const got = readSync(descriptor, target, at + filled, length - filled, position + filled);
      if (got === 0) break;
      filled += got;
    }
  } catch (error) {
    throw new LogError('log/file', `The decision log ${path} cannot be read (${systemCode(error)}).`);
  }
  return filled;
}

const MEMBER_BYTES = 262_144;
/** Magic number, deflate, an extra field, no time, unknown system; then the field: 8 bytes, `PL`, 4 bytes. */
const HEADER = Buffer.from('1f8b08040000000000ff0800504c0400', 'hex');
const HEADER_BYTES = HEADER.length + 4;
const TRAILER_BYTES = 8;

/** A member of a packed file: its position in the file, and the range of unpacked bytes that it contains. */
interface Member {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

function unpacked(path: string, descriptor: number, packedSize: number): Pick<Segment, 'size' | 'read' | 'readInto'> {
  const members = membersOf(path, descriptor, packedSize);
  let known: { readonly member: Member; readonly bytes: Buffer } | null = null;
  const bytesOf = (member: Member): Buffer => {
    if (known?.member !== member) known = { member, bytes: unpack(path, descriptor, member) };
    return known.bytes;
  };
  const read = (position: number, length: number): Buffer => {
    const parts: Buffer[] = [];
    const end = position + length;
    for (let index = Math.floor(position / MEMBER_BYTES); index < members.length; index += 1) {
      const member = members[index];
      if (member === undefined || member.from >= end) break;
      parts.push(bytesOf(member).subarray(Math.max(0, position - member.from), end - member.from));
    }
    return Buffer.concat(parts);
  };
  const readInto: Segment['readInto'] = (target, at, position, length) => {
    const bytes = read(position, length);
    target.set(bytes, at);
    return bytes.length;
  };
  return { size: members.at(-1)?.to ?? 0, read, readInto };
}

/** Returns all members; all but the last are full, so that the member of a byte is found by division. */
function membersOf(path: string, descriptor: number, packedSize: number): Member[] {
  const members: Member[] = [];
  for (let [at, from] = [0, 0]; at < packedSize; ) {
    const header = bytesAt(path, descriptor, at, HEADER_BYTES);
    const length = header.length === HEADER_BYTES ? header.readUInt32LE(HEADER.length) : 0;
    const isOurs = header.subarray(0, HEADER.length).equals(HEADER) && length >= HEADER_BYTES + TRAILER_BYTES;
    if (!isOurs || length > 2 * MEMBER_BYTES || at + length > packedSize) damaged(path);
    const unpackedLength = bytesAt(path, descriptor, at + length - 4, 4).readUInt32LE(0);
    const isLast = at + length === packedSize;
    if (unpackedLength > MEMBER_BYTES || (!isLast && unpackedLength < MEMBER_BYTES)) damaged(path);
    members.push({ at, length, from, to: from + unpackedLength });
    at += length;
    from += unpackedLength;
  }
  return members;
}

function unpack(path: string, descriptor: number, { at, length, from, to }: Member): Buffer {
  const packed = bytesAt(path, descriptor, at + HEADER_BYTES, length - HEADER_BYTES - TRAILER_BYTES);
  let bytes: Buffer;
  try {
    bytes = inflateRawSync(packed, { maxOutputLength: MEMBER_BYTES });
  } catch {
    return damaged(path);
  }
  return bytes.length === to - from ? bytes : damaged(path);
}

function damaged(path: string): never {
  throw new LogError('log/packed', `The compressed decision log ${path} is damaged; restore it from a backup.`);
}

/**
 * Packs the content of `segment` into an open, empty file. Returns false when `goOn` returned false in between. Throws LogError
 * when it cannot be written.
 */
export function packInto(path: string, descriptor: number, segment: Segment, goOn: () => boolean): boolean {
  for (let position = 0; position < segment.size; position += MEMBER_BYTES) {
    if (!goOn()) return false;
    writeWhole(path, descriptor, packed(segment.read(position, Math.min(MEMBER_BYTES, segment.size - position))));
  }
  return true;
}

function packed(bytes: Buffer): Buffer {
  const body = deflateRawSync(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(HEADER_BYTES + body.length + TRAILER_BYTES);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([HEADER, length, body, trailer]);
}

function writeWhole(path: string, descriptor: number, bytes: Buffer): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  } catch (error) {
    throw new LogError('log/write', `${path} cannot be written (${systemCode(error)}); free space and try again.`);
  }
}
