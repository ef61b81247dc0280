/** Writes snapshots. Not part of the hook's usual path, which only reads them (read.ts). */
import { closeSync, openSync, renameSync, type Stats, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { policyToStore } from '../../decide/policy/stored-policy.js';
import { readText } from '../../disk/read.js';
import { statOf } from '../../disk/stat-of.js';
import { ownDirectory } from '../../log/files/directory.js';
import { systemCode } from '../../log/files/log-error.js';
import { FEW_SLOTS, headerChecksum, MAGIC, NO_KEYS, PREFIX, SLOT, slotOf } from './file.js';
import type { PolicyPlaces, PreparedData } from './prepared-policy.js';
import { type Identity, identityOf, type SnapshotHead, snapshotFolder, snapshotName } from './read.js';

/** A file that changed less than this before it was read may change again without a different change time. */
const SETTLING_MS = 100;

/**
 * Stores a policy that was prepared between `startedAt` and now. Stores nothing if a source may have changed meanwhile. A state
 * directory that cannot be written is not an error: calls only stay slow.
 * @param startedAt milliseconds since 1970
 */
export function writeSnapshot(
  places: PolicyPlaces,
  build: string,
  sources: readonly string[],
  data: PreparedData,
  startedAt: number,
): void {
  const folder = snapshotFolder(places);
  const file = join(folder, snapshotName(places));
  const temporary = `${file}.${process.pid}`;
  try {
    const found = identitiesOf(sources);
    const texts = policyTexts(sources.filter((source) => found.get(source) !== null));
    if (!settled(sources, startedAt)) return;
    ownDirectory(places.stateDirectory);
    ownDirectory(folder);
    const { policy, ...prepared } = data;
    const values = new Values();
    const stored = policyToStore(policy, (key, value) => values.put(key, value));
    const head = { build, places, sources: [...present(found, texts), ...missing(found)], prepared, policy: stored };
    const bytes = layout(
      head,
      [...texts].map(([path, text]) => [path, found.get(path) ?? null, text]),
      values,
    );
    writeWhole(temporary, bytes);
    renameSync(temporary, file);
  } catch {
    discard(temporary);
  }
}

/** Uses only functions of Node.js that the hook needs anyway. */
function writeWhole(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
  } finally {
    closeSync(descriptor);
  }
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
  }
}

function identitiesOf(sources: readonly string[]): ReadonlyMap<string, Identity> {
  const found = new Map<string, Identity>();
  for (const source of sources) {
    const stat = statOf(source);
    found.set(source, stat === undefined ? null : identityOf(stat));
  }
  return found;
}

type Found = readonly [path: string, identity: Identity];

/** Returns the paths that existed, without the policy files. */
function present(found: ReadonlyMap<string, Identity>, texts: ReadonlyMap<string, unknown>): Found[] {
  return [...found].filter(([path, identity]) => identity !== null && !texts.has(path));
}

/**
 * Returns the missing paths: for each of them the first missing folder on the way to it, since nothing can appear in a folder
 * that does not exist. Throws if one of them exists by now.
 */
function missing(found: ReadonlyMap<string, Identity>): Found[] {
  const paths = new Set<string>();
  for (const [path, identity] of found) {
    if (identity !== null) continue;
    if (statOf(path) !== undefined) throw new Error(`${path} has come`);
    paths.add(highestMissing(path));
  }
  return [...paths].map((path) => [path, null]);
}

function highestMissing(path: string): string {
  const folder = dirname(path);
  return folder === path || statOf(folder) !== undefined ? path : highestMissing(folder);
}

/** Whether no source, and no folder that contains one, has changed since shortly before the compilation began. */
function settled(sources: readonly string[], startedAt: number): boolean {
  const latest = startedAt - SETTLING_MS;
  const looked = new Set<string>();
  for (const source of sources) {
    for (const path of [source, dirname(source)]) {
      if (looked.has(path)) continue;
      looked.add(path);
      const stat: Stats | undefined = statOf(path);
      if (stat !== undefined && stat.ctimeMs > latest) return false;
    }
  }
  return true;
}

/** Returns the texts of the policy files: few enough not to rely on time stamps alone. */
function policyTexts(sources: readonly string[]): ReadonlyMap<string, Buffer> {
  const texts = new Map<string, Buffer>();
  for (const path of sources) {
    if (!basename(path).startsWith('policy.')) continue;
    const text = readText(path);
    if (text.ok) texts.set(path, Buffer.from(text.text));
  }
  return texts;
}

/** Keys, and their values at the same indices. */
class Values {
  readonly keys: string[] = [];
  readonly values: unknown[] = [];

  put(key: string, value: unknown): void {
    this.keys.push(key);
    this.values.push(value);
  }
}

/** Returns the bytes of a snapshot; see file.ts. */
function layout(
  head: Omit<SnapshotHead, 'texts'>,
  texts: readonly (readonly [path: string, identity: Identity, text: Buffer])[],
  values: Values,
): Buffer {
  let fromEnd = 0;
  const placed: [string, Identity, number][] = [];
  for (const [path, identity, text] of texts.toReversed()) {
    fromEnd += text.length;
    placed.push([path, identity, fromEnd]);
  }
  const whole: SnapshotHead = { ...head, texts: placed };
  const headText = asAsciiJson(JSON.stringify(whole));
  const contents = slotContents(values);
  const from = PREFIX + headText.length + contents.length * SLOT;
  const body = contents.join('');
  const bytes = Buffer.alloc(from + body.length + fromEnd);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const numbers = [bytes.length, headText.length, contents.length] as const;
  [MAGIC, ...numbers, headerChecksum(...numbers)].forEach((number, index) => {
    view.setUint32(index * 4, number, true);
  });
  bytes.write(headText, PREFIX, 'latin1');
  let at = from;
  contents.forEach((content, slot) => {
    const entry = PREFIX + headText.length + slot * SLOT;
    view.setUint32(entry, content === null ? NO_KEYS : at, true);
    view.setUint32(entry + 4, content === null ? NO_KEYS : content.length, true);
    at += content?.length ?? 0;
  });
  bytes.write(body, from, 'latin1');
  for (const [, , text] of texts) {
    bytes.set(text, at);
    at += text.length;
  }
  return bytes;
}

/** Returns the content of each slot, `[slot, key, value, …]`; null for a slot without keys. */
function slotContents({ keys, values }: Values): (string | null)[] {
  // About as many slots as keys; about half as many from the size at which all characters of a key are hashed.
  let slots = 16;
  while (slots < (slots < FEW_SLOTS ? keys.length : keys.length / 2)) slots *= 2;
  const contents = new Array<unknown[] | null>(slots).fill(null);
  keys.forEach((key, at) => {
    const slot = slotOf(key, slots);
    const content = contents[slot] ?? [slot];
    contents[slot] = content;
    content.push(key, values[at]);
  });
  return contents.map((content) => content && asAsciiJson(JSON.stringify(content)));
}

/** Returns JSON in ASCII, so that offsets in the snapshot are the same in bytes and characters. */
function asAsciiJson(json: string): string {
  // Few texts contain other characters, and asking for the byte length is faster than searching for them.
  if (Buffer.byteLength(json) === json.length) return json;
  return json.replace(/[^\u0000-\u007f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
