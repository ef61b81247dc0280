// The spellings of a command `zz` that were tried on Claude Code 2.1.329: where bash runs it, we see it or call the line opaque.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';
import type { CommandLine } from '../../src/shell/syntax/types.js';

const { forms } = JSON.parse(readFileSync('test/fixtures/vectors/claude-code/bash-evasion.2.1.329.json', 'utf8')) as {
  forms: readonly { command: string; denyRule: string; allowRule: string }[];
};

/** Forms that run another command, or nothing at all. */
const NOT_ZZ: ReadonlySet<string> = new Set(['zza', 'ZZ a', 'zz\\ a']);

/** What a built-in denial has to look through: a wrapper's words, the text given to a shell, the value of a variable. */
function mentions(read: CommandLine): boolean {
  const texts = read.invocations.flatMap(({ argv, assignments, redirections }) => [
    ...argv.map(({ value }) => value),
    ...assignments.map(({ value }) => value),
    ...redirections.map(({ text }) => text),
  ]);
  return texts.some((text) => text !== null && /(?:^|[\s/'"])zz\b/.test(text));
}

function isNamed(read: CommandLine): boolean {
  return read.invocations.some(({ argv }) => argv[0]?.value?.replace(/^.*\//, '') === 'zz');
}

for (const { command, denyRule } of forms) {
  if (NOT_ZZ.has(command)) continue;
  for (const shell of ['bash', 'union'] as const)
    test(`${shell} does not lose zz in ${JSON.stringify(command)}`, () => {
      const read = readCommandLine(command, shell);
      assert.ok(isNamed(read) || mentions(read) || read.opaque.length > 0);
    });
  // What that client denies by name or behind a wrapper must be visible here, not only opaque.
  if (denyRule === 'deny')
    test(`zz is visible in ${JSON.stringify(command)}`, () => {
      const read = readCommandLine(command, 'bash');
      assert.ok(isNamed(read) || mentions(read));
    });
}

for (const command of NOT_ZZ)
  test(`${JSON.stringify(command)} is not zz`, () => {
    assert.not.ok(isNamed(readCommandLine(command, 'bash')));
  });

test('the fixture is whole', () => {
  assert.is(forms.length, 130);
});

test.run();
