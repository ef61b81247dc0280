/** The hook as a process, where its surroundings are hostile: what cannot be told or seen never passes. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parentEnvironment } from '../../src/enforce/facts/seen-environment.js';
import { hookCommandLine } from '../../src/runner/hook/command-line.js';
import { COMMAND } from '../cli/spawned.js';
import { payload, withHookWorld } from './world.js';

const HOOK = resolve('dist/hook.cjs');
const SAFE = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\n' };

/** Runs `script` with $HOOK as the built hook and the payload of one Bash call on standard input. */
function inShell(command: string, script: string, environment: Readonly<Record<string, string>> = {}) {
  return withHookWorld(SAFE, (world) => {
    const hook = `'${process.execPath}' '${COMMAND}' hook claude-code`;
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script.replace('$HOOK', hook)], {
      cwd: world.project,
      input: payload(world, 'Bash', { command }),
      env: { PATH: '/usr/bin:/bin', HOME: world.home, ...environment },
      encoding: 'utf8',
    });
    return {
      status,
      stdout,
      stderr,
      made: existsSync(join(world.project, 'relative')) || existsSync(join(world.project, '.local')),
    };
  });
}

if (process.platform === 'linux') {
  for (const command of ['git push origin main', 'git status', 'rm -rf /'])
    test(`an answer that the disk has no room for denies: ${command}`, () => {
      const { status, stderr } = inShell(command, '$HOOK >/dev/full');
      assert.is(status, 2);
      assert.match(stderr, /^policy denied[^\n]+\n$/);
    });

  test('a function that bash exported is seen behind a shell that passes none on', () => {
    const shell = 'env -i PATH=/usr/bin:/bin $HOOK --environment parent; exit $?';
    const behind = `/usr/bin/timeout 20 ${shell}`;
    for (const script of [behind, behind.replace('exit $?', 'r=$?; exit $r')]) {
      const functions = { 'BASH_FUNC_git%%': '() { evil; }' };
      const script2 = script.replace('env -i', 'env -i HOME="$HOME"');
      assert.match(inShell('git status', script2).stdout, /"permissionDecision":"allow"/);
      assert.match(inShell('git status', script2, functions).stdout, /"permissionDecision":"ask".*BASH_FUNC_git%% is set/);
    }
  });

  test('the environment of a parent that cannot be read is a concern', () => assert.ok('(UNSEEN)' in parentEnvironment(2 ** 30)));
}

for (const shell of ['/bin/bash', '/bin/zsh'])
  (['/usr/bin/perl', '/bin/zsh', '/bin/bash', HOOK].every(existsSync) ? test : test.skip)(
    `a function that bash exported is seen by the line for macOS in ${shell}`,
    () => {
      withHookWorld(SAFE, (world) => {
        const line = hookCommandLine({
          ...{ runner: 'claude-code', platform: 'darwin', node: process.execPath, hook: HOOK, shell: null, deadline: 20 },
          ...{ home: world.home, project: null, configDirectory: null, stateDirectory: null },
        });
        const answer = (environment: Readonly<Record<string, string>>) =>
          spawnSync(shell, ['-c', line ?? ''], {
            cwd: world.project,
            input: payload(world, 'Bash', { command: 'git status' }),
            env: { PATH: '/usr/bin:/bin', HOME: world.home, ...environment },
            encoding: 'utf8',
          }).stdout;
        assert.match(answer({ A: '1' }), /"permissionDecision":"allow"/);
        assert.match(answer({ 'BASH_FUNC_git%%': '() { evil; }' }), /"permissionDecision":"ask".*BASH_FUNC_git%% is set/);
      });
    },
  );

for (const home of ['', 'relative'])
  test(`HOME=${JSON.stringify(home)} denies, and nothing is written into the project`, () => {
    const { status, stderr, made } = inShell('git status', '$HOOK', { HOME: home });
    assert.is(status, 2);
    assert.match(stderr, /HOME is not an absolute path/);
    assert.not(made);
  });

test('HOME that is no absolute path ends every command', () => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'check', 'Bash', 'ls'], {
    env: { HOME: 'x' },
    encoding: 'utf8',
  });
  assert.is(status, 3);
  assert.match(stderr, /^policy: HOME is not an absolute path\n$|^HOME is not an absolute path\n$/);
});

test('a relative XDG_CONFIG_HOME does not make a file of the project the user policy', () => {
  withHookWorld({ ...SAFE, 'project/conf/policy/policy.yaml': 'version: 1\ndeny: [Bash]\n' }, (world) => {
    const environment = { HOME: world.home, PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: 'conf' };
    const { stdout } = world.run(payload(world, 'Bash', { command: 'git status' }), { environment });
    assert.match(stdout, /"permissionDecision":"allow"/);
  });
});

test.run();
