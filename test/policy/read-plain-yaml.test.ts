/** The short reader of YAML takes only what it reads as js-yaml does. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readPlainYaml } from '../../src/policy/read/plain-yaml.js';
import type { LocatedNode } from '../../src/policy/read/result.js';
import { readYaml } from '../../src/policy/read/yaml.js';

/** A tree of places as plain data. */
function plain(node: LocatedNode | null): unknown {
  return (
    node && {
      places: [node.start, node.textStart, node.textEnd],
      members: node.members && [...node.members].map(([key, { keyStart, node: inner }]) => [key, keyStart, plain(inner)]),
      items: node.items?.map(plain) ?? null,
    }
  );
}

/** Whether the short reader takes the text; then js-yaml has to give the same. */
function taken(text: string): boolean {
  const short = readPlainYaml(text);
  if (short === null) return false;
  const long = readYaml(text);
  if ('code' in short || 'code' in long) assert.unreachable(`only js-yaml refuses ${JSON.stringify(text)}`);
  else assert.equal([short.data, plain(short.root)], [long.data, plain(long.root)], JSON.stringify(text));
  return true;
}

const facts: [text: string, isTaken: boolean, why: string][] = [
  ['a: b\n', true, 'a map'],
  ['a: b', true, 'without a last line end'],
  ['# c\n\na: b # c\n  # c\nd: e\n', true, 'comments'],
  ['a: b#c\nd: e:f\n', true, 'neither a comment nor a key'],
  ['a:\n  - b\n  - c: d\n    e: f\n  - "g"\nh: 1\n', true, 'lists and maps in each other'],
  ['a:\n- b\n- c\nd: e\n', true, 'a list below its key'],
  ['a:\n- b:\n  - c\n  d: e\n', true, 'a list below its key in a list'],
  ['a: [b, "c, d]", \'e\', 1, true]\nf: []\n', true, 'flow lists'],
  ['a: Bash(git push *)\nb: Read(.env)\nc: ./x\n', true, 'rules'],
  ['a: yes\nb: on\nc: 007\n', false, 'an odd number'],
  ['a: true\nb: false\nc: 0\nd: 12\n', true, 'switches and numbers'],
  ['a: True\n', false, 'a switch in another case'],
  ['a: null\n', false, 'nothing'],
  ['a:\nb: c\n', false, 'a key without a value'],
  ['a: b\n  c\n', false, 'a text over two lines'],
  ['a:\n  - b\n    c\n', false, 'an item over two lines'],
  ['a: b\na: c\n', false, 'a key twice'],
  ['__proto__: b\n', false, 'a key that means something to JavaScript'],
  ['null: b\n', false, 'a key that is no text'],
  ['a: "b\\n"\n', false, 'an escape'],
  ["a: 'b''c'\n", false, 'a quote twice'],
  ['a: "b" c\n', false, 'something behind quotes'],
  ['a: ["b" # c, d]\n', false, 'a comment inside of brackets'],
  ['a: [b,, c]\n', false, 'an empty item'],
  ['a: [b, [c]]\n', false, 'a list in a flow list'],
  ['a: [b: c]\n', false, 'a map in a flow list'],
  ['a: &b c\nd: *b\n', false, 'an anchor'],
  ['a: !!str b\n', false, 'a tag'],
  ['a: |\n  b\n', false, 'a block of text'],
  ['a: {b: c}\n', false, 'a flow map'],
  ['a: b: c\n', false, 'two keys on a line'],
  ['a: b:\n', false, 'a colon at the end'],
  ['---\na: b\n', false, 'a document mark'],
  ['a: b\n---\nc: d\n', false, 'a second document'],
  ['- a\n', false, 'no map'],
  ['a:\n  - - b\n', false, 'a list in a list'],
  ['a:\n  -\n    b: c\n', false, 'a dash alone'],
  ['  a: b\n', false, 'an indented document'],
  ['a:\n    b: c\n  d: e\n', false, 'an indentation that nothing has'],
  ['a:\tb\n', false, 'a tab'],
  ['a: b\r\n', false, 'a carriage return'],
  ['a: b\u2028\n', false, 'a line end of Unicode'],
  ['a: x ü – ok\n', true, 'letters of others'],
  ['<<: b\n', false, 'a merge key'],
  ['? a\n: b\n', false, 'a key of several lines'],
  ['', false, 'nothing at all'],
];

for (const [text, isTaken, why] of facts)
  test(`${why}: ${JSON.stringify(text)}`, () => {
    assert.is(taken(text), isTaken);
  });

test('the demonstration policy is read by it', () => {
  assert.ok(taken(readFileSync('test/fixtures/demo-repo/policy.yaml', 'utf8')));
});

/** Every front matter of the fixtures. */
const samples = readdirSync('test/fixtures', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:md|yaml)$/.test(file))
  .map((file) => readFileSync(`test/fixtures/${file}`, 'utf8'))
  .map((text) => /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? text)
  .filter((text) => text.length < 2000);

test('every sample of the fixtures', () => {
  assert.ok(samples.filter(taken).length > 10);
});

const PIECES = [
  ...['a', 'b: ', 'key:', ' ', '  ', '\n', '\n  ', '\n- ', '\n    ', '- ', '[', ']', ', ', '"q"', "'s'", '"', "'", ' # c', '#'],
  ...[
    'true',
    'null',
    '1',
    '-',
    '.5',
    ': ',
    'Bash(x *)',
    '{',
    '}',
    '&a ',
    '*a',
    '!t ',
    '|',
    '>',
    '\\',
    '~',
    '0x1',
    '?',
    '---',
    'é',
    '=',
  ],
  ...['key: v\n', '- v\n', '- k: v\n', '  k2: v\n', 'k: [a, "b"]\n', 'k: "x" # y\n', 'k:\n', '  - v\n', './x'],
];
const soup = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));
const changed = fc
  .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(3), fc.constantFrom('', ...PIECES))
  .map(([text, place, cut, piece]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + cut);
  });

test('whatever it takes, js-yaml reads the same', () => {
  fc.assert(
    fc.property(fc.oneof(soup, changed), (text) => {
      taken(text);
    }),
    { numRuns: 2000 },
  );
});

test.run();
