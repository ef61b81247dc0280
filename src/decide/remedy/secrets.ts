/** Secrets of a call: a rule that is offered would keep them in a policy file, which many people read. */
import { secretSpans } from '../../secret/find.js';

/** Shorter ones may stand in a rule by chance. */
const SHORTEST = 6;

/** The secrets that stand in the texts of an input. */
export function secretsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(input)
    .filter((value) => typeof value === 'string')
    .flatMap((text) => secretSpans(text).map(({ start, end }) => text.slice(start, end)))
    .filter(({ length }) => length >= SHORTEST);
}

/**
 * Whether a rule's text would give a secret away: one of the call, or one that is found in the rule alone.
 * @param secrets those of the call
 */
export function holdsSecret(rule: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => rule.includes(secret)) || secretSpans(rule).length > 0;
}
