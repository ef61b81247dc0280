// Our SHA-256 and HMAC are those of node:crypto, for every length around the block size and for random texts.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hmacSha256, sha256 } from '../../src/log/sha256.js';

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

test('every length from 0 to 300 bytes is hashed as node:crypto does', () => {
  for (let length = 0; length <= 300; length += 1) {
    const message = randomBytes(length);
    assert.is(sha256(message), createHash('sha256').update(message).digest('hex'), `message ${hex(message)}`);
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
