/** Takes the secrets out of a text. */
import { secretSpans } from '../../secret/find.js';

/**
 * `text` with every secret that we know how to find replaced; the same text when there is none.
 * @param cover what stands in the place of one; `[masked:KIND]` unless told
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

/** What stands in the place of a secret. */
export function mark(kind: string): string {
  return `[masked:${kind}]`;
}
