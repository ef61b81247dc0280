/** Options that switch writing or running off count only while they are on: `false` behind one that takes no value never goes unseen. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEntry } from '../../src/command/grammar/file.js';
import { grammarFiles, tableOf } from '../../src/command/grammar/lookup.js';
import type { CommandTable } from '../../src/command/grammar/table.js';
import { readCommands } from '../../src/command/tree.js';
import { readCommandLine } from '../../src/shell/read.js';

const isRated = (line: string): boolean => {
  const [command] = readCommands(readCommandLine(line, 'bash'), 'bash').commands;
  return command === undefined || command.verdict.issues.length > 0;
};

/** Every command and subcommand. */
function tablesOf(table: CommandTable | null, { subcommands = {} }: CommandEntry): CommandTable[] {
  if (table === null) return [];
  const below = Object.entries(subcommands).flatMap(([name, entry]) => tablesOf(table.subcommand?.(name) ?? null, entry));
  return [table, ...below];
}

/** Each long option without a value. */
const switches = grammarFiles()
  .flatMap(([, file]) => Object.entries(file.commands).flatMap(([name, entry]) => tablesOf(tableOf(name), entry)))
  .flatMap((table) => {
    const name = table.words.join(' ');
    if (table.style === 'print' || !/^[\w -]+$/.test(name)) return [];
    const takesFiles = table.operands?.rest?.kind === 'path' && table.operands.list.length === 0;
    return [...table.options].flatMap(([option, { arity }]) =>
      arity === 'none' && /^--\w[\w-]+$/.test(option) ? [{ name, option, takesFiles }] : [],
    );
  });

test('a value that is joined to it', () => {
  const unseen = switches.map(({ name, option }) => `${name} ${option}=false`).filter((line) => !isRated(line));
  assert.is(unseen.join('\n'), '');
  assert.ok(switches.length > 5_000);
});

for (const value of ['false', 'null'])
  test(`${value} behind it, where a file could stand`, () => {
    const lines = switches.flatMap(({ name, option, takesFiles }) => (takesFiles ? [`${name} ${option} ${value}`] : []));
    assert.is(lines.filter((line) => !isRated(line)).join('\n'), '');
    assert.ok(lines.length > 200);
  });

test('words that are no such value', () => {
  const lines = ['tsc --noEmit a.ts', 'tsc false.ts --noEmit', 'ls -la src/null', 'grep -c false a.txt', 'cat false'];
  assert.equal(lines.filter(isRated), []);
});

test.run();
