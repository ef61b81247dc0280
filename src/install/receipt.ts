/**
 * The record of an installation's changes: one file in the state directory for each file that contains the hook. It allows the
 * installation to be undone byte for byte, unless the file has been changed since. A lost or wrong receipt does no harm:
 * without a receipt, the hook is removed from the current text.
 */

import { existsSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isFields, own, text } from '../call/fields.js';
import { readText } from '../disk/read.js';
import { replaceFile } from '../disk/replace.js';
import { ownDirectory } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { readLooseJson } from '../policy/read/loose-json.js';
import { digestOf } from '../project/trust-record.js';
import type { PutSetting } from './json-settings.js';

export interface Receipt {
  readonly version: 1;
  readonly runner: string;
  readonly scope: string;
  /** Real path of the edited file. */
  readonly path: string;
  /** Digest of the file's text before the installation; null: the file did not exist. */
  readonly before: string | null;
  readonly after: string;
  /** The path of the copy of the text before the installation; null: there is no copy. */
  readonly backup: string | null;
  /** The topmost folder that was created for the file; null: none was created. */
  readonly madeFolder: string | null;
  /** The settings that were added for the sandbox; absent: none. */
  readonly sandbox?: readonly PutSetting[];
}

/** Returns the receipt of a file; null if there is no usable one. */
export function readReceipt(stateDirectory: string, path: string): Receipt | null {
  const read = readText(receiptFile(stateDirectory, path), { follow: false });
  if (!read.ok) return null;
  try {
    const found: unknown = JSON.parse(read.text);
    if (!isFields(found) || own(found, 'version') !== 1 || text(found, 'path') !== path) return null;
    const after = text(found, 'after');
    if (after === null) return null;
    const sandbox = putSettings(own(found, 'sandbox'));
    return {
      version: 1,
      runner: text(found, 'runner') ?? '',
      scope: text(found, 'scope') ?? '',
      path,
      before: text(found, 'before'),
      after,
      backup: text(found, 'backup'),
      madeFolder: text(found, 'madeFolder'),
      ...(sandbox.length > 0 && { sandbox }),
    };
  } catch {
    // Damaged receipts are ignored.
    return null;
  }
}

/** The files that were given a hook, those whose MCP servers were put behind the gateway, and the records that cannot be read. */
export interface RecordedPaths {
  readonly hooks: readonly string[];
  readonly servers: readonly string[];
  readonly damaged: readonly string[];
}

export function recordedPaths(stateDirectory: string): RecordedPaths {
  const folder = join(stateDirectory, 'installs');
  const names = existsSync(folder) ? readdirSync(folder).sort().slice(0, MOST_RECORDS) : [];
  const hooks: string[] = [];
  const servers: string[] = [];
  const damaged: string[] = [];
  for (const name of names) {
    const read = readText(join(folder, name), { follow: false });
    const found = read.ok ? readLooseJson(read.text).data : null;
    const path = isFields(found) ? text(found, 'path') : null;
    if (path === null) damaged.push(join(folder, name));
    else (name.endsWith('.servers.json') ? servers : hooks).push(path);
  }
  return { hooks, servers, damaged };
}

/** Whether a file names the copies of the program below a folder, or one of them; true where that cannot be seen. */
export function mayName(folder: string, path: string): boolean {
  if (!existsSync(path)) return false;
  const read = readText(path);
  return !read.ok || read.text.includes(folder) || read.text.includes(JSON.stringify(folder).slice(1, -1));
}

/**
 * The copies of the program that no hook or server on record starts and that are older than 30 days, so that no agent which started
 * with such a line is likely to run; none while any record is unclear.
 * @param now milliseconds since 1970
 */
export function unusedCopies(versions: string, stateDirectory: string, now: number): readonly string[] {
  const { hooks, servers, damaged } = recordedPaths(stateDirectory);
  if (damaged.length > 0 || !existsSync(versions)) return [];
  const isOld = (copy: string) => now - lstatSync(copy).mtimeMs > OLD_COPY;
  const copies = readdirSync(versions, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(versions, entry.name)] : [],
  );
  return copies.filter((copy) => isOld(copy) && ![...hooks, ...servers].some((path) => mayName(copy, path)));
}

const OLD_COPY = 30 * 86_400_000;

/** Far more than anyone has. */
const MOST_RECORDS = 10_000;

function putSettings(found: unknown): readonly PutSetting[] {
  const isPut = (one: unknown): one is PutSetting => {
    const key = isFields(one) ? own(one, 'key') : null;
    return Array.isArray(key) && key.length > 0 && key.every((name) => typeof name === 'string');
  };
  return Array.isArray(found) ? found.filter(isPut) : [];
}

/** Throws LogError if the state directory belongs to others, and WriteError if the receipt cannot be written. */
export function writeReceipt(stateDirectory: string, receipt: Receipt): void {
  ownDirectory(stateDirectory);
  ownDirectory(join(stateDirectory, 'installs'));
  const file = receiptFile(stateDirectory, receipt.path);
  const old = readText(file, { follow: false });
  replaceFile(file, old.ok ? old.text : null, `${JSON.stringify(receipt, null, 2)}\n`, 0o600);
}

export function removeReceipt(stateDirectory: string, path: string): void {
  try {
    unlinkSync(receiptFile(stateDirectory, path));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function receiptFile(stateDirectory: string, path: string): string {
  return join(stateDirectory, 'installs', `${digestOf(path).slice('sha256:'.length, 'sha256:'.length + 32)}.json`);
}
