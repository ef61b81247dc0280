// Taking private methods out of classes leaves what a module does as it is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const { withoutPrivateMethods } = (await import(pathToFileURL(join(process.cwd(), '.ci', 'out-of-classes.mjs')).href)) as {
  readonly withoutPrivateMethods: (text: string) => string;
};

const test = suite('out of classes');

/** TypeScript that puts what it computes into `out`, and how many methods are taken out of it. */
const rows: readonly [code: string, out: unknown, taken: number, why: string][] = [
  ['class A { #f() { return 1; } g() { return this.#f(); } } out = new A().g();', 1, 1, 'a method with #'],
  ['class A { private f(x: number) { return x; } g() { return this.f(2); } } out = new A().g();', 2, 1, 'a private one'],
  ['class A { f() { return 1; } g() { return this.f(); } } out = new A().g();', 1, 0, 'one that anybody may call'],
  [
    'class A { #x = 1; #f(y) { return this.#x + y; } g() { this.#x += 1; return [1, 2].map((y) => this.#f(y)); } } out = new A().g();',
    [3, 4],
    1,
    'a field with #, an arrow',
  ],
  [
    'class A { #f(n) { return n === 0 ? [] : [n, ...this.#h(n)]; } #h(n) { return this.#f(n - 1); } g() { return this.#f(3); } } out = new A().g();',
    [3, 2, 1],
    2,
    'two that call each other',
  ],
  [
    'class A { #f(a, b) { return [a, b]; } #h() { return this.#f(this.#f(1, this), 2)[0][0]; } g() { return this.#h(); } } out = new A().g();',
    1,
    2,
    'calls in the arguments of calls',
  ],
  [
    'class A { #f() { return this; } g() { return [1].map(this.#f, this)[0] === this; } } out = new A().g();',
    true,
    0,
    'one that is handed on',
  ],
  [
    'class A { #x; constructor(x) { this.#x = x; } is(other) { return this.#x === other.#x; } } out = new A(1).is(new A(1));',
    true,
    0,
    "another object's field",
  ],
  ['class A { #f() { return 1; } is(other) { return other.#f(); } } out = new A().is(new A());', 1, 0, "another object's method"],
  [
    'class A { private f() { return 1; } g(other: any) { return other.f() + this.f(); } } out = new A().g({ f: () => 2 });',
    3,
    0,
    'one of a name that another object has, too',
  ],
  [
    'class A { static is(x) { return #f in x; } #f() {} } out = [A.is({}), A.is(new A())];',
    [false, true],
    0,
    'a class that asks who has a private name',
  ],
  [
    'class B {} class A extends B { #f() { return 1; } g() { return this.#f(); } } out = new A().g();',
    1,
    0,
    'one that extends another',
  ],
  [
    'class A { n = 1; #f() { return function () { return this === undefined || this.n; }; } g() { return this.#f()(); } } out = new A().g();',
    true,
    1,
    'a function in it has an object of its own',
  ],
  [
    'class A { n = 1; #f() { return { n: 2, m() { return this.n; } }.m() + this.n; } g() { return this.#f(); } } out = new A().g();',
    3,
    1,
    'and so has a method of a literal',
  ],
  [
    'class A { #f(x = this.#d()) { return x; } #d() { return 5; } g() { return this.#f(); } } out = new A().g();',
    5,
    2,
    'what stands for an argument',
  ],
  [
    'class A { async #f() { return 1; } *#h() { yield 1; } g() { this.#f(); return [...this.#h()]; } } out = new A().g();',
    [1],
    0,
    'those that wait or give one by one',
  ],
  ['class A { static #f() { return 1; } static g() { return A.#f(); } } out = A.g();', 1, 0, "the class's own"],
  ['class A { get #f() { return 1; } g() { return this.#f; } } out = new A().g();', 1, 0, 'what is read like a field'],
  [
    'class A { #f() { return 1; } g() { const { h } = this; return h; } h = this.#f(); } out = new A().g();',
    1,
    1,
    'a call where a field begins',
  ],
  ['class A { private f<T>(x: T): T { return x; } g() { return this.f<number>(3); } } out = new A().g();', 3, 1, 'types'],
  [
    'function make() { const x = 4; class A { #f() { return x; } g() { return this.#f(); } } return new A().g(); } out = make();',
    4,
    0,
    'a class in a function',
  ],
  ['class A { private f() { return 1; } g() { return this?.f(); } } out = new A().g();', 1, 0, 'a call that asks first'],
  [
    'class A { private f() { return 1; } g() { const { f } = this; return f(); } } out = new A().g();',
    1,
    0,
    'one that is taken from the object',
  ],
];

for (const [code, expected, taken, why] of rows)
  test(why, () => {
    const text = withoutPrivateMethods(code);
    assert.equal(run(text), run(code), text);
    assert.equal(run(code), expected);
    assert.is(
      [...text.matchAll(/function \w+_in_\w+\(/g)].length + [...text.matchAll(/function \w+_in_\w+</g)].length,
      taken,
      text,
    );
  });

test('no private name is left in a class whose methods were taken', () => {
  const text = withoutPrivateMethods('class A { #a = 1; #b = 2; #f() { return this.#a + this.#b; } g() { return this.#f(); } }');
  assert.not.match(text, /#/);
  assert.match(text, /_0 = 1; _1 = 2;/);
});

function run(code: string): unknown {
  const options = { compilerOptions: { target: ts.ScriptTarget.ES2022, useDefineForClassFields: false } };
  const text = ts.transpileModule(code, options).outputText;
  return new Function(`'use strict'; let out; ${text}\nreturn out;`)();
}

test.run();
