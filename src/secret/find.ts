/** Finds the secrets in a text: what the log masks before it is written, and what lint reports. */
import { namedSpans } from './named.js';
import { encodedSpans, optionSpans } from './options.js';
import { type SecretSpan, shapedSpans, tokenSpans } from './tokens.js';

/** `pwd=x`: no shorter text can name a secret and hold it. */
const SHORTEST = 5;

/**
 * Every secret that we know how to find, in the order of the text. Of secrets that overlap one span covers all, of the kind of the one
 * that begins first. Takes time in proportion to the length of the text; callers bound it.
 */
export function secretSpans(text: string): SecretSpan[] {
  if (text.length < SHORTEST) return [];
  const lower = text.toLowerCase();
  const spans = [
    ...tokenSpans(text),
    ...shapedSpans(text, lower),
    ...namedSpans(text, lower),
    ...optionSpans(text, lower),
    ...encodedSpans(text),
  ];
  return spans.length === 0 ? spans : joined(spans);
}

function joined(spans: readonly SecretSpan[]): SecretSpan[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: SecretSpan[] = [];
  for (const span of ordered) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
