/**
 * The record of what an installation changed in a client's list of servers, in the state directory: from it the file is restored
 * byte for byte, or entry by entry if it was edited since. It also proves that a person of this machine wanted these entries.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFields, own, text } from '../../call/fields.js';
import { canonical, isMap, JsonTextError, readJsonText } from '../../disk/json-text.js';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory } from '../../log/files/directory.js';
import { digestOf } from '../../project/trust-record.js';
import type { Entry } from './entry.js';

export interface ServerRecord {
  /** Real path of the file. */
  readonly path: string;
  /** Digest of the text that was written. */
  readonly after: string;
  /** Where that text differs from the one before the first installation: `length` characters from `start` were `text`. */
  readonly middle: { readonly start: number; readonly length: number; readonly text: string };
  readonly entries: readonly RecordedEntry[];
}

export interface RecordedEntry {
  readonly at: readonly string[];
  readonly before: Entry;
  readonly after: Entry;
}

/** No list of servers is larger. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Null if there is none that can be used. */
export function readServerRecord(stateDirectory: string, path: string): ServerRecord | null {
  const read = readText(recordFile(stateDirectory, path), { follow: false, limit: MOST_BYTES });
  if (!read.ok) return null;
  try {
    const found: unknown = JSON.parse(read.text);
    if (!isFields(found) || own(found, 'version') !== 1 || text(found, 'path') !== path) return null;
    const [after, middle, entries] = [text(found, 'after'), own(found, 'middle'), own(found, 'entries')];
    if (after === null || !isFields(middle) || !Array.isArray(entries)) return null;
    const [start, length, before] = [own(middle, 'start'), own(middle, 'length'), own(middle, 'text')];
    if (typeof start !== 'number' || typeof length !== 'number' || typeof before !== 'string') return null;
    return { path, after, middle: { start, length, text: before }, entries: entries.flatMap(entryOf) };
  } catch {
    // Damaged records are ignored.
    return null;
  }
}

function entryOf(found: unknown): readonly RecordedEntry[] {
  const at = isFields(found) ? own(found, 'at') : null;
  if (!isFields(found) || !Array.isArray(at) || !at.every((name) => typeof name === 'string')) return [];
  const [before, after] = ['before', 'after'].map((name) => mapOf(text(found, name) ?? ''));
  return before == null || after == null ? [] : [{ at, before, after }];
}

/** The order of the members counts, so an entry is kept as a text. */
function mapOf(source: string): Entry | null {
  try {
    const { value } = readJsonText(source, true);
    return isMap(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}

/** Throws LogError if the state directory belongs to others, and WriteError if the record cannot be written. */
export function writeServerRecord(stateDirectory: string, { entries, ...record }: ServerRecord): void {
  ownDirectory(stateDirectory);
  ownDirectory(join(stateDirectory, 'installs'));
  const file = recordFile(stateDirectory, record.path);
  const old = readText(file, { follow: false, limit: MOST_BYTES });
  const texts = entries.map(({ at, before, after }) => ({ at, before: canonical(before), after: canonical(after) }));
  const content = { version: 1, ...record, entries: texts };
  replaceFile(file, old.ok ? old.text : null, `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

export function removeServerRecord(stateDirectory: string, path: string): void {
  rmSync(recordFile(stateDirectory, path), { force: true });
}

function recordFile(stateDirectory: string, path: string): string {
  return join(stateDirectory, 'installs', `${digestOf(path).slice('sha256:'.length, 'sha256:'.length + 32)}.servers.json`);
}

/** Returns where two texts differ. */
export function middleOf(before: string, after: string): ServerRecord['middle'] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, length: after.length - end - start, text: before.slice(start, before.length - end) };
}

/** Returns the text before the installation; null if the file was edited since. */
export function textBefore(record: ServerRecord | null, now: string): string | null {
  if (record === null || digestOf(now) !== record.after) return null;
  const { start, length, text: before } = record.middle;
  return now.slice(0, start) + before + now.slice(start + length);
}
