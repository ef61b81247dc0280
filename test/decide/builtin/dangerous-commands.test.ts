/** Command lines that harm: none is allowed under any preset that guards, and those that the built-in denials promises are denied under all. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PresetName } from '../../../src/policy/policy.js';
import { decideIn, type World } from '../world.js';

const GUARDING: readonly (PresetName | null)[] = ['safe', 'inspect', 'readOnly', null];
/** `all` allows everything but the built-in denials; a rule for every command does the same. */
const EVERY: readonly (PresetName | null)[] = [...GUARDING, 'all'];

function world(preset: PresetName | null, allow: readonly string[] = []): World {
  return { secrets: ['/repo/.env'], allow, ...(preset === null ? {} : { preset }) };
}

/** The lines below `# === TITLE`. */
function linesBelow(title: string): string[] {
  const parts = readFileSync('test/fixtures/dangerous-commands.txt', 'utf8').split(/^# === /m);
  const part = parts.find((one) => one.startsWith(title)) ?? '';
  return part
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('#'));
}

const denied = linesBelow('denied');
const never = linesBelow('never allowed');

const answer = (line: string, preset: PresetName | null, allow?: readonly string[]) =>
  decideIn(world(preset, allow), 'Bash', line).decision;

for (const line of denied)
  test(`denied under every preset: ${line}`, () => {
    for (const preset of EVERY) assert.is(answer(line, preset), 'deny', `preset ${preset}`);
    assert.is(answer(line, null, ['Bash(*)', 'Read(**)', 'Edit(**)']), 'deny', 'every command allowed by a rule');
  });

for (const line of never)
  test(`never allowed: ${line}`, () => {
    for (const preset of GUARDING) assert.is.not(answer(line, preset), 'allow', `preset ${preset}`);
  });

test('there are at least 500 lines, each once', () => {
  const lines = [...denied, ...never];
  assert.ok(lines.length >= 500);
  assert.is(new Set(lines).size, lines.length);
});

test.run();
