// Bytes become the texts that node's Buffer makes of them, with the functions that node has ready and where it has none of them.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hexOf, latin1Of, utf8Length, utf8Of } from '../../src/log/record/bytes.js';

const test = suite('bytes');

const READY = ['latin1Slice', 'utf8Slice', 'hexSlice', 'utf8Write'];

/**
 * Runs a check as node is, and once more as on a node that has no such functions: `ask` then finds none, though Buffer itself, which has
 * to stay whole, finds them.
 */
function onBoth(check: (ask: <Result>(question: () => Result) => Result) => void): void {
  check((question) => question());
  let isAsking = false;
  const taken = READY.map((name) => [name, Object.getOwnPropertyDescriptor(Buffer.prototype, name)] as const);
  for (const [name, own] of taken) {
    assert.type(own?.value, 'function', name);
    const get = () => {
      const found = isAsking ? undefined : own?.value;
      isAsking = false;
      return found;
    };
    Object.defineProperty(Buffer.prototype, name, { get, configurable: true });
  }
  try {
    check((question) => {
      isAsking = true;
      const answer = question();
      assert.not(isAsking, 'it asked for one of them');
      return answer;
    });
  } finally {
    for (const [name, own] of taken) Object.defineProperty(Buffer.prototype, name, own ?? {});
  }
}

/** Bytes in the middle of others. */
const parts = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.nat(300), fc.nat(300)).map(([bytes, one, other]) => {
  const from = Math.min(one, other, bytes.length);
  return { bytes, from, to: Math.min(Math.max(one, other), bytes.length) };
});

test('latin1 and hexadecimal digits, whole and in part', () => {
  onBoth((ask) =>
    fc.assert(
      fc.property(parts, ({ bytes, from, to }) => {
        const buffer = Buffer.from(bytes);
        assert.is(
          ask(() => latin1Of(bytes)),
          buffer.toString('latin1'),
        );
        assert.is(
          ask(() => latin1Of(bytes, from, to)),
          buffer.toString('latin1', from, to),
        );
        assert.is(
          ask(() => hexOf(bytes)),
          buffer.toString('hex'),
        );
        assert.is(
          ask(() => latin1Of(bytes.subarray(from, to))),
          buffer.toString('latin1', from, to),
        );
      }),
    ),
  );
});

test('UTF-8, and null for what is none', () => {
  const texts = ['', 'a', '\ufeffa', 'é\u{1f600}', '\ufffd', 'a\ufffdb', 'x'.repeat(100_000), '\0'];
  const broken = ['80', 'c3', 'c328', 'eda080', 'f4908080', 'c080', 'ff', '61ff', 'efbfbdff', 'f09f98'];
  onBoth((ask) => {
    const read = (bytes: Uint8Array, length?: number) => ask(() => utf8Of(bytes, length));
    for (const text of texts) assert.is(read(Buffer.from(text)), text);
    for (const digits of broken) assert.is(read(Buffer.from(digits, 'hex')), null, digits);
    // What lies behind the length does not count.
    assert.is(read(Buffer.from('61ff', 'hex'), 1), 'a');
    fc.assert(
      fc.property(parts, ({ bytes, to }) => {
        const part = bytes.subarray(0, to);
        assert.is(read(bytes, to), isUtf8(part) ? Buffer.from(part).toString() : null);
      }),
    );
  });
});

test('the length of a text in UTF-8', () => {
  onBoth((ask) =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1f600}', '\ud800', '\udc00', '\0'), maxLength: 50 }),
        (text) =>
          assert.is(
            ask(() => utf8Length(text)),
            Buffer.byteLength(text),
          ),
      ),
    ),
  );
});

test.run();
