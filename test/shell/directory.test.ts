// Where the last invocation of a line runs: the operands of the `cd`s that certainly succeeded before it, or null.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';

const ROWS: readonly (readonly [line: string, directory: readonly string[] | null, why: string])[] = [
  ['x', [], 'nothing moved'],
  ['a; x', [], 'other commands stay'],
  ['cd src && x', ['src'], 'only behind a success'],
  ['cd src && cd lib && x', ['src', 'lib'], 'in order'],
  ['cd src && a && x', ['src'], 'through a chain'],
  ['cd src && a | x', ['src'], 'a pipeline starts there'],
  ['cd "a b" && x', ['a b'], 'a quoted operand'],
  ['cd -- src && x', ['src'], 'behind --'],
  ['cd /abs && x', ['/abs'], 'absolute'],
  ['cd && x', ['~'], 'home'],
  ['cd src && cd - && x', [], 'back to where the line began'],
  ['cd src && cd lib && cd - && x', ['src'], 'back by one step'],
  ['cd src && a && cd - && cd docs && cd - && x', [], 'there and back twice'],
  ['cd src && (cd lib && cd - && x)', ['src'], 'in a subshell'],
  ['cd src && cd - && cd - && x', null, 'where the first one came from is not followed'],
  ['cd src && cd lib && cd - && cd - && x', null, 'nor there'],
  ['cd - && x', null, 'before the line nobody knows'],
  ['cd /abs && cd - && x', null, 'what was before an absolute step is not kept'],
  ['cd src && cd /abs && cd - && x', null, 'nor here'],
  ['cd ~ && cd - && x', null, 'nor before the home folder'],
  ['cd src; cd - && x', null, 'the first may have failed'],
  ['cd src || cd - && x', null, 'it failed'],
  ['cd src && OLDPWD=/etc && cd - && x', null, 'the shell is told another place'],
  ['cd src && cd -- - && x', null, 'shells differ'],
  ['cd src && cd - y && x', null, 'a second operand'],
  ['for i in 1 2; do cd src && cd - && x; done', null, 'in a loop'],
  ['cd "$X" && cd - && x', null, 'behind a place that nobody knows'],
  ['f() { cd /; }; cd src && f && cd - && x', null, 'a function may move'],
  ['cd src && eval "cd /" && cd - && x', null, 'so may evaluated code'],
  ['pushd src && cd - && x', null, 'pushd is not followed'],
  ['cd ~ && x', ['~'], 'home'],
  ['cd ~/a && x', ['~/a'], 'below home'],
  ["cd '~' && x", ['./~'], 'a folder of that name'],
  ['cd src || exit; x', ['src'], 'the failure left the shell'],
  ['cd src || exit 1; x', ['src'], 'the failure left the shell'],
  ['cd src || exit 1\nx', ['src'], 'the failure left the shell'],
  ['! cd src || x', ['src'], 'the success of cd is the failure of !'],
  ['cd src >/dev/null && x', ['src'], 'with a redirection'],
  ['a && cd src && x', ['src'], 'later in a chain'],
  ['cd src; cd /abs && x', ['/abs'], 'an absolute operand is known again'],
  ['(cd src && a); x', [], 'a subshell keeps it'],
  ['(cd src && x)', ['src'], 'inside the subshell'],
  ['a $(cd src && b); x', [], 'a substitution keeps it'],
  ['cd src & x', [], 'a job keeps it'],
  ['cd src | a; x', [], 'the first of a pipeline keeps it'],
  ['{ cd src && x; }', ['src'], 'inside the group'],
  ['cd src && { x; }', ['src'], 'a group starts there'],
  ['cd src && (x)', ['src'], 'a subshell starts there'],
  ['cd src && a $(x)', ['src'], 'a substitution starts there'],
  ['if a; then b; fi; x', [], 'no move in the branches'],
  ['for i in 1; do x; done', [], 'no move in the loop'],
  ['echo cd src && x', [], 'an argument'],
  ['cd src; x', ['\0try 0 src'], 'cd may fail; facts tell'],
  ['cd src\nx', ['\0try 0 src'], 'cd may fail; facts tell'],
  ['cd src || x', [], 'cd failed'],
  ['cd src || a; x', null, 'one of both'],
  ['cd src || exit 1 2; x', null, 'too many arguments: bash goes on'],
  ['cd src || exit foo; x', null, 'not a number'],
  ['cd src && a || x', null, 'either failed'],
  ['a || cd src && x', null, 'perhaps without cd'],
  ['cd - && x', null, 'the directory before'],
  ['cd $d && x', null, 'dynamic'],
  ['cd *.d && x', null, 'a wildcard'],
  ['cd "" && x', null, 'an empty operand stays or fails'],
  ['cd -P src && x', null, 'an option'],
  ['cd +1 && x', null, 'a stack entry of zsh'],
  ['cd a b && x', null, 'two operands'],
  ['A=1 cd src && x', null, 'an assignment'],
  ['command cd src && x', null, 'through a wrapper'],
  ['builtin cd src && x', null, 'through a wrapper'],
  ['pushd src && x', null, 'the stack'],
  ['popd && x', null, 'the stack'],
  ['CDPATH=/x; cd src && x', null, 'cd looks elsewhere'],
  ['export HOME=/x; cd && x', null, 'another home'],
  ['CDPATH=/x; cd /abs && x', null, 'nothing is known any more'],
  ['$c && x', null, 'a dynamic command may be cd'],
  ['eval "cd src" && x', null, 'evaluated'],
  ['source f && x', null, 'the script may move'],
  ['a | cd src; x', null, 'zsh runs the last of a pipeline in the shell'],
  ['{ cd src; }; x', null, 'a group moves the shell'],
  ['if a; then cd src; fi; x', null, 'perhaps'],
  ['while a; do cd src; x; done', null, 'the second round starts elsewhere'],
  ['for i in 1; do x; cd src; done; a', null, 'the loop moved'],
  ['f() { cd src; }; f; x', null, 'the function moves'],
  ['f() { x; }', null, 'a function runs anywhere'],
  ['exit; x', null, 'never runs'],
];

for (const [line, directory, why] of ROWS)
  test(`${JSON.stringify(line)}: ${directory === null ? 'unknown' : JSON.stringify(directory)}, ${why}`, () => {
    const invocations = readCommandLine(line, 'bash').invocations;
    const wanted = invocations.findLast(({ argv }) => argv[0]?.value === 'x') ?? invocations.at(-1);
    assert.equal(wanted?.directory, directory);
  });

test('a way of many steps is not followed to its end', () => {
  const { invocations } = readCommandLine(`${'cd a && '.repeat(1000)}x`, 'bash');
  assert.is(invocations.at(-1)?.directory, null);
});

test('the redirection of a group opens its file before the group moves', () => {
  const { invocations } = readCommandLine('{ cd /abs || exit; } > f', 'bash');
  assert.equal(invocations.at(-1)?.directory, []);
});

test('a loop that moves the shell leaves no directory certain inside it', () => {
  const { invocations } = readCommandLine('while a; do x; cd src; done', 'bash');
  assert.equal(
    invocations.map(({ directory }) => directory),
    [null, null, null],
  );
});

test.run();
