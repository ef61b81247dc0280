/** What a session spends: calls counted exactly by processes that run at once, tokens from transcripts as they grow. */
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { momentOf } from '../../src/run/moment.js';
import { spendCall } from '../../src/run/spent-calls.js';
import { spentTokens } from '../../src/run/spent-tokens.js';
import { Starter, scratch } from './clerk.js';

const moment = (up: number, at = up) => ({ ...momentOf(at, up), boot: 'b' });
let marks = 0;
const mark = () => {
  marks += 1;
  return `m.${marks}.x`;
};

test('64 processes that call at once, round after round: every number is given out once', async () => {
  const starters = Array.from({ length: 64 }, () => new Starter());
  try {
    const file = join(scratch(), 'calls');
    const numbers: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(starters.map((one) => one.ask({ do: 'spend', file })));
      numbers.push(...answers.map((answer) => (answer as unknown as { calls: number }).calls));
    }
    assert.equal(
      numbers.sort((left, right) => left - right),
      Array.from({ length: 320 }, (_, at) => at),
    );
  } finally {
    await Promise.all(starters.map((one) => one.end()));
  }
});

test('time runs from the first call, whatever the clock says', () => {
  const file = join(scratch(), 'calls');
  assert.equal(spendCall(file, moment(1_000), mark()), { calls: 0, milliseconds: 0 });
  assert.equal(spendCall(file, moment(61_000, 5), mark()), { calls: 1, milliseconds: 60_000 }, 'the clock was set back');
  assert.equal(spendCall(file, { at: 91_000, up: 3, boot: 'other' }, mark()), { calls: 2, milliseconds: 90_000 }, 'started anew');
});

test('a line that a full disk cut off counts nothing, and the calls after it count', () => {
  const file = join(scratch(), 'calls');
  spendCall(file, moment(1), mark());
  appendFileSync(file, 'm.9.x {"at":1,"u');
  assert.is(spendCall(file, moment(2), mark()).calls, 1);
  assert.is(spendCall(file, moment(3), mark()).calls, 2);
});

test('a first line that was cut off takes nothing from what follows', () => {
  const file = join(scratch(), 'calls');
  writeFileSync(file, 'm.9.x {"at":1,"u', { mode: 0o600 });
  assert.equal(spendCall(file, moment(2), mark()), { calls: 0, milliseconds: 0 });
});

const replaced: readonly (readonly [what: string, how: (file: string) => void, says: RegExp])[] = [
  ['a link', (file) => symlinkSync('/dev/null', file), /cannot be kept \(ELOOP\)/],
  ['a folder', (file) => mkdirSync(file), /cannot be kept \(EISDIR\)/],
  ['garbage', (file) => writeFileSync(file, 'garbage\n', { mode: 0o600 }), /is damaged; remove it/],
  ['a file that others can write', (file) => writeFileSync(file, '', { mode: 0o622 }), /can be changed by others/],
];
for (const [what, how, says] of replaced)
  test(`${what} in place of the count: the call is not counted and so not allowed`, () => {
    const file = join(scratch(), 'calls');
    const before = process.umask(0);
    how(file);
    process.umask(before);
    assert.throws(() => spendCall(file, moment(1), mark()), says);
  });

const NAMES = new Map([['a1', 'researcher']]);
const answer = (id: string, input: number, output: number, cached = 0) =>
  `${JSON.stringify({ type: 'assistant', message: { id, usage: { input_tokens: input, cache_creation_input_tokens: 1, cache_read_input_tokens: cached, output_tokens: output } } })}\n`;

/** A session's transcript of Claude Code, and the sum of what it tells. */
function session() {
  const folder = scratch();
  const path = join(folder, 'session.jsonl');
  const state = join(folder, 'tokens.json');
  return { path, state, folder, sum: () => spentTokens(state, { path, form: 'claude' }, null, NAMES) };
}

test('a transcript is read on from where it ended; the last line about an answer counts', () => {
  const { path, sum } = session();
  assert.is(sum().tokens, 0, 'not there at the first call');
  appendFileSync(path, `{"type":"user"}\n${answer('m1', 10, 5, 9_000)}`);
  assert.is(sum().tokens, 16, 'the cache is not counted');
  appendFileSync(path, answer('m1', 10, 8));
  assert.is(sum().tokens, 19, 'more of the same answer');
  appendFileSync(path, answer('m2', 1, 1).trimEnd());
  assert.is(sum().tokens, 19, 'a line that is not whole yet');
  appendFileSync(path, '\n');
  assert.is(sum().tokens, 22);
  assert.is(sum().tokens, 22, 'nothing is counted twice');
});

test('what was read once is not read again', () => {
  const { path, state, sum } = session();
  appendFileSync(path, answer('m1', 10, 5));
  sum();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"input_tokens":10', '"input_tokens":99'));
  assert.is(sum().tokens, 16);
  const { mtimeMs, ino } = statSync(state);
  sum();
  assert.equal([statSync(state).mtimeMs, statSync(state).ino], [mtimeMs, ino], 'nothing new, nothing written');
});

test('another file of the same name, or one that was cut, is read from its beginning', () => {
  const { path, sum } = session();
  appendFileSync(path, answer('m1', 10, 5) + answer('m2', 10, 5));
  sum();
  writeFileSync(`${path}.new`, answer('m3', 1, 1));
  renameSync(`${path}.new`, path);
  assert.is(sum().tokens, 3);
});

test('subagents have transcripts of their own: each counts for its agent and for the session', () => {
  const { path, folder, sum } = session();
  appendFileSync(path, answer('m1', 10, 5));
  mkdirSync(join(folder, 'session', 'subagents'), { recursive: true });
  appendFileSync(join(folder, 'session', 'subagents', 'agent-a1.jsonl'), answer('m1', 100, 50));
  appendFileSync(join(folder, 'session', 'subagents', 'agent-b2.jsonl'), answer('m1', 1, 1));
  const { tokens, perAgent } = sum();
  assert.is(tokens, 16 + 151 + 3);
  assert.equal(
    [...perAgent],
    [
      ['researcher', 151],
      ['b2', 3],
    ],
  );
});

test('Codex writes sums, one transcript for each agent', () => {
  const folder = scratch();
  const state = join(folder, 'tokens.json');
  const line = (input: number, cached: number, output: number) =>
    `${JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output } } } })}\n`;
  appendFileSync(join(folder, 'main.jsonl'), line(10, 0, 5) + line(30, 10, 9));
  appendFileSync(join(folder, 'child.jsonl'), line(100, 0, 1));
  spentTokens(state, { path: join(folder, 'main.jsonl'), form: 'codex' }, null, new Map());
  const { tokens, perAgent } = spentTokens(state, { path: join(folder, 'child.jsonl'), form: 'codex' }, 'helper', new Map());
  assert.is(tokens, 29 + 101);
  assert.equal([...perAgent], [['helper', 101]]);
});

test('what no transcript says counts nothing: garbage, other lines, amounts that are none', () => {
  const { path, sum } = session();
  appendFileSync(path, 'garbage "usage"\n[]\nnull\n{"type":"assistant","message":{"usage":7}}\n\u0000\n');
  appendFileSync(path, answer('m', -5, 1e300).replace('1e+300', '1e999'));
  appendFileSync(
    path,
    '{"type":"assistant","message":{"id":7,"usage":{"input_tokens":"9","output_tokens":2.5,"__proto__":{"input_tokens":5}}}}\n',
  );
  assert.is(sum().tokens, 1);
});

test('a path that is no transcript is not waited for', () => {
  const { state, folder } = session();
  for (const path of ['relative.jsonl', folder, '/dev/zero', join(folder, 'missing')])
    assert.is(spentTokens(state, { path, form: 'claude' }, null, NAMES).tokens, 0, path);
});

for (const [what, how, says] of [
  ['garbage', (file: string) => writeFileSync(file, '[1]'), /is damaged; remove it, and the transcripts are read again/],
  ['a link', (file: string) => symlinkSync('/dev/null', file), /cannot be read \(ELOOP\)/],
  ['a file with a second name', (file: string) => linkSync(file, `${file}.2`), /has 2 names/],
] as const)
  test(`${what} in place of what is remembered: nothing is known, so nothing is allowed`, () => {
    const { path, state, sum } = session();
    appendFileSync(path, answer('m1', 10, 5));
    sum();
    if (what === 'a link') unlinkSync(state);
    how(state);
    assert.throws(sum, says);
  });

test.run();
