// Starting a stranger's hook ends, whatever it does, and leaves nothing running.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookRun, startHook } from '../../src/audit/hooks/start-hook.js';
import { scratch } from '../cli/spawned.js';

const cwd = scratch({});
/** Milliseconds: enough for what ends by itself, on a machine that is busy; what hangs is ended earlier. */
const LONG = 60_000;
const SHORT = 700;
const start = (command: string, deadline = LONG, args: readonly string[] | null = null, input = '{}'): Promise<HookRun> =>
  startHook({ command, args, cwd, environment: { PATH: '/usr/bin:/bin', MARK: 'm' }, input, deadline });

const rows: readonly (readonly [command: string, why: string, expected: Partial<HookRun>])[] = [
  ['cat', 'it gets its input', { exitCode: 0, stdout: '{}', timedOut: false }],
  ['exit 2', 'it need not read its input', { exitCode: 2, stdout: '' }],
  [
    'echo "$MARK" >&2; pwd; exit 3',
    'environment and directory are those given',
    { exitCode: 3, stderr: 'm\n', stdout: `${cwd}\n` },
  ],
  ['kill -9 $$', 'a signal is told', { exitCode: null, signal: 'SIGKILL', timedOut: false }],
  ['no-such-program', 'a missing program is 127, as for the shell', { exitCode: 127 }],
  ['sleep 600', 'it hangs', { timedOut: true }],
  ['sleep 600 & exit 0', 'it leaves something behind that keeps its output open', { timedOut: true }],
  ["trap '' TERM INT HUP; while :; do sleep 1; done", 'it heeds no signal that it can heed', { timedOut: true }],
];
for (const [command, why, expected] of rows)
  test(`${why}: ${command}`, async () => {
    const run = await start(command, expected.timedOut === true ? SHORT : LONG);
    for (const [key, value] of Object.entries(expected))
      assert.is(run[key as keyof HookRun], value, `${key}: ${JSON.stringify(run)}`);
    assert.ok(run.milliseconds < LONG);
  });

test('endless output is cut off, without waiting for the deadline', async () => {
  const run = await startHook({
    command: 'yes',
    args: null,
    cwd,
    environment: { PATH: '/usr/bin:/bin' },
    input: '',
    deadline: 20_000,
  });
  assert.is(run.signal, 'SIGKILL');
  assert.ok(run.stdout.length < 10 * 1024 * 1024);
});

test('a big input to a program that does not read it is no error', async () => {
  assert.is((await start('exit 2', LONG, null, 'x'.repeat(4 * 1024 * 1024))).exitCode, 2);
});

test('with args there is no shell', async () => {
  assert.is((await start('/bin/echo', LONG, ['$MARK;', 'touch', 'x'])).stdout, '$MARK; touch x\n');
  assert.is((await start('/no/such/program', LONG, [])).exitCode, 127);
});

test('what a hook started is ended with it', async () => {
  const child = join(cwd, 'child');
  // The deadline counts only where the hook came to start something before it.
  for (let deadline = SHORT; !existsSync(child); deadline *= 4)
    await start('sleep 600 & echo $! > new; mv new child; wait', deadline);
  const pid = readFileSync(child, 'utf8').trim();
  // The signal is on its way to the whole group; the kernel takes a moment when the machine is busy.
  for (let waited = 0; waited < 6_000 && isRunning(pid); waited += 1) await new Promise((done) => setTimeout(done, 10));
  assert.not.ok(isRunning(pid));
});

/** False for a process that has ended, also where nobody has asked how yet. */
function isRunning(pid: string): boolean {
  try {
    return !readFileSync(`/proc/${pid}/status`, 'utf8').includes('State:\tZ');
  } catch {
    return false;
  }
}

test.run();
