/** Signed statements about files that were deleted on purpose: without them, anyone could claim that a deleted record was pruned. */
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';
import { sealedRecords } from './files.js';
import { openNote, type Signer, signNote, type Verifier } from './signed-note.js';
import { appendOwn, NAMES, readOwn, type SealedFile } from './state.js';

const LARGEST = 64 * 1024 * 1024;

/** Records that files are about to be deleted; their leaf hashes stay in the tree. Throws LogError. */
export function statePruned(stateDirectory: string, files: readonly SealedFile[], time: string, signer: Signer): void {
  const lines = files.map((file) => `${file.serial} ${file.name} ${sealedRecords(file)}`);
  const note = signNote(`${title(signer.verifier)}\n${time}\n${lines.join('\n')}\n`, signer);
  appendOwn(join(treeDirectory(stateDirectory), NAMES.pruned), JSON.stringify({ note }));
}

/** A checkpoint's first line is the bare name of the key, so no statement can be mistaken for a checkpoint. */
function title({ name }: Verifier): string {
  return `${name} pruned`;
}

/** Returns the serial numbers of the files that the owner of the key deleted. */
export function prunedFiles(stateDirectory: string, verifier: Verifier): Set<number> {
  const serials = new Set<number>();
  const text = readOwn(join(treeDirectory(stateDirectory), NAMES.pruned), LARGEST) ?? '';
  for (const line of text.split('\n')) {
    const [head, , ...lines] = openNote(noteOf(line) ?? '', verifier)?.split('\n') ?? [];
    if (head !== title(verifier)) continue;
    for (const file of lines) {
      const [, serial] = /^(\d{1,9}) \S+ \d+$/.exec(file) ?? [];
      if (serial !== undefined) serials.add(Number(serial));
    }
  }
  return serials;
}

function noteOf(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'note' in value && typeof value.note === 'string' ? value.note : null;
  } catch {
    // A killed prune left an incomplete line: nothing was deleted then.
    return null;
  }
}
