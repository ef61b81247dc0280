/** Takes the secrets out of a text. */
import { secretSpans } from '../../secret/find.js';

/** `text` with every secret that we know how to find replaced by `[masked:KIND]`; the same text when there is none. */
export function maskText(text: string): string {
  let kept = '';
  let done = 0;
  for (const { start, end, kind } of secretSpans(text)) {
    kept += text.slice(done, start) + mark(kind);
    done = end;
  }
  return done === 0 ? text : kept + text.slice(done);
}

/** What stands in the place of a secret. */
export function mark(kind: string): string {
  return `[masked:${kind}]`;
}
