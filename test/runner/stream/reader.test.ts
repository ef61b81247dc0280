/** Lines of every kind, in chunks of every size: what comes out, and that there is exactly one final event. */
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNERS } from '../../../src/call/tool-call.js';
import { streamFormatOf } from '../../../src/runner/launched.js';
import { runEventLine, type StreamEvent } from '../../../src/runner/stream/stream-event.js';
import type { RunnerExit } from '../../../src/runner/stream/stream-format.js';
import { eventsOf, eventsOfLines, finalOf, finalsOf, OK, readerOf, recording, recordings, warningsOf } from './reading.js';

const MESSAGE = { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Done.' } };
const COMPLETED = { type: 'turn.completed', usage: { input_tokens: 3, cached_input_tokens: 2, output_tokens: 1 } };
const USAGE = { input: 3, cachedInput: 2, output: 1 };
const DONE = { kind: 'final', outcome: 'completed', message: 'Done.', usage: USAGE } as const;
const EVENTS: readonly StreamEvent[] = [{ kind: 'message', text: 'Done.' }, DONE];

test('every runner whose output is launched has a format', () => {
  const formats = RUNNERS.filter((runner) => streamFormatOf(runner) !== undefined);
  assert.equal(formats, ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode', 'qwen-code']);
});

test('R132: an assistant_message of Codex 0.42 is final as soon as its line ends', () => {
  const reader = readerOf('codex');
  const item = { id: 'item_1', item_type: 'assistant_message', text: 'Done.' };
  const line = JSON.stringify({ type: 'item.completed', item });
  assert.equal(reader.push(Buffer.from(line)), []);
  assert.equal(reader.push(Buffer.from('\n')), [EVENTS[0], { ...DONE, usage: null }]);
});

test('a turn of Codex 0.98 and later is final when it is completed, not with a message', () => {
  const reader = readerOf('codex');
  assert.equal(reader.push(Buffer.from(`${JSON.stringify(MESSAGE)}\n`)), [EVENTS[0]]);
  assert.equal(reader.push(Buffer.from(`${JSON.stringify(COMPLETED)}\n`)), [DONE]);
});

test('R133: of two final lines one counts', () => {
  const failed = { type: 'turn.failed', error: { message: 'no' } };
  assert.equal(eventsOfLines('codex', [MESSAGE, COMPLETED, COMPLETED]), EVENTS);
  assert.equal(finalOf(eventsOfLines('codex', [MESSAGE, COMPLETED, failed])), DONE);
  const said = (text: string) => ({ type: 'item.completed', item: { item_type: 'assistant_message', text } });
  assert.is(finalOf(eventsOfLines('codex', [said('first'), said('second')])).message, 'first');
});

test('R133: items that are started or updated are no final event, and say nothing of a message', () => {
  const items = ['item.started', 'item.updated'].map((type) => ({ ...MESSAGE, type }));
  assert.equal(eventsOfLines('codex', [...items, MESSAGE, COMPLETED]), EVENTS);
});

test('a stream without a final line has failed, and the reason is how the process ended', () => {
  const rows: readonly (readonly [RunnerExit, string])[] = [
    [OK, 'The runner ended with exit code 0 without giving a result.'],
    [{ code: 3, signal: null }, 'The runner ended with exit code 3 without giving a result.'],
    [{ code: null, signal: 'SIGTERM' }, 'Signal SIGTERM ended the runner before it gave a result.'],
    [{ code: null, signal: null }, 'The output ended without a result.'],
  ];
  for (const [exit, message] of rows)
    for (const runner of ['codex', 'claude-code', 'gemini-cli', 'copilot-cli', 'opencode', 'qwen-code'] as const)
      assert.equal(eventsOf(runner, [], exit), [{ kind: 'final', outcome: 'failed', message, usage: null }], runner);
});

test('a failed end has the tokens that were counted until then', () => {
  const cut = recording('opencode', 'json-shell.jsonl').subarray(0, 2000);
  assert.equal(finalOf(eventsOf('opencode', [cut], { code: 1, signal: null })).usage, { input: 100, cachedInput: 0, output: 10 });
});

test('a completed run stays completed when the process then fails, and a warning tells', () => {
  const warned = (exit: RunnerExit) => warningsOf(eventsOfLines('codex', [MESSAGE, COMPLETED], exit));
  assert.equal(warned({ code: 3, signal: null }), ['The run was completed, but the runner ended with exit code 3.']);
  assert.equal(warned({ code: null, signal: 'SIGTERM' }), ['The run was completed, but then signal SIGTERM ended the runner.']);
  assert.equal(warned(OK), []);
  assert.equal(warned({ code: null, signal: null }), []);
  assert.equal(finalOf(eventsOfLines('codex', [MESSAGE, COMPLETED], { code: 3, signal: null })), DONE);
  const failed = { type: 'turn.failed', error: { message: 'no' } };
  assert.equal(warningsOf(eventsOfLines('codex', [failed], { code: 1, signal: null })), []);
});

test('after the end there is nothing more', () => {
  const reader = readerOf('codex');
  reader.end(OK);
  assert.equal(reader.push(Buffer.from(`${JSON.stringify(COMPLETED)}\n`)), []);
  assert.equal(reader.end(OK), []);
});

test('the last line needs no newline, and one that is cut gives a warning', () => {
  const text = `${JSON.stringify(MESSAGE)}\n${JSON.stringify(COMPLETED)}`;
  assert.equal(eventsOf('codex', [Buffer.from(text)]), EVENTS);
  const cut = eventsOf('codex', [Buffer.from(text.slice(0, -1))], { code: 0, signal: null });
  assert.equal(warningsOf(cut), ['The output ends in the middle of a line.']);
  assert.is(finalOf(cut).outcome, 'failed');
});

test('lines that are no events are told of once, with their number and the first of them', () => {
  const notice = 'Loaded cached credentials.';
  assert.equal(warningsOf(eventsOfLines('codex', [notice, MESSAGE, COMPLETED])), [`A line of the output is no event: ${notice}`]);
  const others = [notice, '{"torn', '[1]', '7', '"text"', 'null', '\u0000\u0000', '}{'];
  const events = eventsOfLines('codex', [...others.flatMap((line) => [line, MESSAGE]), COMPLETED]);
  assert.equal(warningsOf(events), [`8 lines of the output are no events, first: ${notice}`]);
  assert.is(events.filter(({ kind }) => kind === 'message').length, 8);
  assert.is(finalOf(events).outcome, 'completed');
});

test('the line that a warning shows is short and has no control characters', () => {
  const [message = ''] = warningsOf(eventsOfLines('codex', [`\u001b[31m${'x'.repeat(5000)}`, COMPLETED]));
  assert.ok(message.startsWith('A line of the output is no event: \\u001b[31mxxx'), message);
  assert.ok(message.length < 300);
});

test('blank lines, carriage returns and a byte order mark do not matter', () => {
  const text = `\ufeff${JSON.stringify(MESSAGE)}\r\n\r\n  \n\n ${JSON.stringify(COMPLETED)} \r\n`;
  assert.equal(eventsOf('codex', [Buffer.from(text)]), EVENTS);
});

test('events of kinds that nobody knows are passed over', () => {
  assert.equal(eventsOfLines('codex', [{}, { type: 'new.event' }, { type: 7 }, MESSAGE, { msg: 7 }, COMPLETED]), EVENTS);
});

test('characters of several bytes survive a cut within them, and bytes that are no UTF-8 do no harm', () => {
  const text = 'a\u00e9\u20ac\ud83d\ude00z';
  const line = Buffer.from(`${JSON.stringify({ ...MESSAGE, item: { ...MESSAGE.item, text } })}\n`);
  for (let cut = 0; cut <= line.length; cut += 1)
    assert.equal(eventsOf('codex', [line.subarray(0, cut), line.subarray(cut)])[0], { kind: 'message', text });
  const broken = Buffer.concat([Buffer.from(JSON.stringify(MESSAGE).replace('Done', 'D\u0001ne')), Buffer.from('\n')]);
  broken[broken.indexOf(0x44) + 1] = 0xff;
  const sequence = Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xe2, 0x82]), Buffer.from('\n')]);
  const events = eventsOf('codex', [
    sequence,
    Buffer.from(`${JSON.stringify(MESSAGE)}\n`),
    Buffer.from(JSON.stringify(COMPLETED)),
  ]);
  assert.equal(finalOf(events), DONE, 'a sequence that is not complete takes no newline with it');
  assert.is(finalsOf(eventsOf('codex', [broken])).length, 1);
});

test('names such as __proto__ are names like others', () => {
  const line = `{"__proto__":{"type":"turn.completed"},"constructor":{"type":"turn.completed"},"type":"x"}`;
  const item = `{"type":"item.completed","item":{"__proto__":{"type":"agent_message","text":"x"}}}`;
  const events = eventsOfLines('codex', [line, item, '{"type":"__proto__"}', '{"type":"toString"}', MESSAGE, COMPLETED]);
  assert.equal(events, EVENTS);
  assert.is(Reflect.get({}, 'type'), undefined);
});

test('a line of more than 16 MiB is skipped to its end with one warning, and memory stays small', () => {
  const reader = readerOf('codex');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const events = [...reader.push(Buffer.from('{"type":"'))];
  const before = process.memoryUsage.rss();
  for (let megabyte = 0; megabyte < 200; megabyte += 1) events.push(...reader.push(chunk));
  const grown = process.memoryUsage.rss() - before;
  events.push(...reader.push(Buffer.from(`"}\n${JSON.stringify(MESSAGE)}\n${JSON.stringify(COMPLETED)}\n`)), ...reader.end(OK));
  assert.equal(events, [{ kind: 'warning', message: 'A line of more than 16 MiB was skipped.' }, ...EVENTS]);
  assert.ok(grown < 100_000_000, `${grown} bytes`);
});

test('a line of just under 16 MiB is read', () => {
  const item = { ...MESSAGE.item, text: 'x'.repeat(16 * 1024 * 1024 - 200) };
  const [event] = eventsOfLines('codex', [{ ...MESSAGE, item }]);
  assert.is(event?.kind === 'message' && event.text.length, item.text.length);
});

test('the limit on a line is the same however its bytes are cut', () => {
  for (const [length, isRead] of [
    [100, true],
    [101, false],
  ] as const) {
    const text = 'x'.repeat(length - JSON.stringify({ ...MESSAGE, item: { ...MESSAGE.item, text: '' } }).length);
    const line = Buffer.from(`${JSON.stringify({ ...MESSAGE, item: { ...MESSAGE.item, text } })}\n`);
    assert.is(line.length, length + 1);
    const all = Buffer.concat([line, line]);
    for (let cut = 0; cut <= all.length; cut += 1) {
      const reader = readerOf('codex', 100);
      const events = [...reader.push(all.subarray(0, cut)), ...reader.push(all.subarray(cut))];
      assert.equal(
        events.map(({ kind }) => kind),
        isRead ? ['message', 'message'] : ['warning', 'warning'],
        `cut at ${cut}`,
      );
    }
  }
});

/** Objects whose members are many, and nested deep: what takes most memory for its length. */
const manyValues: Readonly<Record<string, (values: number) => string>> = {
  'lists in a list': (values) => `[${'[],'.repeat(values / 2)}0]`,
  'lists in lists': (values) => `${'['.repeat(values)}${']'.repeat(values)}`,
  'objects of many names': (values) => `{${Array.from({ length: values / 3 }, (_, nth) => `"${nth}":{}`).join(',')}}`,
};

test('a line of more than 500,000 values is skipped with a warning before it takes memory, and its fellows are read', () => {
  for (const [name, values] of Object.entries(manyValues)) {
    const line = `{"type":"item.completed","item":${values(3_600_000)}}`;
    const bytes = Buffer.from(`${line}\n${JSON.stringify(MESSAGE)}\n${JSON.stringify(COMPLETED)}\n`);
    const before = process.resourceUsage().maxRSS;
    assert.equal(
      eventsOf('codex', [bytes]),
      [{ kind: 'warning', message: 'A line of more than 500000 values was skipped.' }, ...EVENTS],
      name,
    );
    const grown = process.resourceUsage().maxRSS - before;
    assert.ok(grown < 100_000, `${name}: ${grown} KiB`);
  }
});

test('the limit on values counts those that JSON has, however the line is cut: commas and brackets in texts are none', () => {
  const rows: readonly (readonly [item: object, isRead: boolean])[] = [
    [{ ...MESSAGE.item, text: 'a,b:[{'.repeat(20) }, true],
    [{ ...MESSAGE.item, text: '\\",[[[[[[[[[[[[[[[[[[[['.repeat(5) }, true],
    [{ ...MESSAGE.item, more: [1, 2, 3] }, true],
    [{ ...MESSAGE.item, more: [1, 2, 3, 4] }, false],
    [{ ...MESSAGE.item, text: '\\', more: [[[[]]]] }, false],
  ];
  // Sixteen in the third row: two objects, a list, commas and colons, and the first value.
  const limit = 16;
  for (const [item, isRead] of rows) {
    const line = Buffer.from(`${JSON.stringify({ ...MESSAGE, item })}\n`);
    for (let cut = 0; cut <= line.length; cut += 1) {
      const reader = readerOf('codex', 10_000, limit);
      const events = [...reader.push(line.subarray(0, cut)), ...reader.push(line.subarray(cut))];
      assert.equal(
        events.map(({ kind }) => kind),
        [isRead ? 'message' : 'warning'],
        `${JSON.stringify(item)} cut at ${cut}`,
      );
    }
  }
});

test('a line without an end, and a line that is no object, are measured likewise', () => {
  const many = `{"type":"x","a":[${'0,'.repeat(30)}0]}`;
  const reader = readerOf('codex', 10_000, 20);
  assert.equal(warningsOf([...reader.push(Buffer.from(many)), ...reader.end(OK)]), [
    'A line of more than 20 values was skipped.',
  ]);
  const other = readerOf('codex', 10_000, 20);
  assert.match(warningsOf([...other.push(Buffer.from(`${'a,'.repeat(30)}\n`)), ...other.end(OK)]).join(), /is no event/);
});

test('chunks may be used again once they were read', () => {
  const reader = readerOf('codex');
  const chunk = Buffer.alloc(16);
  const events: StreamEvent[] = [];
  const bytes = Buffer.from(`${JSON.stringify(MESSAGE)}\n${JSON.stringify(COMPLETED)}\n`);
  for (let at = 0; at < bytes.length; at += chunk.length) {
    const size = bytes.copy(chunk, 0, at, at + chunk.length);
    events.push(...reader.push(chunk.subarray(0, size)));
  }
  assert.equal(events, EVENTS);
});

/** Lines that a terminal, another program or an attacker may have put between those of the runner. */
const foreign = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('', ' ', '{', '}', '{}', '[]', '{"type":"', '{"type":"stream_event"}', 'null', '\ufeff', '\r', '\u0000'),
  fc.record({ type: fc.constantFrom('x', 'result2', '__proto__'), part: fc.jsonValue() }).map((value) => JSON.stringify(value)),
);
const clean = (line: string) => line.replaceAll('\n', ' ');
const runnersKnow = /"(?:type|role|msg|sandbox|sessionID)"/;

test('foreign lines between those of the runner change none of its events', () => {
  const short = recordings.filter(({ bytes }) => bytes.length < 13_000);
  const inserted = fc.array(fc.tuple(fc.nat(60), foreign.map(clean)), { maxLength: 12 });
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...short), inserted, sizes, ({ runner, bytes }, lines, lengths) => {
      const told = (events: readonly StreamEvent[]) =>
        events.filter((event) => event.kind !== 'warning' || !/ the output /.test(event.message)).map(runEventLine);
      const mixed = bytes.toString('utf8').split('\n').slice(0, -1);
      // A line that names what runners name may be one of theirs.
      for (const [at, line] of lines) if (!runnersKnow.test(line)) mixed.splice(at % (mixed.length + 1), 0, line);
      const all = Buffer.from(`${mixed.join('\n')}\n`);
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const size = lengths[turn % lengths.length] ?? 1;
        chunks.push(all.subarray(at, at + size));
        at += size;
      }
      assert.equal(told(eventsOf(runner, chunks)), told(eventsOf(runner, [bytes])));
    }),
    { numRuns: 400 },
  );
});

test('whatever the bytes are, nothing is thrown, and there is exactly one final event', () => {
  const runners = RUNNERS.filter((runner) => streamFormatOf(runner) !== undefined);
  const fields = fc.jsonValue();
  const types = fc.constantFrom(
    ...['item.completed', 'item.started', 'turn.completed', 'turn.failed', 'error', 'assistant', 'user', 'result', 'system'],
    ...['message', 'tool_use', 'tool_result', 'init', 'step_finish', 'text', 'assistant.message', 'tool.execution_complete'],
  );
  const names = [
    'item',
    'message',
    'content',
    'part',
    'data',
    'usage',
    'error',
    'stats',
    'msg',
    'subtype',
    'role',
    'delta',
    'exitCode',
  ];
  const line = fc
    .tuple(types, fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(fields, types)), { maxLength: 5 }))
    .map(([type, members]) => JSON.stringify({ type, ...Object.fromEntries(members) }));
  const exit = fc.record({ code: fc.constantFrom(null, 0, 1), signal: fc.constantFrom(null, 'SIGKILL') });
  fc.assert(
    fc.property(
      fc.constantFrom(...runners),
      fc.array(fc.oneof(line, foreign), { maxLength: 12 }),
      exit,
      (runner, lines, ended) => {
        assert.is(finalsOf(eventsOfLines(runner, lines, ended)).length, 1);
      },
    ),
    { numRuns: 2000 },
  );
});

test.run();
