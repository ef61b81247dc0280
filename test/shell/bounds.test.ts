/** Long lines: what is given to the parser at all, and how much of what it finds is looked into. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCommandLine } from '../../src/shell/read.js';
import { readableStart } from '../../src/shell/syntax/bounds.js';

const LONG = 257;

/** A line longer than those that are read whatever they hold. */
const long = (text: string) => text.padEnd(LONG, ' a');

const WHOLE: readonly (readonly [why: string, line: string])[] = [
  ['a short line, however deep', '$('.repeat(128)],
  ['64 expansions that are never closed', long('$('.repeat(64))],
  ['thousands of expansions, each closed', '$(a) ${b} '.repeat(500)],
  ['parentheses and braces of another kind', long('('.repeat(500) + '{'.repeat(500))],
  ['thousands of here-strings', long('<<<a '.repeat(2000))],
  ['4096 here-documents', '<<E '.repeat(4096)],
];
for (const [why, line] of WHOLE) test(`all of a line is read: ${why}`, () => assert.is(readableStart(line), line));

const CUT: readonly (readonly [why: string, line: string, kept: number])[] = [
  ['substitutions', long('$('.repeat(65)), 129],
  ['parameters', long('${'.repeat(65)), 129],
  ['process substitutions', long('<('.repeat(65)), 129],
  ['output substitutions', long('>('.repeat(65)), 129],
  ['arithmetic', long('$(('.repeat(65)), 193],
  ['substitutions that only a brace closes', long('$(}'.repeat(65)), 193],
  ['parameters that only a parenthesis closes', long('${)'.repeat(65)), 193],
  ['here-documents', '<<E '.repeat(4097), 4 * 4096 + 1],
];
for (const [why, line, kept] of CUT)
  test(`a line is read up to where it opens too many of: ${why}`, () => assert.is(readableStart(line).length, kept));

const codesOf = (line: string) => new Set(readCommandLine(line, 'bash').opaque.map(({ code }) => code));

test('what stands before the part that is not read is still found', () => {
  const { invocations, opaque } = readCommandLine(`rm -rf ~; ${'$('.repeat(3000)}`, 'bash');
  assert.equal(
    invocations[0]?.argv.map(({ text }) => text),
    ['rm', '-rf', '~'],
  );
  assert.ok(opaque.some(({ code }) => code === 'nesting'));
});

test('eight times the longest line is looked into for substitutions, and no more', () => {
  const nested = (levels: number) => `${'echo "$('.repeat(levels)}${'a '.repeat(20_000)}${')"'.repeat(levels)}`;
  assert.not.ok(codesOf(nested(2)).has('nesting'));
  assert.ok(codesOf(nested(16)).has('nesting'));
});

test('loops in loops that never end are not read for each of their values in turn', () => {
  const { opaque } = readCommandLine(`${'for f in a b; do '.repeat(40)}f; do `, 'bash');
  assert.ok(opaque.some(({ code }) => code === 'parse-error'));
});

test('behind a thousand commands, no substitution is looked into', () => {
  assert.not.ok(codesOf(`${'a;'.repeat(1000)} echo "$(b)"`).has('nesting'));
  const { invocations, opaque } = readCommandLine(`${'a;'.repeat(1100)} echo "$(b)"`, 'bash');
  assert.is(invocations.length, 1101);
  assert.ok(opaque.some(({ code }) => code === 'nesting'));
});

test.run();
