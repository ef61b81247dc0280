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

/** Preset develop runs the project's code: a user's own word for it does not reach into a project that nobody trusts. */
for (const [layers, preset, why] of [
  [[layer('user', 'preset: develop')], 'safe', 'a repository that was just cloned'],
  [[layer('managed', 'preset: develop')], 'safe', 'a repository that was just cloned, under a managed policy'],
  [[layer('user', 'preset: develop'), layer('project?', 'deny: [Bash(x)]')], 'safe', 'a policy that nobody trusts'],
  [[layer('user', 'preset: develop'), layer('project', 'deny: [Bash(x)]')], 'develop', 'a project that a person trusts'],
  [[layer('project', 'preset: develop')], 'develop', 'what the project itself says, trusted'],
  [[layer('managed', 'preset: safe'), layer('project', 'preset: develop')], 'safe', 'looser than the managed policy'],
] as const)
  test(`preset develop counts as ${preset}: ${why}`, () => assert.is(compose(...layers).preset?.name, preset));

test.run();
