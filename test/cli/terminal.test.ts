// What a person at a terminal sees: colour, narrow windows, and readers that go away.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, home, policy, scratch } from './spawned.js';

const test = suite('terminal');
const cwd = scratch(CLEAN_REPOSITORY);
/** The program of util-linux that runs a command in a terminal of its own. */
const MAKER = 'script';
const ESCAPE = '\u001b[';

/** Runs `policy ARGS` in a terminal of so many columns; null where that cannot be had. */
function inTerminal(args: string, columns: number, env: Readonly<Record<string, string>> = {}): string | null {
  const line = `stty cols ${columns} && exec ${process.execPath} ${COMMAND} ${args}`;
  const { error, stdout } = spawnSync(MAKER, ['-qec', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8', ...env },
    encoding: 'utf8',
    input: '',
  });
  return error === undefined ? stdout.replaceAll('\r\n', '\n') : null;
}

/** `test` where there is such a terminal, else a test that is counted as skipped. */
const terminalTest = process.platform === 'linux' && inTerminal('--version', 80)?.match(/^\d/) ? test : test.skip;

const colours: readonly (readonly [args: string, env: Readonly<Record<string, string>>, colour: boolean])[] = [
  ['check Bash "git push"', {}, true],
  ['check --no-color Bash "git push"', {}, false],
  ['--no-color check Bash "git push"', {}, false],
  ['check Bash "git push"', { NO_COLOR: '1' }, false],
  ['check Bash "git push"', { NO_COLOR: '' }, true],
  ['check Bash "git push"', { TERM: 'dumb' }, false],
  ['check --json Bash "git push"', {}, false],
];
for (const [args, env, colour] of colours)
  terminalTest(`policy ${args} with ${JSON.stringify(env)} ${colour ? 'has' : 'has no'} colour`, () => {
    assert.is(inTerminal(args, 80, env)?.includes(ESCAPE), colour);
  });

test('a pipe never has colour', () => {
  assert.not.ok(policy(['check', '--explain', 'Bash', 'git push'], { cwd }).stdout.includes(ESCAPE));
});

for (const columns of [28, 40, 100])
  terminalTest(`the help fits a terminal of ${columns} columns`, () => {
    const [text = ''] = (inTerminal('check --help', columns) ?? '').split('\nExamples\n');
    assert.match(text, /--trust-project/);
    for (const line of text.split('\n')) assert.ok(line.length <= columns, line);
  });

terminalTest('a terminal that does not know its size gets 80 columns', () => {
  assert.is(inTerminal('--help', 0), inTerminal('--help', 80));
});

for (const args of ['agents list', 'tools list', '--help', 'preset list', 'completion bash', 'lint --rules'])
  test(`policy ${args} | true ends quietly`, () => {
    const line = `${process.execPath} ${COMMAND} ${args} | true; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd, env: { HOME: home }, encoding: 'utf8' });
    assert.is(stderr, '');
    assert.ok(status === 0 || status === 141, String(status));
  });

test.run();
