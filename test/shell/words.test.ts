// What a program would receive: the values of words, checked against bash itself where it is installed.
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';

/** Words as written, and the arguments they become. */
const STATIC: readonly (readonly [written: string, values: readonly string[]])[] = [
  ['a', ['a']],
  ['a b', ['a', 'b']],
  ["'a b'", ['a b']],
  ['"a b"', ['a b']],
  ['a" b "c', ['a b c']],
  ["a' b 'c", ['a b c']],
  ['"a"\'b\'c', ['abc']],
  ["''", ['']],
  ['""', ['']],
  ["''''", ['']],
  ["a''b", ['ab']],
  ['a""b', ['ab']],
  ['\\a', ['a']],
  ['\\\\', ['\\']],
  ["\\'", ["'"]],
  ['\\"', ['"']],
  ['a\\ b', ['a b']],
  ['\\$x', ['$x']],
  ['\\*', ['*']],
  ['\\~', ['~']],
  ['\\;', [';']],
  ['\\&\\|\\<\\>\\(\\)', ['&|<>()']],
  ['\\#a', ['#a']],
  ['a#b', ['a#b']],
  ['"\\a"', ['\\a']],
  ['"\\\\"', ['\\']],
  ['"\\""', ['"']],
  ['"\\$x"', ['$x']],
  ['"\\n"', ['\\n']],
  ['"a\\\nb"', ['ab']],
  ['a\\\nb', ['ab']],
  ['a\\\n b', ['a', 'b']],
  ["'a\\\nb'", ['a\\\nb']],
  ['"a\nb"', ['a\nb']],
  ["'a\nb'", ['a\nb']],
  ["'\\'", ['\\']],
  ["'\"'", ['"']],
  ['"\'"', ["'"]],
  ["'$x'", ['$x']],
  ['$', ['$']],
  ['a$', ['a$']],
  ['"$"', ['$']],
  ['"a $ b"', ['a $ b']],
  ['"$ "', ['$ ']],
  ['$. $, $/a $%', ['$.', '$,', '$/a', '$%']],
  ['"*"', ['*']],
  ["'?'", ['?']],
  ['"[a]"', ['[a]']],
  ['"~"', ['~']],
  ['a~', ['a~']],
  ['a/~', ['a/~']],
  ['--x=~', ['--x=~']],
  ['-I~', ['-I~']],
  ['{} {a} a{b}c', ['{}', '{a}', 'a{b}c']],
  ['@{u} stash@{0} {', ['@{u}', 'stash@{0}', '{']],
  ['@{u}..HEAD', ['@{u}..HEAD']],
  ['stash@{1}..stash@{0}', ['stash@{1}..stash@{0}']],
  ['"{a,b}"', ['{a,b}']],
  ['\\{a,b\\}', ['{a,b}']],
  ['{a"b"}', ['{ab}']],
  ['"!" !', ['!', '!']],
  ['^ % + @ , . : = -', ['^', '%', '+', '@', ',', '.', ':', '=', '-']],
  ['=a a= a=b', ['=a', 'a=', 'a=b']],
  ['é日本', ['é日本']],
  ['a\u00a0b', ['a\u00a0b']],
  ['a\u2028b', ['a\u2028b']],
  ['"a\tb" c\td', ['a\tb', 'c', 'd']],
  ["$'a'", ['a']],
  ["$'a\\nb'", ['a\nb']],
  ["$'\\t\\r\\a\\b\\e\\E\\f\\v'", ['\t\r\x07\b\x1b\x1b\f\v']],
  ["$'it\\'s'", ["it's"]],
  ["$'\\\\'", ['\\']],
  ["$'\\\"\\?'", ['"?']],
  ["$'\\x41\\101\\x4g'", ['AA\x04g']],
  ["$'\\1019'", ['A9']],
  ["$'\\q\\8'", ['\\q\\8']],
  ["$'a\\\nb'", ['a\\\nb']],
  ["$'a\nb'", ['a\nb']],
  ["x$'a'\"b\"'c'd", ['xabcd']],
  ['then fi do done if', ['then', 'fi', 'do', 'done', 'if']],
  ['in { } ]]', ['in', '{', '}', ']]']],
];

const SEPARATOR = '\u0001end';

/** All rows through one bash, which only prints; null where there is no bash. */
function askBash(): readonly (readonly string[])[] | null {
  const script = STATIC.map(([written]) => `printf '%s\\0' ${written} '${SEPARATOR}'`).join('\n');
  const { status, stdout } = spawnSync('bash', ['--norc', '--noprofile', '-c', script], {
    encoding: 'utf8',
    timeout: 5000,
    env: { PATH: process.env.PATH ?? '/bin', LC_ALL: 'C.UTF-8', SHLVL: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) return null;
  return stdout
    .split(`${SEPARATOR}\0`)
    .slice(0, -1)
    .map((row) => row.split('\0').slice(0, -1));
}

const real = askBash();

for (const [index, [written, values]] of STATIC.entries()) {
  test(`${JSON.stringify(written)} becomes ${JSON.stringify(values)}`, () => {
    const [invocation, ...others] = readCommandLine(`printf ${written}`, 'bash').invocations;
    assert.equal(others, []);
    assert.equal(
      invocation?.argv.slice(1).map(({ value }) => value),
      values,
    );
    if (real !== null) assert.equal(values, real[index], 'and bash says so');
  });
}

/** One word that is not certain: what flags it carries. */
const UNCERTAIN: readonly (readonly [written: string, literalPrefix: string, glob: boolean, why: string])[] = [
  ['$x', '', false, 'parameter-expansion'],
  ['a$x', 'a', false, 'parameter-expansion'],
  ['"a $x"', 'a ', false, 'parameter-expansion'],
  ['${x}', '', false, 'parameter-expansion'],
  ['$1', '', false, 'parameter-expansion'],
  ['$@', '', false, 'parameter-expansion'],
  ['"$@"', '', false, 'parameter-expansion'],
  ['--a=$y', '--a=', false, 'parameter-expansion'],
  ['`a`', '', false, 'command-substitution'],
  ['"`a`"', '', false, 'command-substitution'],
  ['$\\\n(a)', '', false, 'command-substitution'],
  ['$((a[1]))', '', false, 'arithmetic'],
  ['$[1+1]', '', false, 'arithmetic'],
  ['>(a)', '', false, 'process-substitution'],
  ['{a,"b"}', '', false, 'brace-expansion'],
  ['x{1..3..2}', 'x', false, 'brace-expansion'],
  ['{a,"b c"}', '', false, 'brace-expansion'],
  ['{a},b}', '', false, 'brace-expansion'],
  ['{"}",a}', '', false, 'brace-expansion'],
  ['~root', '', false, 'dynamic-word'],
  ['~+', '', false, 'dynamic-word'],
  ['~-', '', false, 'dynamic-word'],
  ['~"/x"', '', false, 'dynamic-word'],
  ['i=~', 'i=', false, 'dynamic-word'],
  ['a=b:~', 'a=b:', false, 'dynamic-word'],
  ['$"a"', '', false, 'dynamic-word'],
  ["$'\\u00e9'", '', false, 'dynamic-word'],
  ["$'\\xe9'", '', false, 'dynamic-word'],
  ["$'a\\0b'", '', false, 'dynamic-word'],
  ["$'\\cA'", '', false, 'dynamic-word'],
  ['@(a|b)', '@', false, 'dynamic-word'],
  ['*(a)', '', true, 'dynamic-word'],
  ["'['a]*", '[a]', true, 'dynamic-word'],
  ['\\**', '*', true, 'dynamic-word'],
];

for (const [written, literalPrefix, glob, why] of UNCERTAIN) {
  test(`${JSON.stringify(written)} is not certain: ${why}`, () => {
    const { invocations, opaque } = readCommandLine(`echo ${written}`, 'bash');
    const word = invocations[0]?.argv[1];
    assert.is(word?.value, null);
    assert.is(word?.literalPrefix, literalPrefix);
    assert.is(word?.glob, glob);
    assert.ok(opaque.some(({ code }) => code === why));
  });
}

/** Wildcards and home folders keep their text. */
const FLAGGED: readonly (readonly [written: string, value: string, glob: boolean, tilde: boolean, literalPrefix: string])[] = [
  ['*.ts', '*.ts', true, false, ''],
  ['src/*.ts', 'src/*.ts', true, false, 'src/'],
  ['a?', 'a?', true, false, 'a'],
  ['[ab]', '[ab]', true, false, ''],
  ['[', '[', false, false, '['],
  ['"a"*', 'a*', true, false, 'a'],
  ['~', '~', false, true, '~'],
  ['~/a', '~/a', false, true, '~/a'],
  ['~/*.ts', '~/*.ts', true, true, '~/'],
  ['"~"', '~', false, false, '~'],
  ['\\*', '*', false, false, '*'],
];

for (const [written, value, glob, tilde, literalPrefix] of FLAGGED) {
  test(`${JSON.stringify(written)} keeps its text, with its flags`, () => {
    const { invocations, opaque } = readCommandLine(`echo ${written}`, 'union');
    assert.equal(opaque, []);
    const word = invocations[0]?.argv[1];
    assert.equal(
      { value: word?.value, glob: word?.glob, tilde: word?.tilde, literalPrefix: word?.literalPrefix },
      { value, glob, tilde, literalPrefix },
    );
  });
}

/** Assignments: name, value, append. */
const ASSIGNMENTS: readonly (readonly [line: string, name: string, value: string | null, append: boolean])[] = [
  ['A=b', 'A', 'b', false],
  ['A=', 'A', '', false],
  ['A="b c"', 'A', 'b c', false],
  ["A='b c' zz", 'A', 'b c', false],
  ['A+=b', 'A', 'b', true],
  ['A=*', 'A', '*', false],
  ['A={a,b}', 'A', '{a,b}', false],
  ['A=a=b', 'A', 'a=b', false],
  ['A=$x', 'A', null, false],
  ['A=~', 'A', null, false],
  ['A=a:~/b', 'A', null, false],
  ['A=(a b)', 'A', null, false],
];

for (const [line, name, value, append] of ASSIGNMENTS) {
  test(`${line} assigns ${value === null ? 'what is not certain' : JSON.stringify(value)}`, () => {
    const { invocations, opaque } = readCommandLine(line, 'bash');
    const [assignment] = invocations[0]?.assignments ?? [];
    assert.equal({ name: assignment?.name, value: assignment?.value, append: assignment?.append }, { name, value, append });
    assert.is(opaque.length > 0, value === null);
  });
}

test.run();
