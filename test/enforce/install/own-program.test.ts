/** The gate's own program is protected from writes wherever it lies, also under preset all (docs/guarantees.md, 6). */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { programDirectories } from '../../../src/program/program-directories.js';
import { COMMAND } from '../../cli/spawned.js';
import { payload, verdictOf, withHookWorld } from '../../hook/world.js';

const ALL = { '.config/policy/policy.yaml': 'version: 1\nallow: ["*"]\n' };
const dist = resolve('dist');
/** Whoever exchanges the node that runs the gate answers in its place. */
const NODE = realpathSync(process.execPath);

for (const [tool, input] of [
  ['Write', { file_path: join(dist, 'hook-main.cjs'), content: 'x' }],
  ['Write', { file_path: join(dist, 'new', 'file'), content: 'x' }],
  ['Edit', { file_path: COMMAND, old_string: 'a', new_string: 'b' }],
  ['Bash', { command: `cp README.md ${dist}/hook.cjs` }],
  ['Bash', { command: `echo x >> ${COMMAND}` }],
  ['Write', { file_path: NODE, content: 'x' }],
  ['Bash', { command: `cp README.md ${NODE}` }],
] as const)
  for (const script of [COMMAND, join(dist, 'hook.cjs')])
    test(`${tool} ${JSON.stringify(input)} is denied by ${script}`, () =>
      withHookWorld(ALL, (world) => {
        const words = script === COMMAND ? ['hook', 'claude-code'] : ['claude-code'];
        const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
          input: payload(world, tool, input),
          env: { HOME: world.home, PATH: '/usr/bin:/bin' },
          encoding: 'utf8',
        });
        assert.is(verdictOf({ exitCode: status === 2 ? 2 : 0, stdout, stderr }), 'deny');
      }));

test("what lies beside the node that runs the gate is anybody's", () =>
  withHookWorld(ALL, (world) => {
    const input = payload(world, 'Write', { file_path: `${NODE}-of-mine`, content: 'x' });
    assert.is.not(verdictOf(world.run(input)), 'deny');
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: `${NODE} --version` }))), 'allow');
  }));

test('a program that is not ours, or none, has no such folders', () => {
  for (const script of [undefined, '', '/nowhere/x.js', realpathSync(process.execPath)])
    assert.equal(programDirectories(script), []);
});

test.run();
