/** A stricter preset takes no denial away: else a repository that nobody trusts, or a project under a managed one, could. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PRESETS } from '../../src/policy/policy.js';
import { presetNamed } from '../../src/policy/presets.js';
import { compose, layer } from './composing.js';

for (const [at, stricter] of PRESETS.entries())
  for (const looser of PRESETS.slice(at + 1))
    test(`${stricter} denies what the grammars refuse under ${looser}`, () => {
      for (const command of presetNamed(looser).refuse) assert.ok(presetNamed(stricter).refuse.includes(command), command);
    });

for (const [over, under] of [
  [layer('user', 'preset: safe\ndefault: allow'), layer('project?', 'preset: inspect')],
  [layer('managed', 'preset: safe'), layer('project', 'preset: inspect')],
] as const)
  test(`the denials of preset safe stay when ${under.trusted ? 'a' : "a stranger's"} project narrows it to inspect`, () => {
    const policy = compose(over, under);
    assert.is(policy.preset?.name, 'inspect');
    assert.equal(policy.preset?.refuse, ['git', 'gh']);
  });

test.run();
