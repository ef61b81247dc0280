/** Takes the secrets out of a text. */
import { namedSpans } from './named-secrets.js';
import { encodedSpans, optionSpans } from './secret-options.js';
import { type SecretSpan, shapedSpans, tokenSpans } from './secret-tokens.js';

/**
 * `text` with every secret that we know how to find replaced by `[masked:KIND]`; the same text when there is none.
 * Takes time in proportion to the length of the text; callers bound it.
 */
export function maskText(text: string): string {
  if (text.length < SHORTEST) return text;
  const lower = text.toLowerCase();
  const spans = [
    ...tokenSpans(text),
    ...shapedSpans(text, lower),
    ...namedSpans(text, lower),
    ...optionSpans(text, lower),
    ...encodedSpans(text),
  ];
  return spans.length === 0 ? text : without(text, spans);
}

/** `pwd=x`: no shorter text can name a secret and hold it. */
const SHORTEST = 5;

/** What stands in the place of a secret. */
export function mark(kind: string): string {
  return `[masked:${kind}]`;
}

/** Replaces the spans; of spans that overlap, one mark stands for all, named after the one that begins first. */
function without(text: string, spans: readonly SecretSpan[]): string {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  let kept = '';
  let done = 0;
  for (const { start, end, kind } of ordered) {
    if (start >= done) kept += text.slice(done, start) + mark(kind);
    done = Math.max(done, end);
  }
  return kept + text.slice(done);
}
