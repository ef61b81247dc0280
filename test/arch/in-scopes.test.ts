// What the build does to the outermost names of the hook's modules leaves what the code does as it is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const { inScopes } = (await import(pathToFileURL(join(process.cwd(), '.ci', 'in-scopes.mjs')).href)) as {
  readonly inScopes: (code: string, most?: number) => string;
};

const test = suite('in scopes');

/** Code that puts what it computes into `out`, and how many functions it comes to lie in when each may have two names. */
const rows: readonly [code: string, out: unknown, scopes: number, why: string][] = [
  ['', undefined, 0, 'nothing'],
  ['out = 1;', 1, 0, 'no names'],
  ['var a = 1, b = 2; out = a + b;', 3, 0, 'no more names than one function may have'],
  ['var a = 1; var b = a + 1; var c = b + 1; out = [a, b, c];', [1, 2, 3], 1, 'a third name'],
  ['var a = 1; var b = a; var c = b; var d = c; var e = d; out = e;', 1, 2, 'a chain'],
  [
    'function f(n) { return n ? g(n - 1) : 0; } function g(n) { return n ? f(n - 1) : 1; } var c = 2; out = f(3) + c;',
    3,
    1,
    'a ring',
  ],
  ['function f() { return last; } var a = 1; var b = 2; var last = 3; out = f();', 3, 0, 'the first needs the last: no cut'],
  [
    'var read = 1; var x = { read: 2, m() { return this.b; } }; var b = 3; out = x.read + x.b;',
    Number.NaN,
    1,
    'members are no names',
  ],
  ['var a = 1; var x = { get b() { return 4; } }; var b = a; out = x.b + b;', 5, 1, 'accessors'],
  ['var { p: a, q: [b] } = { p: 1, q: [2] }; var c = a + b; out = c;', 3, 1, 'names that an object is taken apart into'],
  ['var a = 0; function up() { a += 1; } var c = 1; up(); up(); out = a + c;', 3, 1, 'a variable that is written from below'],
  ['var a = 1; class B { static own = a; } var c = B.own; var d = c; out = d;', 1, 1, 'classes'],
  ['var a = 1; var b = 2; /* not } here */ var c = "}"; // nor }\nout = c;', '}', 1, 'comments and texts'],
  [
    'var x = () => { var b = 1; return b; }; var a = 2; var b = 3; out = x() + b;',
    4,
    0,
    'what only might be meant is no place to cut',
  ],
];

for (const [code, out, scopes, why] of rows)
  test(why, () => {
    const computed = (text: string): unknown => new Function(`'use strict'; let out; (function () {${text}\n})(); return out;`)();
    const cut = inScopes(code, 2);
    assert.equal(computed(code), out);
    assert.equal(computed(cut), out);
    assert.is(cut.split('(function () {').length - 1, scopes, cut);
  });

test('each function has no more names than it may have, where there are cuts', () => {
  const code = Array.from({ length: 500 }, (_, at) => `function f${at}() { return ${at === 0 ? 0 : `f${at - 1}()`} + 1; }`).join(
    '\n',
  );
  const parts = inScopes(`${code}\nout = f499();`, 74).split('(function () {');
  assert.is(parts.length, Math.ceil(500 / 74));
  for (const part of parts) assert.ok(part.split('function f').length - 1 <= 74);
});

test.run();
