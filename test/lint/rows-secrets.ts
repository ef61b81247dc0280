// Credentials: what is one, and what only looks like one. Tokens are put together here, so that scanners of this repository find none.
import { AGENT_CODE, CLAUDE, definition, POLICY, policyText, type Row, row } from './linted.js';

const SETTINGS = '.claude/settings.json';
const MEMORY = 'CLAUDE.md';
const token = (...parts: readonly string[]) => parts.join('');

const GITHUB = token('gh', 'p_', 'q7Vw2Xk9', 'Zt4LmB8s', 'Rc1NfYp3', 'Hd6JgW3B', 'MGUe');
const ANTHROPIC = token('sk', '-ant-', 'api03-', 'Zq8Xv2Lm9Kt4', 'Wp7Rb1Nc6Yd3', 'Hs5Jg0Fa');
const AWS = token('AK', 'IA', 'Q7VW2XK5', 'ZT4LMB3S');
const HEX = token('9f86d081', '884c7d65', '9a2feaa0', 'c55ad015');
const RANDOM = token('kT9x', 'Wq2L', 'v8Zr', 'B4nP', 's7Yd', 'H1mC');

/** A token of Supabase for a role. */
const jwt = (role: string, signature = 0) =>
  [`{"alg":"HS256","typ":"JWT"}`, `{"iss":"supabase","ref":"kzqwvbtmrpxj","role":"${role}"}`]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(
      signature > 0
        ? Buffer.from(`${RANDOM}${RANDOM}`).subarray(0, signature).toString('base64url')
        : token('kT9xWq2Lv8Zr', 'B4nPs7YdH1mC', 'q7Vw2Xk9Zt4L', 'mB8sRc1N'),
    )
    .join('.');

const inBody = (line: string) => `${definition()}${line}\n`;
const none = (say: string, path: string, text: string) => row('secrets/literal', say, path, text);

export const secretRows: readonly Row[] = [
  row('secrets/literal', 'a token in the body', CLAUDE, inBody(`Use ${GITHUB}.`), '6:5-6:45 error'),
  row(
    'secrets/literal',
    'a token behind its name in a sentence',
    CLAUDE,
    inBody(`Send token ${GITHUB} along.`),
    '6:12-6:52 error',
  ),
  row('secrets/literal', 'a token in settings', SETTINGS, `{"env":{"X":"${ANTHROPIC}"}}\n`, '1:14-1:59 error'),
  row('secrets/literal', 'an AWS key', MEMORY, `Deploy with ${AWS}.\n`, '1:13-1:33 error'),
  row('secrets/literal', 'a random value behind a name', MEMORY, `API_KEY=${RANDOM}\n`, '1:9-1:33 info'),
  row('secrets/literal', 'hexadecimal behind a strong name', MEMORY, `API_KEY=${HEX}\n`, '1:9-1:41 info'),
  row(
    'secrets/literal',
    'a random password of a database',
    MEMORY,
    `psql postgres://app:${RANDOM}@db.internal/app\n`,
    '1:21-1:45 info',
  ),
  row('secrets/literal', 'a token whose checksum is wrong', CLAUDE, inBody(`Use ${GITHUB.slice(0, -1)}f.`), '6:5-6:45 info'),
  row(
    'secrets/literal',
    'a signed token',
    MEMORY,
    `Bearer ${jwt('service_role', 32)}\n`,
    `1:8-1:${8 + jwt('service_role', 32).length} error`,
  ),
  row(
    'secrets/literal',
    'the same with a signature that is too short',
    MEMORY,
    `Bearer ${jwt('service_role')}\n`,
    `1:8-1:${8 + jwt('service_role').length} info`,
  ),
  none('a name of a file in a design program', MEMORY, `File key: ${RANDOM.slice(0, 22)}\n`),
  none('an id of a session', MEMORY, 'Cookie: SESSIONID=abc123def456\n'),
  none('a key of a partition', MEMORY, '  "partitionKey": "account_123_test_456_chunk_001"\n'),
  none('a token in an address', MEMORY, `https://shop.acme.com/reset?token=${RANDOM}\n`),
  none(
    'a token without a signature',
    MEMORY,
    `Authorization: Bearer ${['{"alg":"none","typ":"JWT"}', '{"user":"admin"}'].map((part) => Buffer.from(part).toString('base64url')).join('.')}.\n`,
  ),
  none('a reference', CLAUDE, inBody('Use $GITHUB_TOKEN.')),
  none('a property', CLAUDE, inBody('const token = process.env.GITHUB_TOKEN;')),
  none('a property with a digit', CLAUDE, inBody('token: process.env.AUTH0_CLIENT_SECRET2,')),
  none('prose', CLAUDE, inBody('Single pass: read each file once, then write.')),
  none('a placeholder', CLAUDE, inBody('export GITHUB_TOKEN=ghp_your_token_here')),
  none('a placeholder behind its name', CLAUDE, inBody(`Authorization: token ghp_${'x'.repeat(36)}`)),
  none('a placeholder of the right length', CLAUDE, inBody(`GITHUB_TOKEN=ghp_${'x'.repeat(36)}`)),
  none('digits in order', CLAUDE, inBody('GITHUB_TOKEN=ghp_1234567890abcdefghij1234567890abcdef')),
  none('a label', CLAUDE, inBody('Figma Token: "color-primary-500-hover2"')),
  none('a design token', CLAUDE, inBody('token: "spacing.large2.inner8"')),
  none('a published test key', CLAUDE, inBody(`stripe: sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}`)),
  none('the example of AWS', CLAUDE, inBody(`aws_access_key_id = ${token('AKIA', 'IOSFODNN7EXAMPLE')}`)),
  none('a publishable key', CLAUDE, inBody(`pk_live_${RANDOM}`)),
  none('a pattern of a scanner', CLAUDE, inBody('Look for `AKIA[0-9A-Z]{16}` and `ghp_[A-Za-z0-9]{36}`.')),
  none('an example of what to look for', CLAUDE, inBody(`For example: password = "${RANDOM}"`)),
  none('a password of a local database', CLAUDE, inBody('DATABASE_URL=postgres://postgres:postgres@localhost:5432/app')),
  none("a vendor's prefix and a few letters", MEMORY, `X-API-Key: sk_live_${'abc123'}\n`),
  none('the hash of a password', CLAUDE, inBody(`password = '${HEX}:${HEX}${HEX}'`)),
  none('a token for everybody', SETTINGS, `{"env":{"X":"${jwt('anon')}"}}\n`),
  row('secrets/literal', 'a token for the server', SETTINGS, `{"env":{"X":"${jwt('service_role')}"}}\n`, '1:14-1:178 error'),
  none('a made-up password', CLAUDE, inBody('password: "SuperSecret123!"')),
  none('a commit', CLAUDE, inBody('token cache key: 3f786850e387550fdab836ed7e6dc881de23001b')),
  none('a function', CLAUDE, inBody('const secret = crypto.randomBytes(32).toString("hex");')),
  none(
    'a key of a private key without its text',
    CLAUDE,
    inBody('-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----'),
  ),
  none('a hook of a provider', CLAUDE, inBody('const { data: session2, token: useSessionTokenRefresh1 } = useAuth0();')),
  none('a token in a rule, which another rule reports', POLICY, policyText(`deny: ["Bash(curl -H ${GITHUB} *)"]`)),
  row('secrets/in-rule', 'a password', POLICY, policyText('allow:', '  - Bash(PGPASSWORD=hunter22x psql *)'), '3:21-3:30 error'),
  row(
    'secrets/in-rule',
    'a token in settings',
    SETTINGS,
    `{"permissions":{"allow":["Bash(X=${GITHUB} gh *)"]}}\n`,
    '1:34-1:74 error',
  ),
  row(
    'secrets/in-rule',
    'a nonce',
    POLICY,
    policyText('allow: ["Bash(curl -H \'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\' *)"]'),
  ),
  row('secrets/in-rule', 'a reference', POLICY, policyText('allow: ["Bash(PGPASSWORD=$PGPASSWORD psql *)"]')),
  row('secrets/in-rule', 'a local default', POLICY, policyText('allow: ["Bash(PGPASSWORD=postgres psql *)"]')),
  row('secrets/in-rule', 'a wildcard', AGENT_CODE, definition('allow: ["Bash(TOKEN=* deploy)"]')),
];
