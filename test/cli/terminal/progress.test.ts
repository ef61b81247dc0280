// The line that says how far a long command is: on a terminal, after two seconds, and gone at the end.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVERYWHERE, findFiles } from '../../../src/lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../../../src/lint/run.js';
import { lint } from '../../../src/runner/lint/linter.js';
import { definition } from '../../lint/linted.js';
import { CLEAN_REPOSITORY, COMMAND, home, scratch } from '../spawned.js';

const test = suite('progress');
const CALL = '{"tool":"Bash","input":{"command":"ls"}}';
const LINE = 'policy check --batch: 1 calls decided';
const CLEARED = '\r\u001b[K';

/** Two calls, the second three seconds after the first was answered, through a batch in a terminal; what the terminal got, and the answers. */
function batch(redirection: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = scratch(CLEAN_REPOSITORY);
  const line = `(echo '${CALL}'; until [ -s answers ]; do sleep 0.1; done; sleep 3; echo '${CALL}') | ${process.execPath} ${COMMAND} check --batch > answers ${redirection}`;
  const { stdout, error } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8', ...env },
    encoding: 'utf8',
    input: '',
  });
  assert.is(error, undefined);
  assert.is(readFileSync(join(cwd, 'answers'), 'utf8').trimEnd().split('\n').length, 2);
  return stdout;
}

const terminalTest =
  process.platform === 'linux' && spawnSync('script', ['-qec', 'true', '/dev/null'], { input: '' }).status === 0
    ? test
    : test.skip;

terminalTest('a batch that takes longer than two seconds says how far it is, and takes the line away', () => {
  const shown = batch('');
  assert.ok(shown.includes(LINE), JSON.stringify(shown));
  const rest = shown.slice(shown.lastIndexOf(LINE) + LINE.length);
  assert.ok(rest.includes(CLEARED), JSON.stringify(shown));
  // Another line may follow, and is taken away as well.
  assert.ok(shown.trimEnd().endsWith(CLEARED.trimEnd()), JSON.stringify(shown));
  assert.is(
    rest
      .replaceAll(CLEARED, '')
      .replaceAll(/policy check --batch: \d+ calls? decided/g, '')
      .trim(),
    '',
  );
});

const silent: readonly (readonly [why: string, redirection: string, env: Readonly<Record<string, string>>])[] = [
  ['in CI', '', { CI: 'true' }],
  ['on a terminal that cannot take a line away', '', { TERM: 'dumb' }],
  ['where standard error is a file', '2> errors', {}],
];
for (const [why, redirection, env] of silent)
  terminalTest(`nothing is shown ${why}`, () => {
    assert.is(batch(redirection, env).trim(), '');
  });

test('lint tells what it looks at, reads and asks', () => {
  const root = scratch({ '.claude/agents/a.md': definition('tools: Read'), '.claude/agents/b.md': definition('tools: Read') });
  const said: string[] = [];
  const tick = (what: string) => said.push(what);
  lint(findFiles(root, { ...EVERYWHERE, tick }), { ...DEFAULT_OPTIONS, tick });
  for (const what of [
    /^\d+ folder entries looked at$/,
    /^1 of 2 files read$/,
    /^1 of 2 files parsed$/,
    /^rule tools\/absent on 2 files$/,
  ])
    assert.ok(
      said.some((one) => what.test(one)),
      String(what),
    );
});

test.run();
