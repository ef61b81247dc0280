/** What the hook's bundles hold of runners: a call of the one that makes the typical calls starts no bundle for the others. */

import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ELSEWHERE } from '../../src/hook/training-calls.js';
import { PROOF } from '../../src/runner/proof.js';
import { RUNNER_NAMES } from '../../src/runner/registry.js';
import { bundle, bundled, entryOf, shown } from './in-process.js';
import { payload, withHookWorld } from './world.js';

const POLICY = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\ndeny: ["Bash(git clean *)"]\n' };
const check = bundled ? test : test.skip;

check('a call of any other runner starts one bundle more, and is answered as by the sources', () => {
  withHookWorld(POLICY, (world) => {
    const startedBy = (runner: string, text: string) => {
      const started: string[] = [];
      const { own, runHook } = entryOf((name) => {
        started.push(name);
        return bundle(name);
      });
      const output = runHook({ ...world.process(text), words: [runner], compile: own.compile, seal: () => {} });
      assert.is(shown(output), shown(world.run(text, { words: [runner] })), runner);
      return started;
    };
    const own = payload(world, 'Bash', { command: 'git status' });
    assert.not(startedBy('claude-code', own).includes('hook-runners'));
    for (const [runner, fields] of ELSEWHERE) {
      const text = JSON.stringify({ ...fields, cwd: world.project });
      assert.ok(startedBy(runner, text).includes('hook-runners'), runner);
    }
  });
});

test('every other runner has its call to train the bundle with', () => {
  assert.equal(['claude-code', ...ELSEWHERE.map(([runner]) => runner)].sort(), [...RUNNER_NAMES].sort());
});

const FULL = '/dev/full';
(bundled && existsSync(FULL) ? test : test.skip)(
  'without the bundle of runners every call of theirs is denied, and no denial counts as told that was not',
  () => {
    withHookWorld(POLICY, (world) => {
      const copy = join(world.home, 'dist');
      cpSync('dist', copy, { recursive: true });
      rmSync(join(copy, 'hook-runners.cjs'));
      const full = openSync(FULL, 'w');
      try {
        for (const [runner, fields] of ELSEWHERE) {
          const answer = (stderr: 'pipe' | number) =>
            spawnSync(process.execPath, [join(copy, 'hook.cjs'), runner, '--proof', 'line'], {
              input: JSON.stringify({ ...fields, cwd: world.project }),
              env: { HOME: world.home, PATH: '/usr/bin:/bin' },
              stdio: ['pipe', 'pipe', stderr],
              encoding: 'utf8',
            });
          const heard = answer('pipe');
          assert.is(heard.status, PROOF.denied, runner);
          assert.match(heard.stderr, /^policy denied .*hook-runners\.cjs.*\n$/, runner);
          const unheard = answer(full);
          assert.is(unheard.status, 1, `${runner}: the line tells its own denial`);
          assert.is(unheard.stdout, '', runner);
        }
      } finally {
        closeSync(full);
      }
    });
  },
);

test.run();
