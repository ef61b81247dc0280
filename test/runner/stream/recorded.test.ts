/** The recorded streams of all runners: what they come to, and that no byte at which they are cut changes it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { validateRunEvent } from '../../../src/generated/validators/run-event.js';
import { runEventLine, type StreamEvent } from '../../../src/runner/stream/stream-event.js';
import { eventsOf, finalOf, finalsOf, KILLED, OK, type Recording, recordings } from './reading.js';

const NEWLINE = 0x0a;
const DONE = 'All done.';
const BUSY = 'We\u2019re currently experiencing high demand, which may cause temporary errors.';
const REJECTED = 'OpenCode ended after a tool call, without an answer: a call that needs a permission ends the run.';

/** Input and output tokens; nothing was cached. Null: the format does not count them. */
type Tokens = readonly [input: number, output: number] | null;
type Row = readonly [
  outcome: 'completed' | 'failed',
  message: string,
  tokens: Tokens,
  model: string | null,
  /** Calls that were started, completed and failed. */
  calls: readonly [number, number, number],
  messages: number,
  warnings: number,
];

const CLAUDE = 'claude-sonnet-4-5';
const GEMINI = 'gemini-2.5-pro';

/** By runner and file. */
const EXPECTED: Readonly<Record<string, Row>> = {
  // One line of it is no JSON: a home folder was struck out within an escape.
  'claude-code stream-json-main.jsonl': ['completed', 'bye', [330, 330], CLAUDE, [31, 18, 12], 1, 1],
  'claude-code stream-json-subagent-2.1.197.jsonl': ['completed', 'main waits', [220, 220], CLAUDE, [13, 11, 2], 1, 0],
  // Two results: a task in the background ended after the first.
  'claude-code stream-json-subagent.jsonl': ['completed', 'bye', [230, 230], CLAUDE, [13, 11, 2], 2, 0],
  'codex exec-0.42.0-legacy-json.jsonl': ['completed', DONE, [200, 20], 'gpt-mock', [1, 1, 0], 1, 0],
  'codex exec-0.42.0-experimental-json.jsonl': ['completed', DONE, null, null, [1, 1, 0], 1, 0],
  'codex exec-0.98.0-shell.jsonl': ['completed', DONE, [200, 20], null, [1, 1, 0], 2, 0],
  'codex exec-0.130.0-shell.jsonl': ['completed', DONE, [200, 20], null, [1, 1, 0], 2, 0],
  'codex exec-0.169.0-shell.jsonl': ['completed', DONE, [200, 20], null, [1, 1, 0], 2, 1],
  'codex exec-0.169.0-codemode.jsonl': ['completed', DONE, [300, 30], null, [5, 4, 0], 1, 2],
  // What the hook denied is not in the stream.
  'codex exec-0.169.0-hook-denied.jsonl': ['completed', DONE, [200, 20], null, [0, 0, 0], 1, 3],
  'codex exec-0.169.0-interim-messages-tools.jsonl': ['completed', DONE, [800, 80], null, [3, 3, 0], 1, 2],
  'codex exec-0.169.0-malformed-agent.jsonl': ['completed', DONE, [300, 30], null, [1, 0, 0], 1, 4],
  'codex exec-0.169.0-subagent.jsonl': ['completed', DONE, [300, 30], null, [2, 2, 0], 1, 2],
  'codex exec-0.169.0-turn-failed.jsonl': ['failed', BUSY, null, null, [1, 0, 1], 1, 2],
  'copilot-cli json-allow-deny-tool.jsonl': ['completed', DONE, null, 'mock', [10, 2, 8], 1, 0],
  'copilot-cli json-hook-denied.jsonl': ['completed', DONE, null, 'mock', [1, 0, 1], 1, 0],
  'copilot-cli json-shell.jsonl': ['completed', DONE, null, 'mock', [1, 1, 0], 1, 0],
  'copilot-cli json-subagent.jsonl': ['completed', DONE, null, 'mock', [3, 2, 1], 1, 0],
  'gemini-cli stream-json-hook-denied.jsonl': ['completed', DONE, [200, 20], GEMINI, [1, 0, 1], 1, 0],
  'gemini-cli stream-json-policy.jsonl': ['completed', DONE, [1500, 150], GEMINI, [14, 3, 11], 1, 0],
  'gemini-cli stream-json-shell.jsonl': ['completed', DONE, [200, 20], GEMINI, [1, 1, 0], 1, 0],
  'gemini-cli stream-json-subagent.jsonl': ['completed', DONE, [400, 40], GEMINI, [1, 1, 0], 1, 0],
  'opencode json-ask-autoreject.jsonl': ['failed', REJECTED, [200, 20], null, [0, 1, 1], 0, 0],
  'opencode json-permission-deny.jsonl': ['completed', DONE, [1500, 150], null, [0, 6, 8], 1, 0],
  'opencode json-plugin-deny.jsonl': ['completed', DONE, [200, 20], null, [0, 0, 1], 1, 0],
  'opencode json-shell.jsonl': ['completed', DONE, [200, 20], null, [0, 1, 0], 1, 0],
  'qwen-code stream-json-permissions.jsonl': ['completed', 'done', [1000, 100], 'mock', [8, 7, 1], 2, 0],
  'qwen-code stream-json-shell.jsonl': ['completed', DONE, [200, 20], 'mock', [1, 1, 0], 1, 0],
};

function rowOf(events: readonly StreamEvent[]): Row {
  const { outcome, message, usage } = finalOf(events);
  const phases = (wanted: string) => events.filter((event) => event.kind === 'tool' && event.phase === wanted).length;
  const kinds = (wanted: string) => events.filter(({ kind }) => kind === wanted).length;
  const started = events.find((event) => event.kind === 'started');
  return [
    outcome,
    message ?? '',
    usage === null ? null : [usage.input, usage.output],
    started?.model ?? null,
    [phases('started'), phases('completed'), phases('failed')],
    kinds('message'),
    kinds('warning'),
  ];
}

test('every recorded stream is in the table, and the other way round', () => {
  assert.equal(recordings.map(({ runner, file }) => `${runner} ${file}`).sort(), Object.keys(EXPECTED).sort());
});

for (const { runner, file, bytes } of recordings) {
  const exit = file.includes('turn-failed') ? { code: 1, signal: null } : OK;
  test(`${runner}: ${file}`, () => {
    const events = eventsOf(runner, [bytes], exit);
    assert.equal(rowOf(events), EXPECTED[`${runner} ${file}`]);
    assert.is(events.filter(({ kind }) => kind === 'started').length, 1);
    assert.is(finalOf(events).usage?.cachedInput ?? 0, 0);
    for (const event of events) {
      const line = runEventLine(event);
      assert.ok(validateRunEvent(JSON.parse(line)), `${line}: ${JSON.stringify(validateRunEvent.errors)}`);
    }
  });
}

test('the schema refuses another kind, another version and a field too many', () => {
  const event = { version: 1, kind: 'message', text: 'x' };
  assert.ok(validateRunEvent(event));
  for (const change of [{ kind: 'other' }, { version: 2 }, { more: 1 }, { text: '' }])
    assert.not.ok(validateRunEvent({ ...event, ...change }), JSON.stringify(change));
});

/** The events as one text, which compares faster than they do. */
const written = (events: readonly StreamEvent[]) => events.map(runEventLine).join('\n');

/** The lines of a stream, each with its end. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}

/** A line without its values, so that lines which differ only in these are the same. */
function formOf(line: Buffer): string {
  return line.toString('latin1').replace(/:"(?:[^"\\]|\\.)*"|:-?[\d.]+/g, ':');
}

/**
 * Longer recordings are cut line by line, each between pieces of its neighbours, and one of the lines that differ only in values: as a
 * whole at every byte would take minutes.
 */
const SHORT = 1500;
/** Bytes of a neighbour. */
const NEAR = 200;

function stretches({ bytes }: Recording): readonly { readonly bytes: Buffer; readonly from: number; readonly to: number }[] {
  if (bytes.length <= SHORT) return [{ bytes, from: 0, to: bytes.length }];
  const lines = linesOf(bytes);
  const seen = new Set<string>();
  return lines.flatMap((line, index) => {
    const form = formOf(line);
    if (seen.has(form)) return [];
    seen.add(form);
    const before = (lines[index - 1] ?? Buffer.alloc(0)).subarray(-NEAR);
    const after = (lines[index + 1] ?? Buffer.alloc(0)).subarray(0, NEAR);
    return [{ bytes: Buffer.concat([before, line, after]), from: before.length, to: before.length + line.length }];
  });
}

for (const recorded of recordings) {
  const { runner, file } = recorded;
  test(`${runner}: ${file} in two chunks is the same as in one, wherever it is cut`, () => {
    for (const { bytes, from, to } of stretches(recorded)) {
      const whole = written(eventsOf(runner, [bytes]));
      for (let cut = from; cut <= to; cut += 1) {
        const parts = eventsOf(runner, [bytes.subarray(0, cut), bytes.subarray(cut)]);
        if (written(parts) !== whole) assert.is(written(parts), whole, `cut at byte ${cut}`);
      }
    }
  });

  test(`${runner}: ${file} has one final event wherever it ends, and is completed only once it said so`, () => {
    for (const { bytes, from, to } of stretches(recorded)) {
      const outcomes: string[] = [];
      for (let cut = from; cut <= to; cut += 1) {
        const finals = finalsOf(eventsOf(runner, [bytes.subarray(0, cut)], KILLED));
        if (finals.length !== 1) assert.is(finals.length, 1, `cut at byte ${cut}`);
        outcomes.push(finals[0]?.outcome ?? '');
      }
      const first = outcomes.indexOf('completed');
      assert.ok(first === -1 || outcomes.slice(first).every((outcome) => outcome === 'completed'));
      assert.is(outcomes[0] === 'completed' && from === 0, false, 'nothing is not completed');
    }
  });
}

test.run();
