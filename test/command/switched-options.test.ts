/** Options that switch writing or running off count only while they are on: `false` behind one that takes no value never goes unseen. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { grammarFiles, tableOf } from '../../src/command/grammar/lookup.js';
import { readCommands } from '../../src/command/tree.js';
import { readCommandLine } from '../../src/shell/read.js';

const isRated = (line: string): boolean => {
  const [command] = readCommands(readCommandLine(line, 'bash'), 'bash').commands;
  return command === undefined || command.verdict.issues.length > 0;
};

/** Each long option without a value, of each command that takes files as operands. */
const switches = grammarFiles().flatMap(([, file]) =>
  Object.keys(file.commands).flatMap((name) => {
    const table = tableOf(name);
    if (table === null || table.style === 'print' || !/^[\w-]+$/.test(name)) return [];
    const takesFiles = table.operands?.rest?.kind === 'path' && table.operands.list.length === 0;
    return [...table.options].flatMap(([option, { arity }]) =>
      arity === 'none' && /^--\w[\w-]+$/.test(option) ? [{ name, option, takesFiles }] : [],
    );
  }),
);

test('a value that is joined to it', () => {
  const unseen = switches.map(({ name, option }) => `${name} ${option}=false`).filter((line) => !isRated(line));
  assert.is(unseen.join('\n'), '');
  assert.ok(switches.length > 1_000);
});

test('a value behind it, where a file could stand', () => {
  const lines = switches.flatMap(({ name, option, takesFiles }) => (takesFiles ? [`${name} ${option} false`] : []));
  assert.is(lines.filter((line) => !isRated(line)).join('\n'), '');
  assert.ok(lines.length > 100);
});

test.run();
