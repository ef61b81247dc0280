/** What a session spends: calls counted exactly by processes that run at once, tokens from transcripts as they grow. */
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { timestampOf } from '../../src/run/moment.js';
import { spendCall } from '../../src/run/spent-calls.js';
import { type AgentNames, spentTokens } from '../../src/run/spent-tokens.js';
import type { TranscriptForm } from '../../src/runner/hook/transcript.js';
import { Starter, scratch } from './run-context.js';

const moment = (up: number, at = up) => ({ ...timestampOf(at, up), boot: 'b' });
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

const NAMES: AgentNames = { byId: new Map([['a1', 'researcher']]), at: () => [] };
const NOBODY: AgentNames = { byId: new Map(), at: () => [] };
const answer = (id: string, input: number, output: number, cached = 0) =>
  `${JSON.stringify({ type: 'assistant', message: { id, usage: { input_tokens: input, cache_creation_input_tokens: 1, cache_read_input_tokens: cached, output_tokens: output } } })}\n`;

/** A session's transcript of Claude Code, and the sum of what it tells. */
function session() {
  const folder = scratch();
  const path = join(folder, 'session.jsonl');
  const state = join(folder, 'tokens.json');
  const children = join(folder, 'session', 'subagents');
  return { path, state, folder, children, sum: () => spentTokens(state, { path, form: 'claude', children }, null, NAMES) };
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

test('a file that was replaced, cut or removed gives no tokens back; what it tells beyond them counts', () => {
  const { path, sum } = session();
  appendFileSync(path, answer('m1', 10, 5) + answer('m2', 10, 5));
  assert.is(sum().tokens, 32);
  writeFileSync(`${path}.new`, answer('m3', 1, 1));
  renameSync(`${path}.new`, path);
  assert.is(sum().tokens, 32, 'another one of that name');
  appendFileSync(path, answer('m4', 30, 9));
  assert.is(sum().tokens, 43, 'more than before');
  truncateSync(path);
  assert.is(sum().tokens, 43, 'cut');
  appendFileSync(path, answer('m5', 2, 2));
  assert.is(sum().tokens, 43);
  unlinkSync(path);
  assert.is(sum().tokens, 43, 'removed');
});

test('subagents have transcripts of their own: each counts for its agent and for the session', () => {
  const { path, children, sum } = session();
  appendFileSync(path, answer('m1', 10, 5));
  mkdirSync(children, { recursive: true });
  appendFileSync(join(children, 'agent-a1.jsonl'), answer('m1', 100, 50));
  appendFileSync(join(children, 'agent-b2.jsonl'), answer('m1', 1, 1));
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
  const spent = (name: string, agent: string | null) =>
    spentTokens(state, { path: join(folder, name), form: 'codex', children: null }, agent, NOBODY);
  appendFileSync(join(folder, 'main.jsonl'), line(10, 0, 5) + line(30, 10, 9));
  appendFileSync(join(folder, 'child.jsonl'), line(100, 0, 1));
  spent('main.jsonl', null);
  const { tokens, perAgent } = spent('child.jsonl', 'helper');
  assert.is(tokens, 29 + 101);
  assert.equal([...perAgent], [['helper', 101]]);
  appendFileSync(join(folder, 'child.jsonl'), line(200, 0, 1));
  assert.is(spent('main.jsonl', null).tokens, 29 + 201, "the child's last answer counts when the main agent goes on");
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

test('lines without an id are answers of their own, however alike', () => {
  const { path, sum } = session();
  appendFileSync(path, answer('', 10, 5).replace('"id":"",', '').repeat(3));
  assert.is(sum().tokens, 48);
});

test('more than one call reads is read by the next ones; a line longer than that is passed over', () => {
  const { path, children, sum } = session();
  const filler = `{"type":"user","text":"${'x'.repeat(1024 * 1024)}"}\n`;
  appendFileSync(path, filler.repeat(5) + answer('m1', 10, 5));
  assert.is(sum().tokens, 0);
  assert.is(sum().tokens, 16);
  mkdirSync(children, { recursive: true });
  writeFileSync(join(children, 'agent-a1.jsonl'), 'x'.repeat(5 * 1024 * 1024));
  sum();
  appendFileSync(join(children, 'agent-a1.jsonl'), `\n${answer('m1', 1, 1)}`);
  assert.is(sum().tokens, 19);
});

/** Transcripts that real clients wrote about one session with a subagent, and what the model on the other side had counted. */
const RECORDED: readonly (readonly [
  what: string,
  form: TranscriptForm,
  own: string,
  children: string | null,
  agentsOwn: readonly (readonly [file: string, agent: string])[],
  names: AgentNames,
  tokens: number,
  perAgent: readonly (readonly [string, number])[],
])[] = [
  // Six answers of 10 in, 100 to the cache, 1000 from it, 50 out; and as many of the subagent.
  [
    ...(['Claude Code 2.1.197', 'claude', 'claude-code-2.1.197/session.jsonl', 'claude-code-2.1.197/subagents', []] as const),
    { byId: new Map([['ae972c6f14a316eea', 'reviewer']]), at: () => [] },
    ...([1920, [['reviewer', 960]]] as const),
  ],
  [
    ...(['Claude Code 2.1.329', 'claude', 'claude-code-2.1.329/session.jsonl', 'claude-code-2.1.329/subagents', []] as const),
    { byId: new Map([['a0817d7e86da90e75', 'reviewer']]), at: () => [] },
    ...([1920, [['reviewer', 960]]] as const),
  ],
  // Six answers of 10 in, 4 of them from the cache, 5 out, 2 of them thoughts; and as many of the subagent.
  [
    ...(['Codex 0.169.0', 'codex', 'codex-0.169.0/session.jsonl', null, [['codex-0.169.0/child.jsonl', 'reviewer']]] as const),
    NOBODY,
    ...([132, [['reviewer', 66]]] as const),
  ],
  // Six answers of 10 in, 4 of them from the cache, 5 out and 2 thoughts; and seven of the subagent.
  [
    ...(['Gemini CLI 0.61.0', 'gemini', 'gemini-cli-0.61.0/session.jsonl', 'gemini-cli-0.61.0/children', []] as const),
    { byId: new Map(), at: (time) => (time === Date.parse('2026-11-21T13:25:22.059Z') ? ['reviewer'] : []) },
    ...([169, [['reviewer', 91]]] as const),
  ],
  // Seven answers of 10 in, 4 of them from the cache, 5 out; and six of the subagent.
  [
    ...(['Qwen Code 0.24.4', 'qwen', 'qwen-code-0.24.4/session.jsonl', null, []] as const),
    NOBODY,
    ...([143, [['general-purpose', 66]]] as const),
  ],
];

for (const [what, form, own, children, others, names, tokens, perAgent] of RECORDED)
  test(`${what}: the sum over its own transcripts is what its model counted`, () => {
    const state = join(scratch(), 'tokens.json');
    const folder = resolve('test/fixtures/transcripts');
    const spent = (file: string, agent: string | null) =>
      spentTokens(
        state,
        { path: join(folder, file), form, children: children === null ? null : join(folder, children) },
        agent,
        names,
      );
    for (const [file, agent] of others) spent(file, agent);
    const sum = spent(own, null);
    assert.is(sum.tokens, tokens);
    assert.equal([...sum.perAgent], perAgent);
  });

test('a path that is no transcript is not waited for', () => {
  const { state, folder } = session();
  for (const path of ['relative.jsonl', folder, '/dev/zero', join(folder, 'missing')])
    assert.is(spentTokens(state, { path, form: 'claude', children: null }, null, NAMES).tokens, 0, path);
});

for (const [what, how, says] of [
  ['garbage', (file: string) => writeFileSync(file, '[1]'), /is damaged; remove it, so that the transcripts are read again/],
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
