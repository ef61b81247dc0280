/** Secrets recognisable by their form: tokens with a known prefix, JWTs, private keys, passwords in URLs. */

import type { Glance } from './glance.js';

/** A part of a text that is a secret, and its kind. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** `github-token`, `private-key`, `password` …: the text that replaces it. */
  readonly kind: string;
}

/** A token format: its prefixes, the characters that follow, and their minimum number. */
interface TokenForm {
  readonly kind: string;
  readonly prefixes: readonly string[];
  readonly least: number;
  /** Dots belong to the token. */
  readonly dotted?: boolean;
  /** The prefix is also the beginning of ordinary words: it has to start a word, and the text after it must not be a word. */
  readonly common?: boolean;
}

/** Published token formats; vendors chose their prefixes so that scanners find them. */
const FORMS: readonly TokenForm[] = [
  { kind: 'github-token', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'], least: 16 },
  {
    kind: 'gitlab-token',
    prefixes: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-', 'GR1348941'],
    least: 16,
    dotted: true,
  },
  { kind: 'aws-key-id', prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], least: 16, common: true },
  { kind: 'google-key', prefixes: ['AIza'], least: 30 },
  { kind: 'google-token', prefixes: ['GOCSPX-', 'ya29.'], least: 20, dotted: true },
  {
    kind: 'slack-token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxe-', 'xoxe.', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxc-', 'xoxd-', 'xapp-'],
    least: 10,
    dotted: true,
  },
  { kind: 'stripe-key', prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_', 'whsec_'], least: 10 },
  { kind: 'anthropic-key', prefixes: ['sk-ant-'], least: 16 },
  { kind: 'openai-key', prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], least: 16 },
  { kind: 'api-key', prefixes: ['sk-'], least: 20, common: true },
  { kind: 'npm-token', prefixes: ['npm_'], least: 30, common: true },
  { kind: 'pypi-token', prefixes: ['pypi-AgE', 'pypi-AgN', 'pypi-Ag'], least: 20 },
  { kind: 'huggingface-token', prefixes: ['hf_', 'api_org_'], least: 30, common: true },
  { kind: 'docker-token', prefixes: ['dckr_pat_', 'dckr_oat_'], least: 16 },
  { kind: 'digitalocean-token', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], least: 32 },
  { kind: 'sendgrid-key', prefixes: ['SG.'], least: 40, dotted: true, common: true },
  { kind: 'shopify-token', prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], least: 20 },
  { kind: 'vault-token', prefixes: ['hvs.', 'hvb.', 'hvr.'], least: 20, common: true },
  { kind: 'databricks-token', prefixes: ['dapi'], least: 32, common: true },
  { kind: 'grafana-token', prefixes: ['glsa_', 'glc_'], least: 20, common: true },
  { kind: 'linear-key', prefixes: ['lin_api_', 'lin_oauth_'], least: 20 },
  { kind: 'atlassian-token', prefixes: ['ATATT3', 'ATCTT3', 'ATBB'], least: 20, common: true },
  { kind: 'newrelic-key', prefixes: ['NRAK-', 'NRJS-', 'NRII-'], least: 16 },
  { kind: 'rubygems-key', prefixes: ['rubygems_'], least: 32, common: true },
  { kind: 'age-key', prefixes: ['AGE-SECRET-KEY-1'], least: 20 },
  {
    kind: 'api-key',
    prefixes: [
      'gsk_',
      'pplx-',
      'xai-',
      'r8_',
      'ntn_',
      'figd_',
      'PMAK-',
      'sbp_',
      'pscale_tkn_',
      'fo1_',
      'fm2_',
      'dp.pt.',
      'dp.st.',
      'tfp_',
      'pul-',
      'cfut_',
      'sgp_',
      'nvapi-',
      'lsv2_pt_',
      'EAACEdEose0cBA',
    ],
    least: 24,
    dotted: true,
    common: true,
  },
];

/** The minimum length of a token. */
const SHORTEST_TOKEN = 14;
const LONG_RUN = /[\w.-]{14}/;

/** Returns every token with a known prefix. Linear: each prefix is searched once, and each token is read once. */
export function tokenSpans(text: string, seen: Glance | null): SecretSpan[] {
  const spans: SecretSpan[] = [];
  if (seen === null ? !LONG_RUN.test(text) : seen.longestWord < SHORTEST_TOKEN) return spans;
  for (const form of FORMS)
    for (const prefix of form.prefixes) if (seen?.mayHold(prefix) !== false) collect(text, prefix, form, spans);
  return spans;
}

function collect(
  text: string,
  prefix: string,
  { kind, least, dotted = false, common = false }: TokenForm,
  spans: SecretSpan[],
): void {
  for (let start = text.indexOf(prefix); start >= 0; ) {
    const body = start + prefix.length;
    const end = endOfRun(text, body, dotted);
    if (end - body >= least && (!common || (startsWord(text, start) && isMixed(text.slice(body, end)))))
      spans.push({ start, end, kind });
    start = text.indexOf(prefix, Math.max(end, body));
  }
}

/** Whether it contains a digit, or is one piece with upper and lower case: unlike words of a language. */
function isMixed(body: string): boolean {
  return /\d/.test(body) || (/[A-Z]/.test(body) && /[a-z]/.test(body) && !/[_-]/.test(body));
}

/** Where the run of token characters from `index` ends, excluding final dots, which end a sentence. */
function endOfRun(text: string, index: number, dotted: boolean): number {
  let end = index;
  while (end < text.length && isTokenCharacter(text.charCodeAt(end), dotted)) end += 1;
  while (end > index && text.charCodeAt(end - 1) === DOT) end -= 1;
  return end;
}

const DOT = 0x2e;

/** Letters, digits, `_`, `-` and, if `dotted`, `.`. */
function isTokenCharacter(code: number, dotted: boolean): boolean {
  if (code === DOT) return dotted;
  return isAlphanumeric(code) || code === 0x5f || code === 0x2d;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Whether no letter, digit or hyphen precedes; the last digit of a `%3D` and the letter of a `\n` are ignored. */
function startsWord(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (start === 0 || !(isAlphanumeric(before) || before === 0x2d)) return true;
  return text[start - 3] === '%' || text[start - 2] === '\\';
}

/**
 * Returns secrets with a form that is more than a prefix. A pattern runs only if the text has its mark; that of JWTs skips futile runs.
 * @param lower the text in lower case
 */
export function shapedSpans(text: string, lower: () => string, seen: Glance | null): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const holds = (mark: string) => seen?.mayHold(mark) !== false && text.includes(mark);
  if (holds('PRIVATE KEY')) privateKeys(text, spans);
  if (holds('eyJ')) group(text, /(eyJ[\w-]{6,}(?:\.[\w-]+){1,4})|eyJ[\w-]*/g, 'jwt', spans, Boolean);
  if (holds('://')) {
    // User and password of a URL, in which the password may contain an `@`; a URL with a token as its user.
    group(text, /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"?#]{0,100}:([^\s/'"?#]{1,200})@/gi, 'password', spans, isNoReference);
    group(text, /:\/\/([\w.~%-]{20,200})@/g, 'token', spans, (value) => /\d/.test(value) && /[A-Za-z]/.test(value));
  }
  if (seen?.mayHold('bearer') !== false && lower().includes('bearer'))
    group(text, /\bbearer\s{1,4}["']?([\w.~+/=-]{12,})/gi, 'token', spans, (value) => /\d/.test(value) && isNoReference(value));
  if (holds('hooks.slack.com'))
    group(text, /hooks\.slack\.com\/(?:services|workflows)\/([\w/]{16,})/g, 'slack-webhook', spans, () => true);
  if (holds('Q~')) whole(text, /[\w~.-]{3}[78]Q~[\w~.-]{28,40}/g, 'azure-secret', spans);
  if (holds(':AA')) whole(text, /(?<!\d)\d{8,10}:AA[\w-]{30,36}/g, 'telegram-token', spans);
  if (holds('.atlasv1.')) whole(text, /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g, 'terraform-token', spans);
  if ((seen === null || seen.longestWord >= 34) && (text.includes('SK') || text.includes('AC')))
    whole(text, /(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/g, 'twilio-key', spans);
  return spans;
}

/**
 * False for `$TOKEN`, `${TOKEN}`, `$(command)`, `<token>`, `{{ token }}`, `%TOKEN%` and `***`, which refer to a secret without
 * containing it.
 */
export function isNoReference(value: string): boolean {
  return !/^(?:\$\{?[A-Za-z_]\w*\}?|\$[{(].*|<[^<>]*>?|\{\{.*|%[A-Za-z_]\w*%|%[sdqv](?:\\n)?|\*+|\.{3,}|[xX]{3,}|\[masked.*)$/s.test(
    value,
  );
}

function whole(text: string, pattern: RegExp, kind: string, spans: SecretSpan[]): void {
  for (const { index, 0: found } of text.matchAll(pattern)) spans.push({ start: index, end: index + found.length, kind });
}

/** Adds the captured group if it is secret. */
function group(text: string, pattern: RegExp, kind: string, spans: SecretSpan[], secret: (value: string) => boolean): void {
  for (const { index, 0: found, 1: value = '' } of text.matchAll(pattern)) {
    if (!secret(value)) continue;
    const start = index + found.lastIndexOf(value);
    spans.push({ start, end: start + value.length, kind });
  }
}

/** Adds private keys, from the BEGIN line to the END line, or to the end of a text that was cut. */
function privateKeys(text: string, spans: SecretSpan[]): void {
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nrt])*(?=[A-Za-z0-9+/=]{12}|[A-Z][\w-]{2,20}:)/g;
  for (const { index, 0: head } of text.matchAll(begin)) {
    const end = text.indexOf('-----END', index + head.length);
    spans.push({ start: index, end: end < 0 ? text.length : end, kind: 'private-key' });
    if (end < 0) return;
  }
}
