/** A cache of values derived from files, valid while these are unchanged: for processes that decide many calls. */
import { statSync } from 'node:fs';

/** Maximum number of files; the least recently used one is removed. */
const MOST_FILES = 64;
/** A file that changed more recently could change again without a new time: file systems have a resolution of up to two seconds. */
const SETTLED_MS = 3000;

interface Remembered<Value> {
  readonly identity: string;
  readonly value: Value;
}

/** A cache keyed by path, and valid for one device, inode, size and change time in ns; a change time cannot be set by a program. */
export class FileMemory<Value> {
  /** Null for a file that was requested, but has no cached value. */
  readonly #known = new Map<string, Remembered<Value> | null>();

  /** Returns the value that `read` derives from a file, or the cached one if the file is requested again and unchanged. */
  of(file: string, read: () => Value): Value {
    const known = this.#known.get(file);
    this.#known.delete(file);
    if (known === undefined) {
      // A hook requests a file once and ends, so its identity is checked only for repeated requests.
      this.#remember(file, null);
      return read();
    }
    const identity = identityOf(file);
    if (known !== null && known.identity === identity) {
      this.#known.set(file, known);
      return known.value;
    }
    const value = read();
    // Only a value that was certainly read from that very file.
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

/** Returns null for a path that is no file, cannot be examined, or has just changed. */
function identityOf(file: string): string | null {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile() || Date.now() - Number(stat.ctimeMs) < SETTLED_MS) return null;
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.ctimeNs}`;
  } catch {
    return null;
  }
}
