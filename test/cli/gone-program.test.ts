/** The installed line where its program is gone: one line that says so and no stack, in every shell, and a denial only of calls. */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hookCommandLine, tellingLine } from '../../src/runner/command-line.js';
import { scratch } from './spawned.js';

const place = realpathSync(scratch({ "it's here/x": '' }));
const payload = JSON.stringify({
  session_id: 's',
  cwd: place,
  hook_event_name: 'PreToolUse',
  tool_name: 'Read',
  tool_input: { file_path: 'a' },
});

function lineFor(hook: string, platform: NodeJS.Platform): string {
  const line = hookCommandLine({
    ...{ runner: 'claude-code', platform, node: realpathSync(process.execPath), hook, home: place, project: place },
    ...{ configDirectory: join(place, 'config'), stateDirectory: join(place, 'state'), shell: null, deadline: 60 },
  });
  return line ?? '';
}

const shells = [['/bin/sh'], ['/bin/dash'], ['/bin/bash'], ['/bin/bash', '--posix'], ['/bin/zsh'], ['/usr/bin/zsh']].filter(
  ([program = '']) => existsSync(program),
);
const platforms = (['linux', 'darwin'] as const).filter((one) =>
  existsSync(one === 'linux' ? '/usr/bin/timeout' : '/usr/bin/perl'),
);

for (const [program = '', ...words] of shells)
  for (const platform of platforms) {
    const run = (line: string) => spawnSync(program, [...words, '-c', line], { cwd: place, encoding: 'utf8', input: payload });
    const name = `${[program, ...words].join(' ')}, the line for ${platform}`;
    for (const hook of [join(place, 'gone/hook.cjs'), join(place, "it's here/hook.cjs"), place])
      test(`${name}: ${hook.replace(place, '…')} is gone`, () => {
        const { status, stdout, stderr } = run(lineFor(hook, platform));
        assert.equal({ status, stdout }, { status: 2, stdout: '' });
        assert.match(stderr, /^policy denied this call: [^\n]*install it again\n$/);
      });
    test(`${name}: at an event at which nothing is decided, nothing is said`, () => {
      const { status, stdout, stderr } = run(tellingLine(lineFor(join(place, 'gone/hook.cjs'), platform)));
      assert.equal({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
    });
    test(`${name}: a program that is there answers`, () => {
      const { status, stderr } = run(lineFor(realpathSync(resolve('dist/hook.cjs')), platform));
      assert.equal({ status, stderr }, { status: 0, stderr: '' });
    });
  }

test.run();
