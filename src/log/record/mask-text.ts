/** Removes the secrets from a text. */
import { secretSpans } from '../../secret/find.js';

/** Short texts that hold no secret: names, paths and reasons come again with every call of a process. */
const clean = new Set<string>();
const MOST_CLEAN = 256;
const LONGEST_CLEAN = 2_048;

/**
 * Returns `text` with every known kind of secret replaced; the same text if there is none.
 * @param cover returns the replacement for a secret; default: `[masked:KIND]`
 */
export function maskText(text: string, cover: (kind: string, length: number) => string = mark): string {
  if (clean.has(text)) return text;
  let kept = '';
  let done = 0;
  for (const { start, end, kind } of secretSpans(text)) {
    kept += text.slice(done, start) + cover(kind, end - start);
    done = end;
  }
  if (done > 0) return kept + text.slice(done);
  if (clean.size >= MOST_CLEAN) clean.clear();
  if (text.length <= LONGEST_CLEAN) clean.add(text);
  return text;
}

/** Returns the replacement for a secret. */
export function mark(kind: string): string {
  return `[masked:${kind}]`;
}
