/** Finds the secrets in a text: what the log masks before it is written, and what lint reports. */
import { type Glance, glancer } from './glance.js';
import { namedSpans } from './named.js';
import { NAME_ENDINGS } from './names.js';
import { encodedSpans, optionSpans } from './options.js';
import { takenSpans } from './takers.js';
import { type SecretSpan, shapedSpans, tokenSpans } from './tokens.js';

/** A text of this length is looked at as a whole before its parts are. */
const LONG = 400;

let glance: ((text: string) => Glance) | undefined;

/** `pwd=x`: no shorter text can name a secret and hold it. */
const SHORTEST = 5;

/**
 * Every secret that we know how to find, in the order of the text. Of secrets that overlap one span covers all, of the kind of the one
 * that begins first. Takes time in proportion to the length of the text; callers bound it.
 * @param look told what a glance at a long text saw, which holds until the next text is looked at
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
    ...takenSpans(text, lower),
    ...encodedSpans(text, seen),
  ];
  return spans.length === 0 ? spans : joined(spans);
}

function glanceAt(text: string): Glance {
  glance ??= glancer(NAME_ENDINGS);
  return glance(text);
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
