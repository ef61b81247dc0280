// Lines that dash or zsh read differently from bash: opaque where the shell may be one that does.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Shell } from '../../src/call/tool-call.js';
import { readCommandLine } from '../../src/shell/read.js';

/** Lines that zsh reads as bash does. */
const DASH_ONLY: readonly (readonly [line: string, why: string])[] = [
  ["echo $'\\'; P #'", 'dash ends the quote at the first one'],
  ["echo $'a'", 'dash knows no such quoting'],
  ['[[ x || P ]]', 'dash runs P'],
  ['ls &> x', 'dash starts a job and empties x'],
  ['ls &>> x', 'dash starts a job'],
  ['a |& b', 'a mistake in dash'],
  ['a+=b', 'a command in dash'],
  ['[[ a < b ]]', 'dash reads a redirection'],
  ['[[ ( a == b ) && -n c ]]', 'dash reads a subshell'],
  ["[[ a == $'\\t' ]]", 'dash compares other characters'],
];

/** Lines that zsh reads otherwise, and perhaps dash, too. */
const LINES: readonly (readonly [line: string, why: string])[] = [
  ['time -p ls', 'zsh runs -p'],
  ['time -- ls', 'zsh runs --'],
  ['time ! ls', 'dash runs a program named time'],
  ['! ! ls', 'a mistake in dash'],
  ['=P', 'zsh expands a leading = to a path'],
  ["echo $'\\q'", 'zsh drops the backslash'],
  ["echo $'\\q' $'a'", 'a second word is read alike'],
  ['echo 2&> x', 'zsh redirects descriptor 2'],
  ['ls &>!x', 'zsh writes x'],
  ['ls {a} > x', 'zsh puts the descriptor into a'],
  ['ls {a}  <<E\nb\nE', 'zsh puts the descriptor into a'],
  [`ls {${'a'.repeat(100)}} > x`, 'zsh puts the descriptor into it'],
  ['[[ =ls == a ]]', 'zsh expands a leading = to a path'],
  ['ls =P', 'zsh expands a leading = to a path'],
  ['ls *(+P)', 'zsh runs P as a qualifier'],
  ['echo *(e:P:)', 'zsh runs P as a qualifier'],
  ['repeat 1 P', 'zsh repeats P'],
  ['noglob P', 'zsh runs P'],
  ['nocorrect P', 'zsh runs P'],
  ['- P', 'zsh runs P'],
  ['emulate zsh -c P', 'zsh evaluates P'],
  ['zmodload zsh/system', 'zsh loads a module'],
  ['autoload P', 'zsh defines a function'],
  ['integer x=y', 'zsh evaluates y'],
  ['setopt aliases', 'zsh changes how it reads'],
  ['echo $=x', 'zsh expands x'],
  ['echo "$=x"', 'zsh expands x'],
  ['echo $+x', 'zsh expands x'],
  ['echo $~x', 'zsh expands x'],
  ['echo $"P"', 'dash keeps the dollar'],
  ['< a.txt', 'zsh runs the pager'],
  ['> a.txt', 'zsh runs cat'],
  ['echo x >!y', 'zsh writes y'],
  ['echo x >! y', 'zsh writes y'],
  ['ls <1-9>x', 'a pattern in zsh'],
  ['echo @(a|b)', 'an extended glob of bash only'],
];

function isDialect(line: string, shell: Shell): boolean {
  return readCommandLine(line, shell).opaque.some(({ code }) => code === 'shell-dialect');
}

for (const [line, why] of DASH_ONLY)
  test(`${JSON.stringify(line)} depends on whether dash reads it: ${why}`, () => {
    for (const shell of ['sh', 'union'] as const) assert.ok(isDialect(line, shell), shell);
    for (const shell of ['bash', 'zsh', 'bash-or-zsh'] as const) assert.not.ok(isDialect(line, shell), shell);
  });

for (const [line, why] of LINES) {
  test(`${JSON.stringify(line)} depends on the shell: ${why}`, () => {
    for (const shell of ['sh', 'zsh', 'bash-or-zsh', 'union'] as const) assert.ok(isDialect(line, shell), shell);
  });
  test(`${JSON.stringify(line)} is no question of dialect in bash`, () => {
    assert.not.ok(isDialect(line, 'bash'));
  });
}

/** Near what zsh reads otherwise. */
for (const line of [
  'ls "{a}" > x',
  'ls {a.b} > x',
  'ls {a} b > x',
  'f=x; cat ${f} > y',
  'find . -name {} > x',
  'ls &> x2',
  'ls 2 &> x',
])
  test(`${JSON.stringify(line)} is the same to bash and zsh`, () => {
    assert.not.ok(isDialect(line, 'bash-or-zsh'));
  });

test.run();
