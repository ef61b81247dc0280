/** Removes the secrets from a text. */
import { secretSpans } from '../../secret/find.js';

/**
 * Returns `text` with every known kind of secret replaced; the same text if there is none.
 * @param cover returns the replacement for a secret; default: `[masked:KIND]`
 */
export function maskText(text: string, cover: (kind: string, length: number) => string = mark): string {
  let kept = '';
  let done = 0;
  for (const { start, end, kind } of secretSpans(text)) {
    kept += text.slice(done, start) + cover(kind, end - start);
    done = end;
  }
  return done === 0 ? text : kept + text.slice(done);
}

/** Returns the replacement for a secret. */
export function mark(kind: string): string {
  return `[masked:${kind}]`;
}
