/** Credentials in the texts that lint examines: which of them are real, what to call them, and how to show a line with one. */
import { secretSpans } from '../../secret/find.js';
import type { SecretSpan } from '../../secret/tokens.js';
import { proofOf } from './proven.js';
import { isPlaceholder, isReal, type Surroundings } from './real-secret.js';

/** Better words for kinds of secrets that a reader would not understand. */
const WORDS: Readonly<Record<string, string>> = {
  secret: 'a credential',
  credentials: 'credentials',
  password: 'a password',
  'encoded-secret': 'a credential in base64',
  jwt: 'a JSON web token',
  'private-key': 'a private key',
  'github-token': 'a GitHub token',
  'gitlab-token': 'a GitLab token',
  'aws-key-id': 'an AWS access key',
  'anthropic-key': 'an Anthropic key',
  'openai-key': 'an OpenAI key',
  'google-key': 'a Google API key',
  'google-token': 'a Google token',
  'slack-token': 'a Slack token',
  'stripe-key': 'a Stripe key',
  'npm-token': 'an npm token',
};

export interface SecretText {
  readonly what: string;
  /** Why it is surely one; null: only its place and its look say so. */
  readonly proof: string | null;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the credentials in a text that seem to be real, in its order, without overlaps. The log masks more: it also treats
 * placeholders and doubtful values as secrets.
 * @param spans of the text, if they are known
 */
export function findSecrets(
  text: string,
  surroundings: Surroundings,
  spans: readonly SecretSpan[] = secretSpans(text),
): SecretText[] {
  return spans.flatMap((span) =>
    isReal(text, span, surroundings)
      ? [{ ...named(text.slice(span.start, span.end), span.kind), start: span.start, end: span.end }]
      : [],
  );
}

/** A value behind a name may also have the form of a token, which says more. */
function named(value: string, kind: string): Pick<SecretText, 'what' | 'proof'> {
  const [shaped] = secretSpans(value);
  const own = shaped?.start === 0 && shaped.end === value.length ? shaped.kind : kind;
  const proof = proofOf(own, value);
  return { what: nameOf(proof === null ? kind : own), proof };
}

/** `vault-token` → `a vault token` */
function nameOf(kind: string): string {
  const known = Object.hasOwn(WORDS, kind) ? WORDS[kind] : undefined;
  return known ?? `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replaceAll('-', ' ')}`;
}

/** A vendor's prefix for its tokens: it only identifies the kind of token. */
const PREFIX = /^(?:[A-Za-z]{2,10}[-_.]){1,3}/;

/** Masks every credential in the text character by character, so that columns stay; the prefix of a vendor's token is shown. */
export function maskSecrets(text: string): string {
  let masked = '';
  let done = 0;
  for (const { start, end, kind } of secretSpans(text)) {
    const value = text.slice(start, end);
    if (isPlaceholder(value)) continue;
    const prefix = kind.endsWith('-token') || kind.endsWith('-key') ? (PREFIX.exec(value)?.[0] ?? '') : '';
    const shown = prefix.length * 3 <= value.length ? prefix.length : 0;
    masked += text.slice(done, start + shown) + '•'.repeat(value.length - shown);
    done = end;
  }
  return masked + text.slice(done);
}
