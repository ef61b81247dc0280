/** Every shipped grammar obeys its schema, and every example in it gets the answer it stands under. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEntry } from '../../src/command/grammar/file.js';
import { grammarFiles } from '../../src/command/grammar/lookup.js';
import { validateCommandGrammar } from '../../src/generated/validators/command-grammar.js';
import { type Answer, answerOf } from './invocation.js';

for (const [name, file] of grammarFiles()) {
  test(`${name} obeys its schema`, () => {
    const valid = validateCommandGrammar(file);
    assert.ok(valid, validateCommandGrammar.errors?.map((error) => `${error.instancePath} ${error.message}`).join('\n'));
  });
  for (const [command, entry] of Object.entries(file.commands)) {
    testNumbers(command, entry);
    testExamples(command, entry);
  }
}

/** Examples of a command and its subcommands: those that pass, and those that do not. */
function countExamples({ allow, ask, deny, subcommands }: CommandEntry): readonly [passing: number, other: number] {
  const counts = Object.values(subcommands ?? {}).map(countExamples);
  const own = [allow?.length ?? 0, (ask?.length ?? 0) + (deny?.length ?? 0)] as const;
  return counts.reduce<readonly [number, number]>(([a, b], [c, d]) => [a + c, b + d], own);
}

const ENOUGH = 5;

function testNumbers(name: string, entry: CommandEntry): void {
  const [passing, other] = countExamples(entry);
  // One that is asked about whatever its words are has none that pass.
  const asked = entry.rating !== undefined;
  test(`${name} has enough examples`, () => assert.ok((asked || passing >= ENOUGH) && other >= ENOUGH, `${passing}, ${other}`));
}

function testExamples(path: string, entry: CommandEntry): void {
  testRatedOptions(path, entry);
  for (const answer of ['allow', 'ask', 'deny'] as const) for (const line of entry[answer] ?? []) testExample(line, answer);
  for (const [name, child] of Object.entries(entry.subcommands ?? {})) testExamples(`${path} ${name}`, child);
}

function testExample(line: string, expected: Answer): void {
  test(`${expected}: ${line}`, () => assert.is(answerOf(line), expected));
}

function testRatedOptions(path: string, entry: CommandEntry): void {
  test(`${path}: what is not harmless has a reason`, () => {
    for (const [spellings, option] of Object.entries(entry.options ?? {}))
      assert.ok(option.rating === undefined || option.rating === 'harmless' || option.reason !== undefined, spellings);
  });
}

test.run();
