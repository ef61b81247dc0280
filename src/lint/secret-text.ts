/** Finds credentials in a text by their shape, and masks them wherever lint shows a line. */

/** Shapes that issuers document; each is linear and bounded. */
const SHAPES: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255})\b/g],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,64}\b/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['an Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,200}/g],
  ['an API key', /\bsk-(?:proj-)?[A-Za-z0-9_-]{20,200}\b/g],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}\b/g],
  ['a Slack token', /\bxox[abposr]-[A-Za-z0-9-]{10,200}/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,200}\b/g],
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,1000}/g],
  ['a private key', /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/g],
  ['a password in an address', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{1,100}:([^\s/@"'`]{3,200})@/g],
  [
    'a credential',
    /\b(?:[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY)|PGPASSWORD|(?:password|passwd|secret|token|api_?key))=["']?([^\s"'`)&;]{6,200})/g,
  ],
  ['a bearer token', /\b[Bb]earer ([A-Za-z0-9._~+/-]{16,500}=*)/g],
];

/** Values that stand for a secret and are none. */
const PLACEHOLDER =
  /^[$<{%[*]|^(?:x{3,}|\.{3,}|your[-_ ]?|example|changeme|placeholder|redacted|dummy|test|fake|secret$|password$|token$)|\*$/i;

export interface SecretText {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

/** Credentials in a text, in its order, none overlapping. */
export function findSecrets(text: string): SecretText[] {
  const found: SecretText[] = [];
  for (const [what, shape] of SHAPES) {
    for (const match of text.matchAll(shape)) {
      const value = match[1] ?? match[0];
      if (match[1] !== undefined && PLACEHOLDER.test(value)) continue;
      const start = match.index + match[0].lastIndexOf(value);
      found.push({ what, start, end: start + value.length });
    }
  }
  // Sorting keeps the order of shapes, so of two at one place the one with the better name stays.
  found.sort((left, right) => left.start - right.start);
  let end = 0;
  return found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
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
