/** The installed line where its program is gone or another: one line that says so and no stack, in every shell, and a denial only of calls. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../src/call/tool-call.js';
import { hookCommandLine, notifyingCommandLine, stderrOnlyCommandLine } from '../../src/runner/hook/command-line.js';
import { copilotVerdict, geminiDenial, jsonDenial } from '../../src/runner/hook/runner.js';
import { scratch } from '../cli/spawned.js';

const place = realpathSync(
  scratch({
    ...{ "it's here/x": '', 'talks.cjs': 'console.log("welcome")', 'fails.cjs': 'throw new Error("x")' },
    ...{ 'two.cjs': 'process.exit(2)', 'yes.cjs': 'console.log(JSON.stringify({ hookSpecificOutput: {} }))' },
    node: [
      ...['#!/bin/sh', 'case $1 in', '*/talks.cjs) echo welcome;;', '*/fails.cjs) echo x >&2; exit 1;;'],
      ...['*/two.cjs) exit 2;;', `*/yes.cjs) echo '{"hookSpecificOutput":{}}';;`, '*) exit 99;;', 'esac', ''],
    ].join('\n'),
  }),
);
const NODE = realpathSync(process.execPath);
/** Does what node does with a broken program, in a fraction of its time. */
const STAND_IN = join(place, 'node');
chmodSync(STAND_IN, 0o755);
const payload = JSON.stringify({
  session_id: 's',
  cwd: place,
  hook_event_name: 'PreToolUse',
  tool_name: 'Read',
  tool_input: { file_path: 'a' },
});

/** Programs in the place of the hook, by what they do. */
const BROKEN = {
  talks: 'talks.cjs',
  fails: 'fails.cjs',
  'denies without a proof': 'two.cjs',
  'says yes without a proof': 'yes.cjs',
};

/** Who is told on standard output, too. */
const SPOKEN = [
  ['claude-code', jsonDenial],
  ['gemini-cli', geminiDenial],
  ['copilot-cli', (message: string) => copilotVerdict('deny', message)],
] as const;

function lineFor(hook: string, platform: NodeJS.Platform, runner: RunnerId = 'claude-code', node = NODE): string {
  const line = hookCommandLine({
    ...{ runner, platform, node, hook, home: place, project: place },
    ...{ configDirectory: join(place, 'config'), stateDirectory: join(place, 'state'), shell: null, deadline: 60 },
  });
  return line ?? '';
}

const shells = [['/bin/sh'], ['/bin/dash'], ['/bin/bash'], ['/bin/bash', '--posix'], ['/bin/zsh'], ['/usr/bin/zsh']].filter(
  (shell, at, all) => existsSync(shell[0] ?? '') && all.findIndex((other) => isSame(shell, other)) === at,
);

/** Whether both are one shell: a program under two names, of which it heeds only that it is called `sh`, and dash not that. */
function isSame([one = '', ...words]: readonly string[], [other = '', ...others]: readonly string[]): boolean {
  if (!existsSync(other) || realpathSync(one) !== realpathSync(other) || words.join() !== others.join()) return false;
  return basename(one) === basename(other) || basename(realpathSync(one)) === 'dash';
}

const platforms = (['linux', 'darwin'] as const).filter((one) =>
  existsSync(one === 'linux' ? '/usr/bin/timeout' : '/usr/bin/perl'),
);

for (const [index, [program = '', ...words]] of shells.entries())
  for (const platform of platforms) {
    // What node itself does is the same in every shell.
    const broken = (name: string, runner?: RunnerId) =>
      lineFor(join(place, name), platform, runner, index === 0 ? NODE : STAND_IN);
    const run = (line: string) => spawnSync(program, [...words, '-c', line], { cwd: place, encoding: 'utf8', input: payload });
    const name = `${[program, ...words].join(' ')}, the line for ${platform}`;
    for (const hook of [join(place, 'gone/hook.cjs'), join(place, "it's here/hook.cjs"), place])
      test(`${name}: ${hook.replace(place, '…')} is gone`, () => {
        const { status, stdout, stderr } = run(lineFor(hook, platform));
        assert.is(status, 2);
        assert.match(stderr, /^policy denied this call: the hook did not answer \(exit 1\)[^\n]* policy doctor [^\n]*\n$/);
        assert.equal(JSON.parse(stdout), JSON.parse(jsonDenial(stderr.trimEnd())));
      });
    for (const [runner, spoken] of SPOKEN)
      for (const [how, program] of Object.entries(BROKEN))
        test(`${name}, ${runner}: of a program that ${how} only the line's own denial is heard`, () => {
          const { status, stdout, stderr } = run(broken(program, runner));
          assert.is(status, 2);
          assert.equal(JSON.parse(stdout), JSON.parse(spoken(stderr.trimEnd().split('\n').at(-1) ?? '')));
        });
    test(`${name}: another client, which reads standard error, is told there alone`, () => {
      const { status, stdout, stderr } = run(lineFor(join(place, 'gone/hook.cjs'), platform, 'codex'));
      assert.equal({ status, stdout }, { status: 2, stdout: '' });
      assert.match(stderr, /^policy denied this call: [^\n]* policy doctor [^\n]*\n$/);
    });
    for (const program of ['gone/hook.cjs', ...Object.values(BROKEN)])
      test(`${name}: where JSON of a call is not listened to, ${program} is told of on standard error alone`, () => {
        const { status, stdout, stderr } = run(stderrOnlyCommandLine(broken(program)));
        assert.equal({ status, stdout }, { status: 2, stdout: '' });
        assert.match(stderr, /(?:^|\n)policy denied this call: [^\n]* policy doctor [^\n]*\n$/);
      });
    test(`${name}: at an event at which nothing is decided, nothing is said`, () => {
      const { status, stdout, stderr } = run(notifyingCommandLine(lineFor(join(place, 'gone/hook.cjs'), platform)));
      assert.equal({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
    });
    test(`${name}: a program that is there answers`, () => {
      const { status, stderr } = run(lineFor(realpathSync(resolve('dist/hook.cjs')), platform));
      assert.equal({ status, stderr }, { status: 0, stderr: '' });
    });
  }

test.run();
