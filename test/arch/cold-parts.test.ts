// Taking functions and parts of functions out of a module leaves what it does as it is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const own = (name: string) => import(pathToFileURL(join(process.cwd(), '.ci', name)).href) as Promise<unknown>;
const { withoutParts, withTellingParts } = (await own('cold-parts.mjs')) as {
  readonly withoutParts: (
    text: string,
    cold: (begin: number, isWhole: boolean) => boolean,
    whole?: ReadonlySet<string>,
  ) => { text: string; names: readonly string[] };
  readonly withTellingParts: (text: string, tell: (begin: number) => string) => string;
};
const { setApart } = (await own('set-apart.mjs')) as {
  readonly setApart: (
    text: string,
    own: string,
    wanted: ReadonlySet<string>,
    kind: string,
  ) => { kept: string; apart: string } | null;
};

/** Long enough to be worth a function of its own. */
const LONG = "'a text that is long enough to be worth a function of its own!!'";

/** Code that puts what it computes into `out`, how many parts it has, and what they are. */
const rows: readonly (readonly [code: string, out: unknown, parts: number, why: string])[] = [
  [`const f = (x) => { if (x) { return ${LONG} + x; } return 0; }; out = [f(0), f(1)[0]];`, [0, 'a'], 1, 'a branch that returns'],
  [`function f(x) { if (x) { out = ${LONG}.length + x; } return x; } f(1);`, 63, 1, 'a branch that changes what is at the top'],
  [
    `function f(x) { let y = 1; if (x) { y = ${LONG}.length; } return y; } out = f(1);`,
    62,
    0,
    'one that changes a variable of the function',
  ],
  [`function f(x) { return x ? ${LONG}.slice(x) : ${LONG}.slice(1); } out = f(60);`, '!!', 2, 'both ends of a choice'],
  [`function f(x) { return x || ${LONG}.length; } out = [f(1), f(0)];`, [1, 62], 1, 'what stands behind an operator'],
  [
    `function f(x) { switch (x) { case 1: { return ${LONG}[0]; } case 2: out = ${LONG}[1]; break; default: } return x; } out = f(1); f(2);`,
    ' ',
    2,
    'cases, one with its own end',
  ],
  [
    `function f(x) { switch (x) { case 1: out = ${LONG}[0]; case 2: return out + ${LONG}[2]; } } out = f(1);`,
    'at',
    2,
    'a case that goes on into the next',
  ],
  [
    `function f(x) { try { return x(); } catch (error) { return error.message + ${LONG}.length; } } out = f(() => { throw new Error('e'); });`,
    'e62',
    1,
    'what handles an error',
  ],
  [
    `function f(x) { for (const y of x) { if (y) { out = y + ${LONG}.length; continue; } } } f([0, 1]);`,
    63,
    0,
    'a loop with what ends one of its rounds',
  ],
  [
    `function f(x) { for (const y of x) { if (y > 1) { out = ${LONG}[y]; break; } } } f([0, 2, 4]);`,
    't',
    0,
    'and one with what ends it',
  ],
  [
    `function f(x) { const g = () => { if (x) { return [x, ${LONG}.length]; } return null; }; x += 1; return g(); } out = f(0);`,
    [1, 62],
    1,
    'a variable that changed before',
  ],
  [
    `function f(x) { let y = 1; let g; if (x) { g = () => y + ${LONG}.length; } y = 2; return g(); } out = f(1);`,
    64,
    0,
    'a function that outlives a change',
  ],
  [
    `const a = { n: 1, f(x) { if (x) { return this.n + ${LONG}.length; } return 0; } }; out = a.f(1);`,
    63,
    1,
    'what is of the object',
  ],
  [
    `class A { n = 2; f(x) { if (x) { return [1].map((y) => this.n + y + ${LONG}.length)[0]; } return 0; } } out = new A().f(1);`,
    65,
    1,
    'the object in an arrow within it',
  ],
  [
    `const a = { n: 2, f(x) { if (x) { const b = { n: ${LONG}.length, g() { return this.n; } }; return b.g() + this.n; } return 0; } }; out = a.f(1);`,
    64,
    1,
    'another object within it',
  ],
  [
    `class A { n = 2; get f() { return this.n + ${LONG}.length + ${LONG}.length; } set f(x) { this.n = x + ${LONG}.length + ${LONG}.length; } } const a = new A(); a.f = 1; out = a.f;`,
    249,
    0,
    'what gives and takes a value of the object',
  ],
  [
    `class A { constructor(x) { this.n = x; if (x) { this.m = this.n + ${LONG}.length; } } } out = new A(1).m;`,
    63,
    1,
    'what makes an object',
  ],
  [
    `class B { constructor() { this.n = 1; } } class A extends B { constructor(x) { super(); if (x) { this.m = this.n + ${LONG}.length; } } f() { return super.f + ${LONG}.length + ${LONG}.length; } } out = new A(1).m;`,
    63,
    1,
    'what makes an object of a kind',
  ],
  [
    `function f() { if (arguments.length > 1) { return arguments[1] + ${LONG}.length; } return 0; } out = f(1, 2);`,
    64,
    0,
    'what is of the function',
  ],
  [
    `class A { #n = 2; f(x) { if (x) { return x.#n + ${LONG}.length; } return 0; } } out = new A().f(new A());`,
    64,
    0,
    'private names',
  ],
  [`function* f(x) { if (x) { yield ${LONG}.length; yield x; } } out = [...f(1)];`, [62, 1], 0, 'a generator'],
  [
    `function f(x) { if (!x) return 0; const y = x + 1; return y + ${LONG}.length; } out = [f(0), f(1)];`,
    [0, 64],
    1,
    'what comes behind a way out',
  ],
  [
    `function f(x) { if (x > 2) return 0; const g = h(x); return g + ${LONG}.length; function h(y) { return y * 2; } } out = f(2);`,
    66,
    1,
    'with a function below it',
  ],
  [
    `function f({ a, b: c = 2 }) { if (a) { const { d, e } = { d: a, e: c }; return [d, e, ${LONG}.length]; } return []; } out = f({ a: 1 });`,
    [1, 2, 62],
    1,
    'names taken apart',
  ],
  [
    `const t = 5; function f(x) { if (x) { const t = x * 2; return { t, x, l: ${LONG}.length }; } return t; } out = f(1);`,
    { t: 2, x: 1, l: 62 },
    1,
    'a name that is covered, and one that is both',
  ],
];

const computed = (text: string, more = ''): unknown => new Function(`'use strict'; let out; ${more}${text}\n return out;`)();

for (const [code, out, parts, why] of rows)
  test(`${why}: the same value`, () => {
    assert.equal(computed(code), out, 'as it was written');
    const taken = withoutParts(code, (_, isWhole) => !isWhole);
    assert.is(taken.names.length > 0, parts > 0, taken.text);
    assert.equal(computed(taken.text), out, taken.text);
    // Every part by itself, too: within another one it is not seen above.
    const begins: number[] = [];
    const telling = withTellingParts(code, (begin) => `(ran.add(${begins.push(begin) && begin}))`);
    assert.equal(computed(telling, 'const ran = new Set();'), out, telling);
    assert.ok(begins.length >= parts, telling);
    for (const wanted of begins) {
      const one = withoutParts(code, (begin) => begin === wanted);
      assert.is(one.names.length, 1);
      assert.equal(computed(one.text), out, one.text);
    }
  });

test('a part that ran tells so, and stays', () => {
  const code = `function f(x) { if (x) { return ${LONG}[x]; } return ${LONG} ? 1 : 2; } out = f(0);`;
  const ran = new Function(
    `'use strict'; let out; const ran = []; ${withTellingParts(code, (begin) => `ran.push(${begin})`)} return ran;`,
  );
  const told = new Set(ran() as number[]);
  const taken = withoutParts(code, (begin) => !told.has(begin));
  assert.is(taken.names.length, 1);
  assert.match(taken.text, /if \(x\) \{ return cold_0\(x\); \}/);
});

test('of a function that did not run its head stays, unless it goes as it is', () => {
  const code = `const f = (x) => { x += 1; return ${LONG}[x]; }; function g({ n }) { return ${LONG}.slice(n) + ${LONG}[n]; } out = [f(1), g({ n: 60 })];`;
  const taken = withoutParts(code, (_, isWhole) => isWhole);
  assert.is(taken.names.length, 2);
  assert.match(taken.text, /const f = \(x\) => \{ return cold_0\(x\); \}; function g\(\{ n \}\) \{ return cold_1\(n\); \}/);
  assert.equal(computed(taken.text), computed(code));
  const left = withoutParts(code, () => true, new Set(['g']));
  assert.is(left.names.length, 1);
  assert.equal(computed(left.text), computed(code));
});

test('what changes beside a part is no part: it would be taken too early', () => {
  const code = `function f() { let n = 1; const next = () => { n += 1; }; const g = () => { next(); next(); return [n, ${LONG}.length]; }; return g(); } out = f();`;
  for (const isCold of [() => true, (_: number, isWhole: boolean) => isWhole]) {
    const taken = withoutParts(code, isCold);
    assert.equal(computed(taken.text), [3, 62], taken.text);
  }
  assert.not.match(withoutParts(code, (begin) => code.startsWith('{ next(', begin)).text, /cold_/);
});

test('what uses a variable of the module that changes is no part: it could not leave the module', () => {
  const code = `let n = 1; const m = 2; function f(x) { if (x) { return [n, ${LONG}.length]; } return [m, ${LONG}.length + 1]; } out = [f(0), f(1)];`;
  assert.is(withoutParts(code, (_, isWhole) => !isWhole).names.length, 1);
});

test('a module is taken apart: functions, and constants that they alone use', () => {
  const parts = setApart(
    [
      "import { join } from 'node:path';",
      'const FIRST = 1;',
      'const ONLY = FIRST;',
      'const BOTH = 2;',
      'let changing = 3;',
      'function seldom(x) { return join("a", String(x + ONLY + BOTH)); }',
      'const arrow = (x) => seldom(x);',
      'function counts() { changing += 1; return changing; }',
      'function often() { return BOTH + counts(); }',
      'export { often, seldom };',
    ].join('\n'),
    './own.js',
    new Set(['seldom', 'arrow', 'counts']),
    'apart',
  );
  assert.ok(parts);
  assert.match(parts?.kept ?? '', /import \{ FIRST, ONLY, seldom, arrow \} from '\.\/own\.apart\.js';/);
  assert.match(parts?.kept ?? '', /function counts/, 'what changes a variable stays with it');
  assert.match(parts?.kept ?? '', /export \{ BOTH \};/);
  assert.match(parts?.apart ?? '', /import \{ BOTH \} from '\.\/own\.js';/);
  assert.match(parts?.apart ?? '', /const FIRST = 1;\s+const ONLY = FIRST;[\s\S]+export \{ FIRST, ONLY, seldom, arrow \};/);
  assert.is(setApart('export function a() {}'.replace('export ', ''), './own.js', new Set(['b']), 'apart'), null);
});

test.run();
