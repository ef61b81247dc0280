// What the build does to the objects of the hook's modules leaves what the code does as it is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const { madeInSteps } = (await import(pathToFileURL(join(process.cwd(), '.ci', 'in-steps.mjs')).href)) as {
  readonly madeInSteps: (code: string) => string;
};

/** Code that puts what it computes into `out`, and how many of its objects are made step by step. */
const rows: readonly [code: string, out: unknown, steps: number, why: string][] = [
  ['const b = 2; out = { a: 1, b };', { a: 1, b: 2 }, 1, 'names with values, and one that is its own value'],
  ['out = { a: { b: { c: 1 } }, d: { e: 2 } };', { a: { b: { c: 1 } }, d: { e: 2 } }, 4, 'objects in objects'],
  ['const f = (x) => ({ x }); out = [f(1), f(f(2))];', [{ x: 1 }, { x: { x: 2 } }], 1, 'an arrow gives an object'],
  ['const f = (n) => ({ n, of: n === 0 ? [] : [f(n - 1)] }); out = f(1);', { n: 1, of: [{ n: 0, of: [] }] }, 1, 'a recursion'],
  ['out = ((x, y = { z: 1 }) => ({ x, y }))(0);', { x: 0, y: { z: 1 } }, 1, 'what a parameter is when it is not given stays'],
  ['class A { own = { a: 1 }; m() { return { b: this.own }; } } out = new A().m();', { b: { a: 1 } }, 1, 'a field stays'],
  ['const x = { a: 1, b: 2 }; let a, b; ({ a, b } = x); out = [a, b];', [1, 2], 1, 'what an object is taken apart into stays'],
  ['let a; [{ a }] = [{ a: 3 }]; out = a;', 3, 1, 'so does what stands in a list there'],
  ['out = 0; for (const { n } of [{ n: 1 }, { n: 2 }]) out += n;', 3, 2, 'a loop takes objects apart'],
  ['const x = { a: 1 }; out = { ...x, b: 2 };', { a: 1, b: 2 }, 1, 'a copy stays'],
  ['out = { __proto__: null, a: 1 }; out = out.toString === undefined;', true, 0, 'an object without a prototype stays'],
  ['out = { m() { return 1; } }.m() + { get g() { return 2; } }.g;', 3, 0, 'methods and accessors stay'],
  ["out = { 'a-b': 1, [`c`]: 2 };", { 'a-b': 1, c: 2 }, 0, 'other names stay'],
  ['out = {};', {}, 0, 'nothing is to be done for an empty one'],
  [
    'const log = []; const t = (x) => (log.push(x), x); ({ a: t(1), b: { c: t(2) }, d: t(3) }); out = log;',
    [1, 2, 3],
    2,
    'order',
  ],
  ['function* f() { yield { a: yield 1 }; } const g = f(); g.next(); out = g.next(2).value;', { a: 2 }, 1, 'a generator waits'],
  ['out = JSON.stringify({ b: 1, a: undefined, c: null });', '{"b":1,"c":null}', 1, 'keys keep their order'],
];

for (const [code, out, steps, why] of rows) {
  const changed = madeInSteps(code);
  const computed = (text: string): unknown => new Function(`'use strict'; let out; { ${text} } return out;`)();
  test(`${why}: the same value`, () => {
    assert.equal(computed(code), out);
    assert.equal(computed(changed), out);
  });
  test(`${why}: ${steps} in steps`, () => assert.is(changed.split('= {},').length - 1, steps));
}

test('a name that the objects in the making would take is refused', () => {
  assert.throws(() => madeInSteps('const made0 = 1;'), /is taken/);
});

test.run();
