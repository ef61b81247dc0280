/** Finds the secrets in a text, for the log, which masks them before it is written, and for lint, which reports them. */
import { type Glance, glancer } from './glance.js';
import { namedSpans } from './named.js';
import { NAME_ENDINGS } from './names.js';
import { encodedSpans, optionSpans } from './options.js';
import { takenSpans } from './takers.js';
import { type SecretSpan, shapedSpans, tokenSpans } from './tokens.js';

/** A text of at least this length is scanned as a whole before its parts are searched. */
const LONG = 400;

let glance: ((text: string) => Glance) | undefined;

/** `pwd=x`: no shorter text can name a secret and contain it. */
const SHORTEST = 5;

/**
 * Returns every secret of a known form, in the order of the text. Overlapping secrets are merged into one span, with the kind of
 * the one that begins first. Takes time proportional to the length of the text; callers limit it.
 * @param look receives the result of the scan of a long text, which is valid until the next text is scanned
 */
export function secretSpans(text: string, look?: (seen: Glance) => void): SecretSpan[] {
  if (text.length < SHORTEST) return [];
  const seen = text.length < LONG ? null : glanceAt(text);
  if (seen !== null) look?.(seen);
  let lowered: string | undefined;
  const lower = () => {
    lowered ??= text.toLowerCase();
    return lowered;
  };
  const spans = [
    ...tokenSpans(text, seen),
    ...shapedSpans(text, lower, seen),
    ...namedSpans(text, lower, seen),
    ...optionSpans(text, lower, seen),
    ...takenSpans(text),
    ...encodedSpans(text, seen),
  ];
  return spans.length === 0 ? spans : mergedSpans(spans);
}

function glanceAt(text: string): Glance {
  glance ??= glancer(NAME_ENDINGS);
  return glance(text);
}

function mergedSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: SecretSpan[] = [];
  for (const span of ordered) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
