/**
 * The copy of the program from which the hooks of runs start. Comparing every byte of it in each run would take longer than all other
 * steps, so a copy that was compared once is recognized by the metadata of its files, as are the bundles that it was made from.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory } from '../../log/files/directory.js';
import { programCopy, type WantedCopy } from '../../program/program-copy.js';

interface KnownCopy {
  /** The hook's bundle. */
  readonly hook: string;
  readonly nodeOptions: readonly string[];
}

/** Returns the copy; makes it if it is missing or incomplete. Throws WriteError and LogError. */
export function knownCopy(wanted: WantedCopy, stateDirectory: string): KnownCopy {
  const file = `${stateDirectory}/clients/program-copy`;
  const before = readText(file, { follow: false });
  const recalled = before.ok ? recall(before.text) : null;
  if (recalled !== null && recalled.stamps === stampsOf(wanted, recalled.hook)) return recalled;
  const copy = programCopy(wanted);
  if (!copy.isThere) copy.make();
  const { hook, nodeOptions } = copy;
  ownDirectory(stateDirectory);
  ownDirectory(dirname(file));
  try {
    const stamps = stampsOf(wanted, hook);
    if (stamps !== null) replaceFile(file, before.ok ? before.text : null, JSON.stringify({ hook, nodeOptions, stamps }), 0o600);
  } catch {
    // Another process was faster, or the disk is full; the copy is compared again the next time.
  }
  return { hook, nodeOptions };
}

function recall(text: string): (KnownCopy & { readonly stamps: string }) | null {
  try {
    const { hook, nodeOptions, stamps } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isKnown = typeof hook === 'string' && typeof stamps === 'string' && Array.isArray(nodeOptions);
    return isKnown ? { hook, stamps, nodeOptions: nodeOptions.map(String) } : null;
  } catch {
    return null;
  }
}

/** Returns the metadata of all files of copy and bundles; change times cannot be set back. Null if a file cannot be examined. */
function stampsOf({ bundles, versions, version, node }: WantedCopy, hook: string): string | null {
  const copy = dirname(hook);
  try {
    const files = [bundles, copy].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const stamps = [node, versions, dirname(copy), copy, join(dirname(copy), 'installed.json'), ...files].map((path) => {
      const { size, ctimeMs, ino, mode, uid } = lstatSync(path);
      // The folder of all copies changes whenever another copy is made.
      return [path, ino, mode, uid, ...(path === versions ? [] : [size, ctimeMs])];
    });
    return JSON.stringify([version, ...stamps]);
  } catch {
    return null;
  }
}
