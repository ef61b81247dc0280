/** Lines of a byte stream, of bounded length. */

/** Bytes of the longest line that is read. Pictures and files come as base64 in one line. */
export const LONGEST = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export class Lines {
  readonly #line: (text: string) => void;
  readonly #tooLong: () => void;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  #parts: Buffer[] = [];
  #bytes = 0;

  /**
   * @param line gets each line that is not empty, without its end; a line that is not UTF-8 as an empty text
   * @param tooLong called when a line is longer than any may be; what follows in it is not kept
   */
  constructor(line: (text: string) => void, tooLong: () => void) {
    this.#line = line;
    this.#tooLong = tooLong;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= LONGEST) this.#parts.push(part);
    else if (this.#parts.length > 0) {
      this.#parts = [];
      this.#tooLong();
    }
  }

  #finish(): void {
    const [first] = this.#parts;
    if (first !== undefined) {
      const bytes = this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
      const text = this.#textOf(bytes);
      if (text === null || text.trim() !== '') this.#line(text ?? '');
    }
    this.#parts = [];
    this.#bytes = 0;
  }

  #textOf(bytes: Buffer): string | null {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return null;
    }
  }
}
