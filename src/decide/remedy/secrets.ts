/** Secrets of a call: a rule that is offered would keep them in a policy file, which many people read. */
import { secretSpans } from '../../secret/find.js';

/** Shorter ones may stand in a rule by chance. */
const SHORTEST = 6;
/** Characters of a text that are looked through; no rule quotes one that is longer. */
const MOST = 20_000;

/** Whether a rule's text would give a secret away: one that stands in the texts of `input`, or one that is found in the rule alone. */
export function holdsSecret(rule: string, input: Readonly<Record<string, unknown>>): boolean {
  const unquoted = withoutQuotes(rule);
  const isHeld = (secret: string) => secret.length >= SHORTEST && unquoted.includes(withoutQuotes(secret));
  return secretSpans(rule).length > 0 || secretsOf(input).some(isHeld);
}

/** A rule quotes parts of a word each by itself. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/["']/g, '');
}

function secretsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(input)
    .flatMap((value) => (typeof value === 'string' ? [value.slice(0, MOST)] : []))
    .flatMap((text) => secretSpans(text).map(({ start, end }) => text.slice(start, end)));
}
