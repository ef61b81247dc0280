// Quoted `$(`, `${` and backticks under preset safe: a program that only looks at its words may have them (searching for template
// literals, a commit message with `code` in it); whatever may read a word again as code is still asked about.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = { preset: 'safe' };

const ALLOWED: readonly string[] = [
  "grep -r '\\$(' src/",
  'grep -rn "\\`" src',
  'grep -n "\\${" src/a.ts | head',
  "rg '\\$\\(' src",
  "grep -rn 'a[$(x)]' src | wc -l",
  "echo 'use $(pwd) here'",
  "git commit -m 'fix `foo` and $(bar)'",
  "gh pr create -t a -b 'uses `x` and ${y}'",
  "sed -n '/\\${/p' src/a.ts",
];

/** The words would be read again: by a builtin, a shell, a program that runs others, or a program that nobody knows. */
const ASKED: readonly string[] = [
  "test -v 'a[$(id)]'",
  "[ 'a[$(id)]' -eq 1 ]",
  "printf '%d' 'a[$(id)]'",
  "printf -v 'a[$(id)]' x",
  "read 'a[$(id)]'",
  "cd 'a[$(id)]'",
  "type 'a[$(id)]'",
  "x='a[$(id)]'; echo ${s:x}",
  "make 'X=$(shell id)'",
  "env 'X=$(id)' git status",
  'bash -c \'grep "$(id)" a\'',
  "echo '$(id)' | sh",
  "ssh host 'echo $(id)'",
  "timeout 5 sh -c 'echo $(id)'",
  "xargs -I{} sh -c 'echo $(id)' < a",
  "find . -exec sh -c 'echo $(id)' \\;",
  "f() { :; }; f 'a[$(id)]'",
  "ls *(e:'$(id)':)",
  "somebodys-tool '$(id)'",
  "grep '$(id)' a; echo $(( $_ ))",
  "grep 'a[$(id)]' a; (( BASH_COMMAND ))",
];

for (const line of ALLOWED) test(`a text stays a text: ${line}`, () => assert.is(decideIn(SAFE, 'Bash', line).decision, 'allow'));
for (const line of ASKED) test(`may be read again: ${line}`, () => assert.is(decideIn(SAFE, 'Bash', line).decision, 'ask'));

test('a rule that lets a program run does not make its texts inert', () => {
  assert.is(decideIn({ preset: 'safe', allow: ['Bash(make *)'] }, 'Bash', "make 'X=$(shell id)'").decision, 'ask');
});

test.run();
