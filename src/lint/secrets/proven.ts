/** Tokens that prove themselves: by a checksum, or by a form that no other text has. */
import { crc32 } from 'node:zlib';

/** What proves a token of a vendor, and the form; a check beyond the form. */
type Proof = readonly [why: string, form: RegExp, check?: (value: string) => boolean];

const FORM = 'it has exactly the form of one';
const SUM = 'its checksum is right';

/**
 * By the kind of secret. Sources: the vendors' published forms; GitHub and npm end a token with the CRC-32 of the 30 characters before, in
 * base 62.
 */
const PROOFS: Readonly<Record<string, readonly Proof[]>> = {
  'github-token': [
    [SUM, /^gh[pousr]_[A-Za-z0-9]{36}$/, endsWithSum],
    [FORM, /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/],
  ],
  'npm-token': [[SUM, /^npm_[A-Za-z0-9]{36}$/, endsWithSum]],
  'gitlab-token': [[FORM, /^gl(?:pat|dt|rt|ptt|ft|agent)-[\w-]{20}(?:\.[\w.-]{1,40})?$/]],
  'aws-key-id': [[FORM, /^A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}$/]],
  'google-key': [[FORM, /^AIza[\w-]{35}$/]],
  'google-token': [[FORM, /^GOCSPX-[\w-]{28}$/]],
  'slack-token': [[FORM, /^xox[abeprs]-(?:\d+-){2,3}[A-Za-z0-9]{24,64}$|^xapp-\d-[A-Z0-9]+-\d+-[0-9a-f]{64}$/]],
  'slack-webhook': [[FORM, /^T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}$/]],
  'stripe-key': [[FORM, /^(?:sk|rk)_live_[A-Za-z0-9]{24,}$|^whsec_[A-Za-z0-9]{32,}$/]],
  'anthropic-key': [[FORM, /^sk-ant-[a-z]+\d\d-[\w-]{80,}AA$/]],
  'openai-key': [[FORM, /^sk-(?:proj|svcacct|admin)-[\w-]{20,}T3BlbkFJ[\w-]{20,}$/]],
  'api-key': [
    [FORM, /^sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}$|^sk-or-v1-[0-9a-f]{64}$|^gsk_[A-Za-z0-9]{52}$|^xai-[A-Za-z0-9]{80}$/],
    [FORM, /^figd_[\w-]{40}$|^sbp_[0-9a-f]{40}$|^PMAK-[0-9a-f]{24}-[0-9a-f]{34}$|^nvapi-[\w-]{64}$|^pplx-[A-Za-z0-9]{48}$/],
  ],
  'huggingface-token': [[FORM, /^hf_[A-Za-z]{34}$/]],
  'pypi-token': [[FORM, /^pypi-AgEIcHlwaS5vcmc[\w-]{50,}$/]],
  'digitalocean-token': [[FORM, /^do[opr]_v1_[0-9a-f]{64}$/]],
  'sendgrid-key': [[FORM, /^SG\.[\w-]{22}\.[\w-]{43}$/]],
  'shopify-token': [[FORM, /^shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}$/]],
  'vault-token': [[FORM, /^hv[sbr]\.[\w-]{90,}$/]],
  'linear-key': [[FORM, /^lin_api_[A-Za-z0-9]{40}$/]],
  'telegram-token': [[FORM, /^\d{8,10}:AA[\w-]{33}$/]],
  jwt: [['it is signed', /^[\w-]+\.[\w-]+\.[\w-]+$/, isSigned]],
  'private-key': [['its text is a whole key', /^-----BEGIN/, isKey]],
};

/** Why a secret is surely one, to follow "This file holds a GitHub token: "; null if nothing but its place and its look says so. */
export function proofOf(kind: string, value: string): string | null {
  const found = PROOFS[kind]?.find(([, form, check]) => form.test(value) && check?.(value) !== false);
  return found?.[0] ?? null;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `ghp_`, 30 characters, and 6 for their checksum. */
function endsWithSum(value: string): boolean {
  let sum = '';
  for (let rest = crc32(value.slice(-36, -6)); rest > 0; rest = Math.floor(rest / 62)) sum = `${DIGITS[rest % 62]}${sum}`;
  return value.endsWith(sum.padStart(6, '0'));
}

/** Bytes of a signature by the number in the name of its algorithm (RFC 7518); those of RSA begin at 256. */
const HMAC: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64, ES256: 64, ES384: 96, ES512: 132, EdDSA: 64 };

function isSigned(value: string): boolean {
  const [head = '', claims = '', signature = ''] = value.split('.');
  try {
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { readonly alg?: unknown };
    JSON.parse(Buffer.from(claims, 'base64url').toString());
    const length = Buffer.from(signature, 'base64url').length;
    return typeof alg === 'string' && (/^[RP]S\d/.test(alg) ? length >= 256 : length === HMAC[alg]);
  } catch {
    return false;
  }
}

/** The base64 text of a key begins with its own length (DER), or with the name of OpenSSH's format. */
function isKey(value: string): boolean {
  const body = value
    .replace(/^-----BEGIN[^-]*-----/, '')
    .replace(/\\[nrt]/g, '')
    .replace(/[^A-Za-z0-9+/=]/g, '');
  const bytes = Buffer.from(body, 'base64');
  if (bytes.subarray(0, 14).toString('latin1') === 'openssh-key-v1') return true;
  const [tag, first = 0] = bytes;
  const more = first < 0x80 ? 0 : first - 0x80;
  if (tag !== 0x30 || more > 4 || bytes.length < 8) return false;
  return bytes.length === 2 + more + (more === 0 ? first : bytes.readUIntBE(2, more));
}
