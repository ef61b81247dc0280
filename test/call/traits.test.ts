import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENT_FORMATS, formatTraits, runnerOfFormat } from '../../src/agent/format.js';
import { RUNNERS } from '../../src/call/tool-call.js';
import { traitsOf } from '../../src/call/traits.js';
import { data } from '../../src/generated/data.js';
import { validateRunnerTraits } from '../../src/generated/validators/runner-traits.js';

for (const runner of RUNNERS)
  test(`src/runner/${runner}/traits.yaml follows its schema`, () => {
    assert.is(validateRunnerTraits(data(`traits/${runner}`)), true, JSON.stringify(validateRunnerTraits.errors?.slice(0, 3)));
  });

test('a trait that nobody asks for is refused by the schema', () => {
  assert.is(validateRunnerTraits({ title: 'X', formats: { x: {} }, isClaude: true }), false);
});

test('every format stands among those of its runner, and no other does', () => {
  for (const format of AGENT_FORMATS) {
    const { formats } = traitsOf(runnerOfFormat(format));
    assert.ok(Object.hasOwn(formats, format), format);
    assert.is(formatTraits(format), formats[format]);
  }
  const named = RUNNERS.flatMap((runner) => Object.keys(traitsOf(runner).formats));
  assert.equal([...named].sort(), [...AGENT_FORMATS].sort());
});

test('no two runners are called the same', () => {
  assert.is(new Set(RUNNERS.map((runner) => traitsOf(runner).title)).size, RUNNERS.length);
});

test.run();
