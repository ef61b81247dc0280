// What the build does to the code of the hook's modules, so that V8 compiles it at once, leaves what the code does as it is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

interface AtOnce {
  readonly compiledAtOnce: (code: string, wanted: (begin: number) => boolean) => string;
  readonly telling: (code: string, tell: (begin: number) => string) => string;
  readonly withoutMarks: (code: string) => string;
}
const { compiledAtOnce, telling, withoutMarks } = (await import(
  pathToFileURL(join(process.cwd(), '.ci', 'at-once.mjs')).href
)) as AtOnce;

/** Code that puts what it computes into `out`, and how many of its functions can be marked. */
const rows: readonly [code: string, out: unknown, marks: number, why: string][] = [
  ['out = f(2); function f(x) { return x + 1; }', 3, 1, 'a declaration is called before it stands there'],
  ['function f() { return g(); function g() { return 4; } } out = f();', 4, 2, 'one stands in the other'],
  ['{ function f() { return 5; } out = f(); }', 5, 0, 'a declaration in a block belongs to the block'],
  ['out = [1, 2].map((x) => ({ x }));', [{ x: 1 }, { x: 2 }], 1, 'an arrow gives an object'],
  ['const f = ({ a, b = 2 }, ...rest) => a + b + rest.length; out = f({ a: 1 }, 0, 0);', 5, 1, 'parameters of all kinds'],
  ['function f() { return [1].map((x) => x + arguments.length); } out = f(1, 2);', [3], 1, 'an arrow with its arguments'],
  [
    'const o = { n: 7, m() { return [0].map(() => this.n); } }; out = o.m();',
    [7],
    1,
    'a method is marked, its arrow has its this',
  ],
  [
    'const o = { n: 1, get m() { return this.n; }, ["k" + 1]() { return 2; } }; out = o.m + o.k1();',
    3,
    0,
    'an accessor, a computed name',
  ],
  ['class A { m() { return 1; } } class B extends A { m() { return super.m() + 1; } } out = new B().m();', 2, 0, 'classes'],
  [
    'const o = { __proto__: { m() { return 1; } }, m() { return super.m() + 1; } }; out = o.m();',
    2,
    1,
    'super stays in its object',
  ],
  ['function* f() { yield 1; yield 2; } out = [...f()];', [1, 2], 1, 'a generator'],
  ['out = (function (x) { return x; })(8);', 8, 1, 'an expression'],
  ['const f = (x) => (y) => x * y; out = f(2)(3);', 6, 2, 'an arrow in an arrow'],
];
const computed = (code: string): unknown => new Function(`let out; const AT_ONCE = (f) => f; ${code}; return out;`)();

for (const [code, out, marks, why] of rows) {
  const marked = compiledAtOnce(code, () => true);
  test(`${why}: the same value when all functions are marked`, () => {
    assert.equal(computed(code), out);
    assert.equal(computed(marked), out);
    assert.equal(computed(withoutMarks(marked)), out);
  });
  test(`${why}: ${marks} marks`, () => assert.is(marked.split('AT_ONCE(').length - 1, marks));
  test(`${why}: nothing changes when no function is wanted`, () =>
    assert.is(
      compiledAtOnce(code, () => false),
      code,
    ));
  test(`${why}: the same value when functions tell that they run`, () => {
    const told: number[] = [];
    const toldBy = new Function('told', `let out; ${telling(code, (begin) => `told.push(${begin})`)}; return out;`);
    assert.equal(toldBy(told), out);
    assert.ok(told.length > 0);
  });
}

test('a function is known by the place where it begins', () => {
  const code = 'const a = () => 1; const b = () => 2;';
  assert.is(
    compiledAtOnce(code, (begin) => begin === code.lastIndexOf('() =>')),
    'const a = () => 1; const b = AT_ONCE(function () { return 2; });',
  );
});

test.run();
