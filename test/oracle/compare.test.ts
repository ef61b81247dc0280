/** The oracle's own judgement: what bash's trace says, and what counts as unseen. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unseenOf } from './compare.js';
import { ask } from './engine.js';
import { generate } from './lines/generate.js';
import type { Trace } from './trace.js';
import { readTrace, wordsOfStep } from './trace.js';

const steps: readonly (readonly [step: string, words: readonly string[] | null])[] = [
  ['cat a.txt', ['cat', 'a.txt']],
  ["echo 'a b' ''", ['echo', 'a b', '']],
  ["echo 'it'\\''s' \\'", ['echo', "it's", "'"]],
  ["echo $'a\\nb' $'\\302\\240'", ['echo', 'a\nb', '\u00a0']],
  ["echo 'a\nb'", ['echo', 'a\nb']],
  ["echo 'open", null],
];
for (const [step, words] of steps)
  test(`bash's trace ${JSON.stringify(step)} is read back`, () => {
    assert.equal(wordsOfStep(step), words);
  });

const bash = { cwd: '/repo', file: '/usr/bin/bash', argv: ['bash', '-c', ''] };
const nothing: Trace = { programs: [bash], changes: [], connections: [], steps: [], end: '0' };
const program = (text: string, cwd = '/repo') => {
  const argv = text.split(' ');
  return { cwd, file: `/usr/bin/${argv[0]}`, argv };
};

/** A line that is allowed, something that bash could do in it, and what of that is unseen. */
const rows: readonly (readonly [line: string, did: Partial<Trace>, unseen: readonly string[]])[] = [
  ['cat a.txt', { programs: [bash, program('cat a.txt')], steps: ['cat a.txt'] }, []],
  ['cat a.txt', { programs: [bash, program('cat b.txt')] }, ['program']],
  ['cat a.txt', { programs: [bash, program('cat a.txt extra')] }, ['program']],
  ['cat a.txt', { programs: [bash, program('cat a.txt', '/repo/src')] }, ['program']],
  ['cat a.txt', { programs: [bash, { ...program('cat a.txt'), file: '/usr/bin/P' }] }, ['program']],
  ['cd src && cat a.ts', { programs: [bash, program('cat a.ts', '/repo/src')], steps: ['cd src', 'cat a.ts'] }, []],
  ['cat src/*.ts', { programs: [bash, program('cat src/a.ts src/b.ts')] }, []],
  ['cat src/*.ts', { programs: [bash, program('cat src/a.ts docs/b.ts')] }, ['program']],
  ['cat src/*.ts', { programs: [bash, program('cat')] }, ['program']],
  ['cat a.txt', { steps: ['kill -9 1'] }, ['command']],
  ['cat a.txt', { steps: ['PATH=/tmp'] }, ['assignment']],
  ['cat a.txt', { changes: [{ path: '/repo/b.txt', kind: 'open 1101' }] }, ['write']],
  ['ls > out/x.txt', { changes: [{ path: '/repo/out/x.txt', kind: 'open 1101' }] }, []],
  ['ls > out/x.txt', { changes: [{ path: '/repo/out/y.txt', kind: 'open 1101' }] }, ['write']],
  ['cd src && ls > x.txt', { changes: [{ path: '/repo/src/x.txt', kind: 'open 1101' }] }, []],
  ['sed -i s/a/b/ a.txt', { changes: [{ path: '/repo/sedAb12Cd', kind: 'open 302' }] }, []],
  ['sed -i s/a/b/ a.txt', { changes: [{ path: '/repo/src/sedAb12Cd', kind: 'open 302' }] }, ['write']],
  ['cat a.txt', { changes: [{ path: '/repo/sedAb12Cd', kind: 'open 302' }] }, ['write']],
  ['cat a.txt', { connections: ['2 80'] }, ['connection']],
  ['cat a.txt', { connections: ['1 /var/run/nscd/socket'], changes: [{ path: '/dev/tty', kind: 'open 4002' }] }, []],
];
for (const [line, did, unseen] of rows)
  test(`of ${JSON.stringify(line)}, ${JSON.stringify(did)} is ${unseen.length === 0 ? 'judged' : 'unseen'}`, () => {
    const answer = ask(line);
    assert.ok(answer.allowed, answer.reasons.join());
    assert.equal(
      unseenOf({ ...nothing, ...did }, answer.judged()).map(({ kind }) => kind),
      unseen,
    );
  });

test('a seed and an index always give the same line, and other lines than their neighbours', () => {
  const fixed = [{ from: 'test', line: 'cat a.txt' }];
  const lines = (seed: number) => Array.from({ length: 50 }, (_, index) => generate(seed, index, fixed).line);
  assert.equal(lines(7), lines(7));
  assert.is.not(lines(7).join('\n'), lines(8).join('\n'));
  assert.ok(new Set(lines(7)).size > 40);
});

/** An answer of the driver: records of a letter and a text. */
function answerOf(records: readonly (readonly [letter: string, text: string])[]): Buffer {
  return Buffer.concat(
    records.map(([letter, text]) => {
      const head = Buffer.alloc(5);
      head.writeUInt32LE(Buffer.byteLength(text) + 1);
      head.write(letter, 4, 'latin1');
      return Buffer.concat([head, Buffer.from(text)]);
    }),
  );
}

for (const [traced, end, steps] of [
  ['\x01ls -l\n\x01test -f x\n', '0', ['ls -l', 'test -f x']],
  // A loop in a pipe that traced more than a file may hold; the pipe itself ended well.
  ['\x01ls -l\n\x01test', '0', ['ls -l']],
  ['\x01ls -l\n\x01test -f x\n', 'timeout', ['ls -l']],
  ['', '0', []],
] as const)
  test(`a trace of ${JSON.stringify(traced)} that ends with ${end} has ${steps.length} whole steps`, () => {
    assert.equal(
      readTrace(
        answerOf([
          ['T', traced],
          ['E', end],
        ]),
      ).steps,
      steps,
    );
  });

test.run();
