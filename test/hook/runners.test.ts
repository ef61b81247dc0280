/** The hook's bundles answer every runner as the sources do. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRunners } from '../../src/runner/runners.js';
import { bundled, hookMain, shown } from './in-process.js';
import { withHookWorld } from './world.js';

const POLICY = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\ndeny: ["Bash(git clean *)"]\n' };

for (const { id, sampleTools, samplePayload } of allRunners())
  (bundled ? test : test.skip)(`a call of ${id} is answered as by the sources`, () => {
    withHookWorld(POLICY, (world) => {
      const { own, runHook } = hookMain();
      for (const command of ['git status', 'git clean -fd', 'npm test']) {
        const text = JSON.stringify(samplePayload({ tool: sampleTools.shell, input: { command } }, world.project, 's'));
        const output = runHook({ ...world.process(text), words: [id], compile: own.compile, seal: () => {} });
        assert.is(shown(output), shown(world.run(text, { words: [id] })), command);
      }
    });
  });

test.run();
