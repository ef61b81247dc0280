// What a person at a terminal sees: colour, narrow windows, and readers that go away.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, home, policy, scratch } from '../spawned.js';

const test = suite('terminal');
const cwd = scratch({
  ...CLEAN_REPOSITORY,
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reads a change.\ntools: Read\n---\nRead.\n',
});
/** The program of util-linux that runs a command in a terminal of its own. */
const MAKER = 'script';
const ESCAPE = '\u001b[';

/** Runs `policy ARGS` in a terminal of so many columns; null where that cannot be had. */
function inTerminal(args: string, columns: number, env: Readonly<Record<string, string>> = {}, folder = cwd): string | null {
  const line = `stty cols ${columns} && exec ${process.execPath} ${COMMAND} ${args}`;
  const { error, stdout } = spawnSync(MAKER, ['-qec', line, '/dev/null'], {
    cwd: folder,
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
  ['check Bash "git push"', { FORCE_COLOR: '0' }, false],
  ['check Bash "git push"', { TERM: 'dumb', FORCE_COLOR: '1' }, true],
  ['check --color Bash "git push"', { TERM: 'dumb', NO_COLOR: '1' }, true],
  ['--help', {}, true],
  ['--help --no-color', {}, false],
  ['check --help', {}, true],
  ['check --help --no-color', {}, false],
  ['help check', { NO_COLOR: '1' }, false],
  ['status', {}, true],
  ['status', { NO_COLOR: '1' }, false],
  ['status --json', {}, false],
  ['doctor --no-color', {}, false],
  ['agents list', {}, true],
];
for (const [args, env, colour] of colours)
  terminalTest(`policy ${args} with ${JSON.stringify(env)} ${colour ? 'has' : 'has no'} colour`, () => {
    assert.is(inTerminal(args, 80, env)?.includes(ESCAPE), colour);
  });

const piped: readonly (readonly [args: readonly string[], env: Readonly<Record<string, string>>, colour: boolean])[] = [
  [['check', 'Bash', 'git push'], {}, false],
  [['check', '--explain', 'Bash', 'git push'], {}, false],
  [['--help'], {}, false],
  [['status'], {}, false],
  [['agents', 'list'], {}, false],
  ...[
    ['check', 'Bash', 'git push'],
    ['--help'],
    ['check', '--help'],
    ['status'],
    ['agents', 'list'],
    ['doctor', 'codex'],
  ].flatMap(
    (args) =>
      [
        [args, { FORCE_COLOR: '1' }, true],
        [[...args, '--color'], {}, true],
        [[...args, '--color'], { NO_COLOR: '1' }, true],
        [args, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
        [[...args, '--no-color'], { FORCE_COLOR: '1' }, false],
      ] as const,
  ),
  [['--color', 'status'], {}, true],
  [['--color', '--no-color', 'status'], {}, false],
  [['status', '--json', '--color'], {}, false],
];
for (const [args, env, colour] of piped)
  test(`policy ${args.join(' ')} | … with ${JSON.stringify(env)} ${colour ? 'has' : 'has no'} colour`, () => {
    assert.is(policy(args, { cwd, env }).stdout.includes(ESCAPE), colour);
  });

/** Commands to copy stay on one line; so do paths and carets, which are cut elsewhere. */
const KEPT = /^\s*(?:fix: |to allow it: |or: |= more: |To undo this: )/;
const prose = [
  'check Bash "git push --force origin main"',
  'check Bash "rm -rf /"',
  'check --explain Bash "npm test; rm -rf build"',
  'status',
  'doctor codex',
  'lint',
  'agents list',
  'preset list',
  'tools list',
  'lint --rules',
  'install claude-code --dry-run',
  'log tail',
  'log query --decision deny',
];
const desk = scratch({
  ...CLEAN_REPOSITORY,
  'policy.yaml':
    'version: 1\ndeny:\n  - rule: Bash(rm -rf *)\n    reason: Deleting whole trees of files needs a person who looks at them first.\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reads a change and says in a few plain words what could break in it.\ntool: Read\n---\nRead.\n',
});
const record = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: desk,
  tool_name: 'Bash',
  tool_input: { command: 'rm -rf build' },
};
// A home of its own: the one that other tests look into stays empty.
const env = { HOME: scratch({}) };
policy(['hook', 'claude-code'], { cwd: desk, env, input: JSON.stringify(record) });
const known = new Map<string, ReadonlySet<string>>();

/** The words that the command prints into a pipe, where nothing is broken; of what is cut there, those of its JSON. */
function wordsOf(args: string): ReadonlySet<string> {
  const found = known.get(args);
  if (found !== undefined) return found;
  const given = args.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const texts = [given, ...(args === 'status' ? [['status', '--json']] : [])].map((one) => policy(one, { cwd: desk, env }));
  const words = new Set(texts.flatMap(({ stdout, stderr }) => `${stdout} ${stderr}`.split(/[\s"]+/)));
  known.set(args, words);
  return words;
}

for (const columns of [40, 80, 120])
  for (const args of prose)
    terminalTest(`policy ${args} in ${columns} columns breaks no word and no line is wider`, () => {
      const text = (inTerminal(args, columns, { NO_COLOR: '1', ...env }, desk) ?? '').trimEnd();
      assert.ok(text.length > 20, text);
      for (const line of text.split('\n'))
        if (!KEPT.test(line)) assert.ok(line.length <= columns, `${line.length}: ${line}\n\n${text}`);
      for (const word of text.split(/\s+/))
        if (/^[a-z]{4,}$/i.test(word)) assert.ok(wordsOf(args).has(word), `${word} is a part of a word`);
    });

for (const columns of [28, 40, 100])
  terminalTest(`the help fits a terminal of ${columns} columns`, () => {
    const [text = ''] = (inTerminal('check --help', columns, { NO_COLOR: '1' }) ?? '').split('\nExamples\n');
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
