// Lines that dash or zsh read differently from bash: opaque unless the shell is bash.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';

const LINES: readonly (readonly [line: string, why: string])[] = [
  ["echo $'\\'; P #'", 'dash ends the quote at the first one'],
  ["echo $'a'", 'dash knows no such quoting'],
  ['[[ x || P ]]', 'dash runs P'],
  ['time -p ls', 'zsh runs -p'],
  ['time -- ls', 'zsh runs --'],
  ['time ! ls', 'dash runs a program named time'],
  ['! ! ls', 'a mistake in dash'],
  ['=P', 'zsh expands a leading = to a path'],
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
  ['ls &> x', 'dash starts a job and empties x'],
  ['ls &>> x', 'dash starts a job'],
  ['a |& b', 'a mistake in dash'],
  ['a+=b', 'a command in dash'],
  ['echo x >!y', 'zsh writes y'],
  ['echo x >! y', 'zsh writes y'],
  ['ls <1-9>x', 'a pattern in zsh'],
  ['echo @(a|b)', 'an extended glob of bash only'],
];

for (const [line, why] of LINES) {
  test(`${JSON.stringify(line)} depends on the shell: ${why}`, () => {
    for (const shell of ['sh', 'zsh', 'union'] as const)
      assert.ok(
        readCommandLine(line, shell).opaque.some(({ code }) => code === 'shell-dialect'),
        shell,
      );
  });
  test(`${JSON.stringify(line)} is no question of dialect in bash`, () => {
    assert.not.ok(readCommandLine(line, 'bash').opaque.some(({ code }) => code === 'shell-dialect'));
  });
}

test.run();
