/** The records of trust: one file per repository in the user's state directory, accessible to the user alone, replaced as a whole. */
import { lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../disk/read.js';
import { replaceFile } from '../disk/replace.js';
import { validateTrustRecord } from '../generated/validators/trust-record.js';
import { ownDirectory, ownershipProblem } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { sha256 } from '../log/record/sha256.js';
import type { Grants } from '../policy/grants.js';

/** See schemas/trust-record.schema.json. */
export interface TrustRecord {
  readonly version: 1;
  readonly repository: string;
  readonly trustedAt: string;
  readonly digest: string;
  readonly files: readonly string[];
  /** The texts of the shared files among them; absent in older records. */
  readonly texts?: readonly RecordedFile[];
  readonly grants: Grants;
}

/** A policy file as it was when a person trusted it. */
export interface RecordedFile {
  readonly file: string;
  readonly text: string;
}

export type ReadRecord =
  | { readonly state: 'none' }
  | { readonly state: 'found'; readonly record: TrustRecord }
  /** There is a record that must not be believed; `why` ends a sentence that begins with its path. */
  | { readonly state: 'unusable'; readonly why: string };

const LARGEST = 4 * 1024 * 1024;

interface RecordPlaces {
  readonly folder: string;
  readonly file: string;
}

/** Returns the path of a repository's record, and the folder, which has to belong to the user alone. */
export function recordPlaces(stateDirectory: string, repository: string): RecordPlaces {
  const folder = join(stateDirectory, 'trust');
  return { folder, file: join(folder, `${digestOf(repository).slice('sha256:'.length, 'sha256:'.length + 32)}.json`) };
}

/** Returns `sha256:` and the digest of a text. */
export function digestOf(text: string): string {
  return `sha256:${sha256(Buffer.from(text))}`;
}

/** Returns the record of a repository, if only the user can have written it. */
export function readRecord({ folder, file }: RecordPlaces, repository: string): ReadRecord {
  const stranger = whyNotOurRecord(folder, file);
  if (stranger === undefined) return { state: 'none' };
  if (stranger !== null) return { state: 'unusable', why: stranger };
  const text = readText(file, { limit: LARGEST, follow: false });
  if (!text.ok) return { state: 'unusable', why: text.message };
  const record = parse(text.text);
  if (record === null) return { state: 'unusable', why: 'is damaged' };
  // Two repositories whose digests have the same beginning must not share a record.
  if (record.repository !== repository) return { state: 'unusable', why: 'belongs to another repository' };
  return { state: 'found', record };
}

/** Returns why another user of this machine may have written a trust record; null if only the user can have, undefined if there is none. */
function whyNotOurRecord(folder: string, file: string): string | null | undefined {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const holder = lstatSync(folder);
    return holder.isDirectory() ? (ownershipProblem(holder) ?? ownershipProblem(stat)) : 'lies in a folder that is a link';
  } catch (error) {
    return `cannot be examined (${systemCode(error)})`;
  }
}

function parse(text: string): TrustRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return validateTrustRecord(value) ? (value as TrustRecord) : null;
  } catch {
    return null;
  }
}

/** Replaces the stored record. Throws LogError or WriteError with a sentence; then nothing was changed. */
export function writeRecord(stateDirectory: string, record: TrustRecord): void {
  const { folder, file } = recordPlaces(stateDirectory, record.repository);
  ownDirectory(stateDirectory);
  ownDirectory(folder);
  const before = readText(file, { limit: LARGEST, follow: false });
  // An unreadable record was not believed either.
  if (!before.ok && before.code !== 'missing') removeRecord(stateDirectory, record.repository);
  replaceFile(file, before.ok ? before.text : null, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

/** Removes a record; true if there was one. */
export function removeRecord(stateDirectory: string, repository: string): boolean {
  try {
    unlinkSync(recordPlaces(stateDirectory, repository).file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
