// Cutting a byte stream into lines: any chunking gives the same lines, and no line can make memory grow.
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type InputLine, linesOf } from '../../../src/cli/terminal/lines.js';

async function* chunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function collect(parts: readonly Uint8Array[], most?: number): Promise<readonly InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of linesOf(chunks(parts), most)) lines.push(line);
  return lines;
}

const rows: readonly (readonly [what: string, text: string, lines: readonly string[]])[] = [
  ['nothing', '', []],
  ['one line without an end', 'a', ['a']],
  ['one line with an end', 'a\n', ['a']],
  ['a blank line keeps its place', 'a\n\nb\n', ['a', '', 'b']],
  ['Windows line ends', 'a\r\nb\r\n', ['a', 'b']],
  ['a byte order mark', '\ufeffa\nb', ['a', 'b']],
  ['U+2028 ends no line', 'a\u2028b\n', ['a\u2028b']],
];
for (const [what, text, lines] of rows)
  test(`lines: ${what}`, async () => {
    assert.equal(
      await collect([Buffer.from(text)]),
      lines.map((line) => ({ text: line })),
    );
  });

test('a line over the limit is a problem in its place, and its neighbours are read', async () => {
  const lines = await collect([Buffer.from(`a\n${'x'.repeat(100)}\nb\n`)], 10);
  assert.equal(lines, [{ text: 'a' }, { problem: 'the line has 100 bytes; at most 10 are read' }, { text: 'b' }]);
});

test('a line over the limit that comes in many chunks and never ends', async () => {
  const lines = await collect(
    Array.from({ length: 50 }, () => Buffer.from('xxxx')),
    10,
  );
  assert.equal(lines, [{ problem: 'the line has 200 bytes; at most 10 are read' }]);
});

test('a line that is not UTF-8 is a problem in its place', async () => {
  assert.equal(await collect([Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a, 0x62])]), [
    { text: 'a' },
    { problem: 'the line is not UTF-8' },
    { text: 'b' },
  ]);
});

test('the lines do not depend on where the chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'é', '🚫', '\n', '\r\n', '"') }),
      fc.array(fc.nat(7)),
      async (text, cuts) => {
        const bytes = Buffer.from(text);
        const parts: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts) {
          parts.push(bytes.subarray(from, from + cut));
          from += cut;
        }
        assert.equal(await collect([...parts, bytes.subarray(from)], 20), await collect([bytes], 20));
      },
    ),
  );
});

test.run();
