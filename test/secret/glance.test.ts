// A long text is looked at in another way than a short one: what is found in it has to be the same.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { secretSpans } from '../../src/secret/find.js';

/** Longer than what is searched mark by mark, and nothing secret in it. */
const PROSE = '\n\nNothing of this is hidden, and each of these words is plain. '.repeat(8);

const piece = fc.constantFrom(
  ...['token', 'API_KEY', 'api-key', 'password', 'PASSWORD_2', 'db.pass', 'authorization', 'Cookie', 'connectionString', 'key9'],
  ...['=', ': ', ' => ', '":"', ' ', '\n', '--', ' -p', '"', "'", '.', '-', '_', '/', '|', ';'],
  ...['q7Vw2kX9mP4tR8sZ', 'hunter22', 'AKIA', 'ghp_', 'sk-', 'Ab12Cd34Ef56Gh78', 'eyJhbGciOi.eyJzdWIi.c2ln', 'Q~', ':AA'],
  ...['mysql ', 'curl ', '-u me:', 'login ', 'https://me:', '@example.org', 'bearer ', 'npm config set ', 'secret put ', '<<< '],
  ...['Z2hwX0FiMTJBYjEyQWIxMkFiMTJBYjEyQWIxMkFiMTJBYjEy', 'é', '\u0165', '\u2014', '\u{1f600}', '0', '12345'],
);

test('the secrets of a text are the same when a long text follows', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      // What reaches to the end of the text may go on in what follows.
      const whole = (spans: ReturnType<typeof secretSpans>) => spans.filter(({ end }) => end < text.length);
      const expected = whole(secretSpans(`${text}\n.`));
      found += expected.length;
      assert.equal(whole(secretSpans(`${text}\n.${PROSE}`)), expected, text);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(found > 500, `${found} secrets were compared`);
});

test('a secret is found behind a long text, in whatever script that is', () => {
  const secret = `ghp_${'Ab12'.repeat(9)}`;
  for (const prose of [PROSE, PROSE.replaceAll('e', '\u0119'), PROSE.replaceAll('e', '\u{1f600}')])
    for (const line of [`use ${secret} here`, 'API_KEY=q7Vw2kX9mP4tR8sZ', '--password hunter22', 'curl -u me:hunter22 x'])
      assert.is(secretSpans(`${prose}\n${line}\n${prose}`).length, 1, line);
});

test('the beginning of a token, again and again, is read once', () => {
  const { user } = process.cpuUsage();
  for (const half of ['eyJ', 'ghp_', 'sk-', 'Q~', ':AA', '://']) secretSpans(`${half.repeat(100_000)} a`);
  assert.ok(process.cpuUsage().user - user < 5_000_000);
});

test('of two beginnings of a token the first one counts, and behind one that is none another may follow', () => {
  const token = 'eyJhbGciOi.eyJzdWIi.c2ln';
  for (const [text, start] of [
    [`eyJ-${token}`, 0],
    [`eyJ ${token}`, 4],
    [`eyJab.${token}`, 6],
    [`eyJabcdefgh ${token}`, 12],
  ] as const)
    assert.equal(secretSpans(text), [{ start, end: text.length, kind: 'jwt' }], text);
});

test.run();
