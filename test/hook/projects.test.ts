/** Projects of the hook: which policy holds for a call, by where it is made. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { payload, settle, verdictOf, withHookWorld } from './world.js';

const SAFE = 'version: 1\npreset: safe\n';
const USER_POLICY = '.config/policy/policy.yaml';
const GIT_STATUS = { command: 'git status' };

test('the project of the command line holds, wherever the call is made', () => {
  withHookWorld(
    { [USER_POLICY]: SAFE, 'project/policy.yaml': 'version: 1\ndeny: ["Bash(git *)"]\n', 'elsewhere/a': '' },
    (world) => {
      const words = ['claude-code', '--project', world.project];
      const text = payload(world, 'Bash', GIT_STATUS, { cwd: join(world.home, 'elsewhere') });
      assert.is(verdictOf(world.run(text, { words })), 'deny');
    },
  );
});

test('a policy in a nested package tightens the calls that are made there', () => {
  const nested = {
    'project/packages/a/policy.yaml': 'version: 1\npreset: all\ndeny: ["Bash(git *)"]\n',
    'project/packages/a/src/x': '',
  };
  withHookWorld({ [USER_POLICY]: SAFE, ...nested }, (world) => {
    const verdict = (folder: string, command: string) =>
      verdictOf(world.run(payload(world, 'Bash', { command }, { cwd: join(world.project, folder) })));
    // The first calls make folders in the state directory, which is looked at, too.
    for (const _ of [1, 2]) {
      settle(world);
      verdict('.', 'git status');
    }
    settle(world);
    world.compiled = 1;
    for (const _ of [1, 2]) {
      assert.is(verdict('.', 'git status'), 'allow');
      assert.is(verdict('packages', 'git status'), 'allow');
      assert.is(verdict('packages/a', 'git status'), 'deny');
      assert.is(verdict('packages/a/src', 'git status'), 'deny');
      assert.is(verdict('packages/a/src', 'npm test'), 'ask', 'its preset grants nothing');
    }
    assert.is(world.compiled, 2);
  });
});

/** Broken policies of a nested package: the first cannot be parsed, the others are refused later. */
const BROKEN = [
  'version: 1\ndeny: [\n',
  'version: 1\ndeny: []\ndenied: ["Bash(git *)"]\n',
  'version: 1\ndeny: ["Bash("]\n',
  'version: 1\ndeny: []\nextends: ./missing.yaml\n',
];

for (const text of BROKEN)
  test(`a nested policy that cannot be used, ${JSON.stringify(text)}, asks about what is done there, and lets a session leave`, () => {
    withHookWorld({ [USER_POLICY]: SAFE, 'project/packages/a/policy.yaml': text, 'project/packages/a/src/x': '' }, (world) => {
      const said = (folder: string, command: string, mode = 'default') =>
        world.run(payload(world, 'Bash', { command }, { cwd: join(world.project, folder), permission_mode: mode }));
      const verdict = (folder: string, command: string) => verdictOf(said(folder, command));
      for (const folder of ['packages/a', 'packages/a/src']) {
        assert.is(verdict(folder, 'git status'), 'ask');
        assert.is(verdict(folder, 'cat x'), 'ask', 'it might forbid that');
        assert.is(verdict(folder, 'cd ../.. && git status'), 'ask');
        assert.is(verdict(folder, 'cd ../.. > out'), 'ask');
        assert.is(verdict(folder, 'rm -rf ~'), 'deny');
        assert.is(verdict(folder, `cd ${world.project}`), 'allow');
      }
      assert.is(verdict('.', 'git status'), 'allow');
      assert.is(verdict('packages', 'git status'), 'allow');
      assert.match(
        said('packages/a', 'git status', 'bypassPermissions').stderr,
        /packages\/a\/\w+\.yaml:\d+ cannot be used: .*cd there first/,
      );
    });
  });

test('a policy of the project that cannot be used denies everything, in its folders, too', () => {
  withHookWorld({ [USER_POLICY]: SAFE, 'project/policy.yaml': 'version: 1\ndeny: [\n', 'project/packages/x': '' }, (world) => {
    for (const cwd of [world.project, join(world.project, 'packages')])
      assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS, { cwd }))), 'deny');
  });
});

/** What a policy says for its project ends where another project begins; what the user says for all of them does not. */
const ELSEWHERE: readonly (readonly [folder: string, policy: string, verdict: string])[] = [
  ['project/src', SAFE, 'allow'],
  ['project/vendor/evil', SAFE, 'ask'],
  ['elsewhere', SAFE, 'ask'],
  ['no/such/folder', SAFE, 'ask'],
  ['project/vendor/evil', 'version: 1\nallow: ["Bash(echo *)"]\n', 'allow'],
  ['elsewhere', 'version: 1\nallow: ["Bash(echo *)"]\n', 'allow'],
];

for (const [folder, policy, verdict] of ELSEWHERE) {
  test(`echo in ${folder} under ${JSON.stringify(policy)}: ${verdict}`, () => {
    const files = {
      'project/vendor/evil/.git/HEAD': 'ref: refs/heads/main\n',
      'project/vendor/evil/.git/config': '',
      'elsewhere/a': '',
    };
    withHookWorld({ [USER_POLICY]: policy, ...files }, (world) => {
      for (const name of ['objects', 'refs']) mkdirSync(join(world.project, 'vendor/evil/.git', name));
      const text = payload(world, 'Bash', { command: 'echo hello' }, { cwd: join(world.home, folder) });
      assert.is(verdictOf(world.run(text, { words: ['claude-code', '--project', world.project] })), verdict);
    });
  });
}

test('a project that is none any more is refused', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    const words = ['claude-code', '--project', join(world.project, 'src')];
    const output = world.run(payload(world, 'Bash', GIT_STATUS), { words });
    assert.is(verdictOf(output), 'deny');
    assert.match(output.stderr, /reinstall the hook/);
  });
});

test.run();
