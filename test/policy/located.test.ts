/** Places: in texts that other programs wrote, every key and every value is found where it stands. */
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { stringify } from 'smol-toml';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FORMATS, type Format, parseLocated } from '../../src/policy/read/located.js';

type Value = string | Value[] | { [key: string]: Value };

const WRITERS: Readonly<Record<Format, readonly ((value: Readonly<Record<string, Value>>) => string)[]>> = {
  yaml: [(value) => dump(value), (value) => dump(value, { flowLevel: 1 }), (value) => `# a comment\n---\n${dump(value)}`],
  json: [(value) => JSON.stringify(value), (value) => JSON.stringify(value, null, 4)],
  toml: [(value) => stringify(value), (value) => `# a comment\n\n${stringify(value)}`],
};

/** Numbers keys and values, so that each token is in the text only once. */
function numbered(shape: unknown): Value {
  let count = 0;
  const build = (part: unknown): Value => {
    if (Array.isArray(part)) return part.map(build);
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(
        Object.values(part).map((inner) => [`key${++count}${count % 3 === 0 ? ' /~é' : ''}`, build(inner)]),
      );
    }
    return `value${++count}${count % 2 === 0 ? ': "x" #' : ''}`;
  };
  return build(shape);
}

/** Every pointer with its key and its value. */
function pointers(value: Value, at = ''): { pointer: string; key: string | null; value: Value }[] {
  if (typeof value === 'string') return [];
  const entries: [string, Value, string | null][] = Array.isArray(value)
    ? value.map((inner, index) => [String(index), inner, null])
    : Object.entries(value).map(([key, inner]) => [key, inner, key]);
  return entries.flatMap(([name, inner, key]) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [{ pointer, key, value: inner }, ...pointers(inner, pointer)];
  });
}

const shape = fc.letrec<{ node: unknown; map: unknown }>((tie) => ({
  map: fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), tie('node'), { minKeys: 1, maxKeys: 4 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant('x'),
    fc.array(tie('node'), { maxLength: 3 }),
    tie('map'),
  ),
})).map;

for (const format of FORMATS) {
  for (const [index, write] of WRITERS[format].entries()) {
    test(`property: every key and value of ${format}, writer ${index}, is found where it stands`, () => {
      fc.assert(
        fc.property(shape, (raw) => {
          const data = numbered(raw) as Record<string, Value>;
          const text = write(data);
          const located = parseLocated(text, format);
          assert.ok(located.ok, text);
          assert.equal(located.data, data);
          const lines = text.split('\n');
          const rest = (place: { line: number; column: number }) => (lines[place.line - 1] ?? '').slice(place.column - 1);
          for (const { pointer, key, value } of pointers(data)) {
            if (key !== null)
              assert.match(
                rest(located.keyAt(pointer)).replace(/\W.*/, '') || rest(located.keyAt(pointer)).slice(1),
                key.split(' ')[0] ?? '',
              );
            if (typeof value !== 'string') continue;
            const word = value.split(':')[0] ?? '';
            const start = rest(located.valueAt(pointer));
            assert.ok(start.startsWith(word) || start.slice(1).startsWith(word), `${pointer}: ${start}\n${text}`);
            const inside = rest(located.insideAt(pointer, value, 5));
            assert.ok(inside.startsWith(word.slice(5)) || inside === start, `${pointer}: ${inside}`);
          }
        }),
        { numRuns: 150 },
      );
    });
  }
}

test('a pointer that leads nowhere is answered with its nearest parent', () => {
  const located = parseLocated('a:\n  b: 1\n', 'yaml');
  assert.ok(located.ok);
  assert.equal(located.valueAt('/a/missing'), located.valueAt('/a'));
  assert.equal(located.valueAt('/nothing/at/all'), { line: 1, column: 1 });
  assert.equal(located.keyAt('/a/b/c'), { line: 2, column: 3 });
});

const LITERAL: readonly [name: string, text: string, expected: unknown][] = [
  [
    'dates become text',
    'a = 2026-01-31\nb = 2026-01-31T10:00:00Z\nc = 2026-01-31 10:00:00\nd = 10:00:00\n',
    ['2026-01-31', '2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00.000', '10:00:00.000'],
  ],
  ['long texts with quotes at their end', `a = """x""\\""""\nb = '''y'''''\n`, ['x"""', "y''"]],
  ['a backslash before the closing quote of a literal text', 'a = \'C:\\\'\nb = "\\\\"\n', ['C:\\', '\\']],
  ['comments and brackets inside lists', 'a = [ # ]\n "]", # "\n \'[\', ]\nb = 1 # = 2\n', [[']', '['], 1]],
];

for (const [name, text, expected] of LITERAL) {
  test(`TOML: ${name}`, () => {
    const located = parseLocated(text, 'toml');
    assert.ok(located.ok);
    assert.equal(Object.values(located.data as object), expected);
    const last = Object.keys(located.data as object).at(-1) ?? '';
    const lines = text.split('\n');
    assert.ok((lines[located.keyAt(`/${last}`).line - 1] ?? '').startsWith(last));
  });
}

test.run();
