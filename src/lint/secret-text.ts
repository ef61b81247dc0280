/** Credentials in the texts that lint looks at: which of them are real, what to call them, and how to show a line with one. */
import { secretSpans } from '../secret/find.js';

/** Values that stand for a secret and are none; the log masks them all the same. */
const PLACEHOLDER =
  /^[$<{%[*]|^(?:x{3,}|\.{3,}|your[-_ ]?|example|changeme|placeholder|redacted|dummy|test|fake|secret$|password$|token$)|\*$/i;

/** Kinds of secrets that a reader would not understand, or that deserve a better word. */
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
  readonly start: number;
  readonly end: number;
}

/** Credentials in a text, in its order, none overlapping. */
export function findSecrets(text: string): SecretText[] {
  return secretSpans(text).flatMap(({ start, end, kind }) =>
    PLACEHOLDER.test(text.slice(start, end)) ? [] : [{ what: nameOf(kind), start, end }],
  );
}

/** `vault-token` → `a vault token` */
function nameOf(kind: string): string {
  const known = Object.hasOwn(WORDS, kind) ? WORDS[kind] : undefined;
  return known ?? `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replaceAll('-', ' ')}`;
}

/** The text with every credential masked, each character by one, so that columns stay. */
export function maskSecrets(text: string): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(done, start) + '•'.repeat(end - start);
    done = end;
  }
  return masked + text.slice(done);
}
