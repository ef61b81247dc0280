// Our SHA-256 and HMAC are those of node:crypto, for every length around the block size and for random texts, with WebAssembly and without.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hmacSha256, sha256 } from '../../src/log/record/sha256.js';

const test = suite('sha256');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('the example of FIPS 180-4: abc', () => {
  assert.is(sha256(Buffer.from('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('test case 2 of RFC 4231', () => {
  assert.is(
    hmacSha256(Buffer.from('Jefe'), Buffer.from('what do ya want for nothing?')),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

/** Around the size of a block, the length from which a program does it, and what its memory takes at once. */
const LENGTHS = [
  [0, 300],
  [700, 900],
  [64_400, 64_600],
  [129_000, 129_100],
] as const;

for (const [from, to] of LENGTHS)
  test(`every length from ${from} to ${to} bytes is hashed as node:crypto does`, () => {
    const messages = randomBytes(to);
    for (let length = from; length <= to; length += 1) {
      const message = messages.subarray(to - length);
      assert.is(sha256(message), createHash('sha256').update(message).digest('hex'), `message ${hex(message)}`);
    }
  });

test('several megabytes are hashed as node:crypto does', () => {
  const message = Buffer.alloc(5_000_003, randomBytes(1_000));
  assert.is(sha256(message), createHash('sha256').update(message).digest('hex'));
});

test('where there is no WebAssembly, long texts are hashed all the same', async () => {
  const known = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly');
  Object.defineProperty(globalThis, 'WebAssembly', { value: undefined, configurable: true });
  try {
    const again = `../../src/log/record/sha256.js?without=WebAssembly`;
    const without = (await import(again)) as { readonly sha256: typeof sha256 };
    const message = randomBytes(3_000);
    assert.is(without.sha256(message), createHash('sha256').update(message).digest('hex'), `message ${hex(message)}`);
  } finally {
    if (known) Object.defineProperty(globalThis, 'WebAssembly', known);
  }
});

test('3,000 random keys and messages, some of them long, have the HMAC of node:crypto', () => {
  for (let count = 0; count < 3_000; count += 1) {
    const message = randomBytes(count % 100 === 0 ? randomInt(30_000, 40_000) : randomInt(0, 400));
    const key = randomBytes(randomInt(0, 150));
    const expected = createHmac('sha256', key).update(message).digest('hex');
    if (hmacSha256(key, message) !== expected) assert.unreachable(`key ${hex(key)}, message ${hex(message)}`);
  }
});

test.run();
