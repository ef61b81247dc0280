/** Secrets of a call: an offered rule would store them in a policy file, which many people read. */
import { secretSpans } from '../../secret/find.js';

/** Shorter secrets may occur in a rule by chance. */
const SHORTEST = 6;
/** At most this many characters of a text are searched; no rule quotes a longer text. */
const MOST = 20_000;

/** Whether a rule's text would reveal a secret: one from a string of `input`, or one found in the rule itself. */
export function holdsSecret(rule: string, input: Readonly<Record<string, unknown>>): boolean {
  const unquoted = withoutQuotes(rule);
  const isHeld = (secret: string) => secret.length >= SHORTEST && unquoted.includes(withoutQuotes(secret));
  return secretSpans(rule).length > 0 || secretsOf(input).some(isHeld);
}

/** Removes quotes, because a rule may quote parts of a word separately. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/["']/g, '');
}

function secretsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(input)
    .flatMap((value) => (typeof value === 'string' ? [value.slice(0, MOST)] : []))
    .flatMap((text) => secretSpans(text).map(({ start, end }) => text.slice(start, end)));
}
