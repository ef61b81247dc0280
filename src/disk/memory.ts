/** What was made of files, kept as long as they are the very same: for processes that decide many calls. */
import { statSync } from 'node:fs';

/** Files that are remembered; the one that was asked for longest ago makes room. */
const MOST_FILES = 64;
/** A file that changed more recently could change once more without a new time: file systems count in steps of up to two seconds. */
const SETTLED_MS = 3000;

interface Remembered<Value> {
  readonly identity: string;
  readonly value: Value;
}

/** A memory keyed by path, and valid for one device, inode, size and change time in ns; a change time cannot be set by anybody. */
export class FileMemory<Value> {
  /** Null for a file that was asked for, of which nothing is remembered. */
  readonly #known = new Map<string, Remembered<Value> | null>();

  /** The value that `read` makes of a file, or made of it when it was asked for again and is still the same. */
  of(file: string, read: () => Value): Value {
    const known = this.#known.get(file);
    this.#known.delete(file);
    if (known === undefined) {
      // A hook asks once and ends: whether the file is still the same is looked at only for those who come back.
      this.#remember(file, null);
      return read();
    }
    const identity = identityOf(file);
    if (known !== null && known.identity === identity) {
      this.#known.set(file, known);
      return known.value;
    }
    const value = read();
    // Only what certainly was read from that very file.
    const isSame = identity !== null && identityOf(file) === identity;
    this.#remember(file, isSame ? { identity, value } : null);
    return value;
  }

  #remember(file: string, remembered: Remembered<Value> | null): void {
    this.#known.set(file, remembered);
    const oldest = this.#known.keys().next();
    if (this.#known.size > MOST_FILES && !oldest.done) this.#known.delete(oldest.value);
  }
}

/** Null for what is no file, cannot be looked at, or changed just now. */
function identityOf(file: string): string | null {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile() || Date.now() - Number(stat.ctimeMs) < SETTLED_MS) return null;
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.ctimeNs}`;
  } catch {
    return null;
  }
}
