/** A short run of the fuzzer; `npm run fuzz` is the long one. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verdictOf, withHookWorld } from '../hook/world.js';
import { seed } from '../seed.js';
import { makeInput } from './inputs.js';
import { brokenLaw } from './laws.js';
import { readSeeds } from './seeds.js';

const seeds = readSeeds();

test('in 800 inputs of every kind, no law is broken', () => {
  for (let index = 0; index < 800; index++) {
    const input = makeInput(seed, index, seeds);
    assert.is(brokenLaw(input), null, `seed ${seed} index ${index}: ${JSON.stringify(input.text)}`);
  }
});

const POLICY = 'version: 1\npreset: safe\ndeny: [CronCreate]\n';

test('150 damaged payloads through the whole hook: each gets an answer that its runner knows, and none makes the hook fail', () => {
  withHookWorld({ '.config/policy/policy.yaml': POLICY }, ({ run, project }) => {
    for (let index = 0, done = 0; done < 150; index++) {
      const input = makeInput(seed, index, seeds);
      if (input.kind !== 'payload' || input.runner !== 'claude-code') continue;
      done++;
      const output = run(input.text.replace(/"cwd":\s*"[^"]*"/, `"cwd":${JSON.stringify(project)}`));
      const where = `seed ${seed} index ${index}: ${JSON.stringify(input.text)}\n${output.stderr}`;
      assert.not.match(output.stderr, /the hook failed/, where);
      assert.ok(['deny', 'ask', 'allow', 'silence'].includes(verdictOf(output)), where);
    }
  });
});

test.run();
