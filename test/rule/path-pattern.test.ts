import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePath } from '../../src/rule/path/compile.js';
import { globSource } from '../../src/rule/path/glob-source.js';
import { locate, type Platform } from '../../src/rule/path/location.js';
import { compileRules } from '../../src/rule/rule-set.js';
import { rule, sameName } from './rules.js';

const project = '/home/u/src/app';
const home = '/home/u';

function at(path: string, platform: Platform = 'linux') {
  return locate(path, { project, home, platform });
}

function covers(pattern: string, path: string, platform?: Platform): boolean {
  return compileRules([rule('allow', `Read(${pattern})`)], sameName).coversPath('Read', at(path, platform)).length > 0;
}

function meets(pattern: string, path: string, platform?: Platform): boolean {
  const rules = compileRules([rule('deny', `Read(${pattern})`)], sameName);
  return rules.meetsPath('Read', [at(path, platform)]).length + rules.total('Read').length > 0;
}

const facts: [pattern: string, path: string, allow: boolean, deny: boolean, why: string][] = [
  // Relative with a slash: from the project's root; ask and deny at any depth.
  ['src/**', '/home/u/src/app/src/a.ts', true, true, 'below the folder'],
  ['src/**', '/home/u/src/app/src', true, true, 'the folder itself'],
  ['src/**', '/home/u/src/app/vendor/src/a.ts', false, true, 'only a deny looks at any depth'],
  ['src/**', '/home/u/src/app/README', false, false, 'folders above the project do not count'],
  ['src/**', '/home/u/src/other/x', false, true, 'outside the project a deny looks from the root'],
  ['src/**', '/home/u/src/app/srcs/a', false, false, 'whole names only'],
  ['./src/**', '/home/u/src/app/src/a.ts', true, true, 'the same with ./'],
  ['src/*.ts', '/home/u/src/app/src/a.ts', true, true, 'one segment'],
  ['src/*.ts', '/home/u/src/app/src/b/a.ts', false, false, 'not two'],
  ['src/*', '/home/u/src/app/src/b/a.ts', true, true, 'a matched folder covers what is below it'],
  ['src/**/test/*.ts', '/home/u/src/app/src/a/b/test/x.ts', true, true, 'a double star crosses folders'],
  ['src/**/test/*.ts', '/home/u/src/app/src/test/x.ts', true, true, 'or none'],
  ['**/test/**', '/home/u/src/app/a/test/b', true, true, 'any depth, written out'],
  ['**/test/**', '/home/u/test/b', false, true, 'an allow ends at the edge of the project'],
  // Without a slash: any depth.
  ['src', '/home/u/src/app/vendor/src/a.ts', true, true, 'any depth'],
  ['src/', '/home/u/src/app/vendor/src/a.ts', true, true, 'a trailing slash changes nothing'],
  ['.env', '/home/u/src/app/a/.env', true, true, 'any depth'],
  ['.env', '/home/u/.env', false, true, 'outside the project only for a deny'],
  ['.env', '/home/u/src/app/.env.local', false, false, 'whole names only'],
  ['*.env', '/home/u/src/app/a/x.env', true, true, 'a glob at any depth'],
  ['*.env', '/home/u/src/app/a/.env', true, true, 'a leading dot is nothing special'],
  ['*.env', '/home/u/src/app/a/\nx.env', false, true, 'a line feed in a name neither helps nor hides'],
  ['*.{ts,tsx}', '/home/u/src/app/a.tsx', true, true, 'braces in a segment'],
  ['[!a]b', '/home/u/src/app/xb', true, true, 'a negated class'],
  ['[!a]b', '/home/u/src/app/ab', false, false, 'a negated class'],
  ['a?c', '/home/u/src/app/abc', true, true, 'one character'],
  // Whole project.
  ['**', '/home/u/src/app/a/b', true, true, 'everything in the project'],
  ['*', '/home/u/src/app/a/b', true, true, 'everything in the project'],
  ['**', '/home/u/src/app', true, true, 'the project itself'],
  ['**', '/etc/passwd', false, true, 'an allow ends at the edge of the project'],
  ['*', '/etc/passwd', false, true, 'an allow ends at the edge of the project'],
  ['.', '/home/u/src/app/a', true, true, 'the project'],
  ['/', '/home/u/src/app/a', true, true, 'the project'],
  ['/', '/etc/passwd', false, false, 'not the disk'],
  // Anchors.
  ['/src', '/home/u/src/app/src/a', true, true, 'the root of the project'],
  ['/src', '/home/u/src/app/x/src/a', false, false, 'only there'],
  ['//etc/**', '/etc/passwd', true, true, 'absolute'],
  ['//etc/*.conf', '/etc/a.conf', true, true, 'absolute glob'],
  ['//', '/etc/passwd', true, true, 'the disk'],
  ['//etc/**', '/home/u/src/app/etc/x', false, false, 'only there'],
  ['//**/id_rsa', '/root/.ssh/id_rsa', true, true, 'any depth of the disk'],
  ['~/.ssh/**', '/home/u/.ssh/id', true, true, 'home'],
  ['~/.ssh/**', '/home/v/.ssh/id', false, false, 'of this user'],
  ['~', '/home/u/x', true, true, 'the whole home'],
  // Literal characters that other globs treat specially.
  ['app/(group)/page.tsx', '/home/u/src/app/app/(group)/page.tsx', true, true, 'parentheses are literal'],
  ['app/\\[id\\]/page.tsx', '/home/u/src/app/app/[id]/page.tsx', true, true, 'escaped brackets are literal'],
  ['a+b@(c)|d*', '/home/u/src/app/a+b@(c)|d9', true, true, 'no extended globs beside a star'],
  ['a b/c$*', '/home/u/src/app/a b/c$x', true, true, 'spaces and dollars'],
  ['(a*)+x', '/home/u/src/app/(aa)+x', true, true, 'no quantifier over a group'],
  ['cafe\u0301/x', '/home/u/src/app/cafe\u0301/x', true, true, 'on Linux the bytes of a name count'],
  // Escapes by spelling.
  ['src/**', '/home/u/src/app/src/../.env', false, false, 'parents are resolved before'],
  ['.git', '/home/u/src/app/x\\.git\\config', false, true, 'a backslash separates for a deny'],
  ['SRC/**', '/home/u/src/app/src/a', false, false, 'case counts on Linux'],
  ['src/**', `/home/u/src/app/src/${'x'.repeat(300)}`, false, true, 'a name that cannot exist'],
  ['src/**', `/home/u/src/app/src/${'x/'.repeat(2100)}`, false, true, 'a path that cannot exist'],
];
for (const [pattern, path, allow, deny, why] of facts) {
  test(`${pattern} and ${path.slice(0, 60)}: ${why}`, () => {
    assert.is(covers(pattern, path), allow, 'allow');
    assert.is(meets(pattern, path), deny, 'deny');
  });
}

const foldedFacts: [pattern: string, path: string, platform: Platform, expected: boolean][] = [
  ['SRC/**', '/home/u/src/app/src/a', 'darwin', true],
  ['src/*.TS', '/home/u/src/app/SRC/a.ts', 'darwin', true],
  ['src/**', '/Home/U/SRC/App/src/a', 'darwin', true],
  ['caf\u00e9/x', '/home/u/src/app/cafe\u0301/x', 'darwin', true],
  ['caf\u00e9*/x', '/home/u/src/app/CAFE\u0301s/x', 'darwin', true],
  ['.ssh/x', '/home/u/src/app/.\u017f\u017fh/x', 'darwin', true],
  ['src/**', '\\home\\u\\src\\app\\src\\a', 'win32', true],
  ['src/**', '/home/u/src/app/src\\a', 'linux', false],
];
for (const [pattern, path, platform, expected] of foldedFacts) {
  test(`on ${platform} an allow of ${pattern} ${expected ? 'covers' : 'does not cover'} ${path}`, () => {
    assert.is(covers(pattern, path, platform), expected);
  });
}

test('a Windows drive is the first segment', () => {
  const place = locate('C:\\Repo\\src\\a.ts', { project: 'c:\\repo', home: 'C:\\Users\\u', platform: 'win32' });
  assert.equal(place, { absolute: 'C:/Repo/src/a.ts', project: 'src/a.ts', home: null, caseless: true });
});

test('a path is located lexically', () => {
  assert.equal(at('/home/u/src/app/./a//b/../c/'), {
    absolute: '/home/u/src/app/a/c',
    project: 'a/c',
    home: 'src/app/a/c',
    caseless: false,
  });
  assert.is(at('/home/u/src/app').project, '');
  assert.is(at('/home/u/src/apple').project, null);
  assert.is(at('x/y').absolute, '/home/u/src/app/x/y');
});

test('any location of a path is enough for a deny', () => {
  const rules = compileRules([rule('deny', 'Read(//etc/**)')], sameName);
  assert.is(rules.meetsPath('Read', [at('link'), at('/etc/passwd')]).length, 1);
  assert.is(rules.meetsPath('Read', []).length, 0);
});

test('a path as bare text meets wherever it could lie', () => {
  const rules = compileRules([rule('deny', 'Read(/.env)')], sameName);
  assert.is(rules.meetsText('Read', 'path', '.env').length, 1);
  const keys = compileRules([rule('deny', 'Read(~/.ssh/**)')], sameName);
  assert.is(keys.meetsText('Read', 'path', '~/.ssh/id').length, 1);
});

const refused: [pattern: string, code: string][] = [
  ['!src/**', 'rule/negation'],
  ['../x', 'rule/path-parent'],
  ['src/../x', 'rule/path-parent'],
  ['~root/x', 'rule/path-home'],
  ['src\\**', 'rule/backslash'],
  ['C:\\x', 'rule/backslash'],
  ['a*b*c*d*e', 'rule/path-wildcards'],
  ['*/'.repeat(17), 'rule/path-wildcards'],
  ['x'.repeat(1025), 'rule/path-too-long'],
  ['{src/a,lib}/x', 'rule/path-brackets'],
  ['a[b', 'rule/path-brackets'],
  ['[z-a]x', 'rule/path-brackets'],
];
for (const [pattern, code] of refused) {
  test(`the path pattern ${pattern.slice(0, 30)} is refused: ${code}`, () => {
    for (const effect of ['allow', 'ask', 'deny'] as const) {
      const compiled = compilePath(pattern, effect);
      assert.is('code' in compiled ? compiled.code : 'compiled', code);
    }
  });
}

test('a pattern of sixteen double stars is matched in no time', () => {
  const pattern = 'a/**/'.repeat(16);
  const path = `/home/u/src/app/${'a/'.repeat(1000)}b`;
  assert.not(covers(`${pattern}c`, path));
  assert.not(meets(`${pattern}c`, path));
});

test('three stars in a segment stay bearable on the longest name', () => {
  assert.not(covers('*a*a*b', `/home/u/src/app/${'a'.repeat(255)}`));
});

test('common globs are compiled to the very text that micromatch gives', () => {
  const names = fc.stringMatching(/^[ab0_Z.*-]{1,8}$/).filter((name) => /\*/.test(name) && !/^\*\*+$/.test(name));
  const check = (name: string) => {
    const path = compilePath(`/x/${name}`, 'allow');
    const segment = 'code' in path ? null : path.segments[1];
    if (segment?.kind === 'glob') assert.is(segment.source, globSource(name), name);
  };
  for (const name of ['*', '*.pem', '*.tar.gz', '.env*', '.env.*', 'id_*.pub', 'a--*', '*a', '.*', '..*']) check(name);
  fc.assert(fc.property(names, check), { numRuns: 500 });
});

test.run();
