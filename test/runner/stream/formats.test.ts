/** What single lines of each runner mean, beyond what was recorded whole. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StreamEvent } from '../../../src/runner/stream/stream-event.js';
import { eventsOfLines, finalOf, OK, warningsOf } from './reading.js';

const kinds = (events: readonly StreamEvent[], kind: StreamEvent['kind']) => events.filter((event) => event.kind === kind);
const FAILED = { code: 1, signal: null };

const message = (text: string) => ({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } });
const item = (fields: object, type = 'item.completed') => ({ type, item: { id: 'i', ...fields } });

test('codex: the tool and the summary of each kind of item', () => {
  const rows: readonly (readonly [object, string, string | null, 'completed' | 'failed'])[] = [
    [{ type: 'command_execution', command: 'ls', status: 'completed' }, 'command_execution', 'ls', 'completed'],
    [{ type: 'command_execution', command: 'ls', status: 'declined' }, 'command_execution', 'ls', 'failed'],
    [{ type: 'file_change', changes: [{ path: '/a' }, { path: '/b' }], status: 'failed' }, 'file_change', '/a, /b', 'failed'],
    [{ type: 'mcp_tool_call', server: 's', tool: 't', status: 'completed' }, 'mcp__s__t', null, 'completed'],
    [{ type: 'collab_tool_call', tool: 'wait', prompt: null, status: 'completed' }, 'wait', null, 'completed'],
    [{ type: 'web_search', query: 'q' }, 'web_search', 'q', 'completed'],
    [{ type: 'new_kind_of_call', status: 'completed' }, 'new_kind_of_call', null, 'completed'],
  ];
  for (const [fields, tool, summary, phase] of rows)
    assert.equal(eventsOfLines('codex', [item(fields)])[0], { kind: 'tool', id: 'i', tool, phase, summary });
  for (const type of ['reasoning', 'todo_list', 'plan'])
    assert.equal(kinds(eventsOfLines('codex', [item({ type, text: 'x', items: [] })]), 'tool'), [], type);
});

test('codex: an error that is tried again is no end, and the last one is the reason of a run that failed without a final line', () => {
  const error = { type: 'error', message: 'Reconnecting... 1/5' };
  const done = { type: 'turn.completed', usage: {} };
  assert.is(finalOf(eventsOfLines('codex', [error, message('Done.'), done])).outcome, 'completed');
  assert.is(finalOf(eventsOfLines('codex', [message('Done.'), error], FAILED)).message, 'Reconnecting... 1/5');
  const killed = finalOf(eventsOfLines('codex', [error], { code: null, signal: 'SIGKILL' }));
  assert.is(killed.message, 'Signal SIGKILL ended the runner before it gave a result.');
});

test('codex 0.42: completed by exit code 0, unless an error was the last word', () => {
  const said = { id: '0', msg: { type: 'agent_message', message: 'Done.' } };
  const error = { id: '0', msg: { type: 'error', message: 'no' } };
  const complete = { id: '0', msg: { type: 'task_complete', last_agent_message: 'Done.' } };
  const ends = (lines: readonly object[], exit = OK) => {
    const { outcome, message: words } = finalOf(eventsOfLines('codex', lines, exit));
    return [outcome, words];
  };
  assert.equal(ends([said]), ['completed', 'Done.']);
  assert.equal(ends([said, error]), ['failed', 'no']);
  assert.equal(ends([error, said]), ['completed', 'Done.']);
  assert.equal(ends([said], FAILED), ['failed', 'The runner ended with exit code 1 without giving a result.']);
  assert.equal(ends([complete], FAILED), ['completed', 'Done.']);
  assert.equal(ends([{ id: '0', msg: { type: 'turn_aborted', reason: 'interrupted' } }]), [
    'failed',
    'The turn was ended: interrupted.',
  ]);
});

test('codex 0.42: patches and calls of MCP tools', () => {
  const events = eventsOfLines('codex', [
    { msg: { type: 'patch_apply_begin', call_id: 'a', changes: { '/x': {}, '/y': {} } } },
    { msg: { type: 'patch_apply_end', call_id: 'a', success: false } },
    { msg: { type: 'mcp_tool_call_begin', call_id: 'b', invocation: { server: 's', tool: 't' } } },
    { msg: { type: 'mcp_tool_call_end', call_id: 'b', result: { Ok: {} } } },
  ]);
  assert.equal(
    kinds(events, 'tool').map((event) => event.kind === 'tool' && [event.tool, event.phase, event.summary]),
    [
      ['file_change', 'started', '/x, /y'],
      ['file_change', 'failed', '/x, /y'],
      ['mcp__s__t', 'started', null],
      ['mcp__s__t', 'completed', null],
    ],
  );
});

const answer = (id: string, usage: object, parent: string | null = null, content: readonly object[] = []) => ({
  ...{ type: 'assistant', parent_tool_use_id: parent },
  message: { id, content, usage },
});
const result = (fields: object = {}) => ({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', ...fields });

test('claude-code: an answer is counted once, however many lines tell of it and whoever speaks in between', () => {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 1 };
  const lines = [
    answer('m1', usage),
    answer('s1', { input_tokens: 7, output_tokens: 1 }, 'toolu_1'),
    answer('m1', { ...usage, output_tokens: 4 }),
    answer('s1', { input_tokens: 7, output_tokens: 1 }, 'toolu_1'),
    answer('m2', usage),
  ];
  const sums = kinds(eventsOfLines('claude-code', lines), 'usage').map((event) => event.kind === 'usage' && event.usage);
  assert.equal(sums, [
    { input: 115, cachedInput: 100, output: 1 },
    { input: 122, cachedInput: 100, output: 2 },
    { input: 122, cachedInput: 100, output: 5 },
    { input: 237, cachedInput: 200, output: 6 },
  ]);
});

test('claude-code: the result counts all models, and the tokens of a cache are input', () => {
  const model = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 10, cacheCreationInputTokens: 100 };
  const usageOf = (fields: object) => finalOf(eventsOfLines('claude-code', [result(fields)])).usage;
  assert.equal(usageOf({ modelUsage: { a: model, b: model } }), { input: 222, cachedInput: 20, output: 4 });
  assert.equal(usageOf({ usage: { input_tokens: 1, cache_read_input_tokens: 10, output_tokens: 2 } }), {
    ...{ input: 11, cachedInput: 10, output: 2 },
  });
  assert.is(usageOf({}), null);
});

test('claude-code and qwen-code: of several results the last one counts, and one that failed says why', () => {
  for (const runner of ['claude-code', 'qwen-code'] as const) {
    const ends = (...lines: readonly object[]) => {
      const { outcome, message: words } = finalOf(eventsOfLines(runner, lines));
      return [outcome, words];
    };
    assert.equal(ends(result(), result({ result: 'Later.' })), ['completed', 'Later.']);
    assert.equal(ends(result(), result({ subtype: 'error_max_turns', result: undefined })), ['failed', 'error_max_turns']);
    assert.equal(ends(result({ is_error: true, result: 'API Error' })), ['failed', 'API Error']);
    const errors = { subtype: 'error_during_execution', is_error: true, result: undefined };
    assert.equal(ends(result({ ...errors, errors: ['a', 'b'] })), ['failed', 'a\nb']);
    assert.equal(ends(result({ ...errors, error: { message: 'c' } })), ['failed', 'c']);
    assert.equal(ends({ type: 'result' }), ['failed', null], 'a result that does not call itself a success is none');
  }
});

test('claude-code: a goal that the hook refused is no work that was done', () => {
  const refused = 'UserPromptExpansion operation blocked by hook:\npolicy denied Skill: why\n\nOriginal prompt: /hi';
  const { outcome, message: words } = finalOf(eventsOfLines('claude-code', [result({ result: refused })]));
  assert.equal([outcome, words], ['failed', 'the goal was refused: policy denied Skill: why']);
  assert.is(finalOf(eventsOfLines('claude-code', [result({ result: `It says: ${refused}` })])).outcome, 'completed');
});

test('claude-code: only the main agent has messages, and all agents have calls', () => {
  const blocks = [
    { type: 'text', text: 'Hello' },
    { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
  ];
  const main = eventsOfLines('claude-code', [answer('m', {}, null, blocks)]);
  const sub = eventsOfLines('claude-code', [answer('m', {}, 'toolu_1', blocks)]);
  assert.equal(kinds(main, 'message'), [{ kind: 'message', text: 'Hello' }]);
  assert.equal(kinds(sub, 'message'), []);
  assert.equal(kinds(main, 'tool'), [{ kind: 'tool', id: 't', tool: 'Bash', phase: 'started', summary: 'ls' }]);
  assert.equal(kinds(sub, 'tool'), kinds(main, 'tool'));
});

test('a call whose beginning was lost is told of all the same', () => {
  const content = [{ type: 'tool_result', tool_use_id: 'lost', is_error: true }];
  const events = eventsOfLines('claude-code', [{ type: 'user', message: { content } }]);
  assert.equal(events[0], { kind: 'tool', id: 'lost', tool: 'unknown', phase: 'failed', summary: null });
});

test('the calls that are awaited are bounded: of many the first are forgotten', () => {
  const call = (id: number) => ({
    type: 'tool_use',
    tool_id: `${id}`,
    tool_name: 'read_file',
    parameters: { file_path: `/${id}` },
  });
  const ended = (id: number) => ({ type: 'tool_result', tool_id: `${id}`, status: 'success' });
  const calls = Array.from({ length: 1001 }, (_, index) => call(index));
  const tools = kinds(eventsOfLines('gemini-cli', [...calls, ended(0), ended(1000)]), 'tool').slice(-2);
  assert.equal(
    tools.map((event) => event.kind === 'tool' && [event.tool, event.summary]),
    [
      ['unknown', null],
      ['read_file', '/1000'],
    ],
  );
});

const part = (content: string, delta = true) => ({ type: 'message', role: 'assistant', content, delta });

test('gemini-cli: the parts of a message make one, whatever ends it', () => {
  const success = { type: 'result', status: 'success', stats: { input_tokens: 5, cached: 3, output_tokens: 2 } };
  const texts = (lines: readonly unknown[]) =>
    kinds(eventsOfLines('gemini-cli', lines), 'message').map((event) => event.kind === 'message' && event.text);
  const call = { type: 'tool_use', tool_id: 'a', tool_name: 't', parameters: {} };
  const asked = { type: 'message', role: 'user', content: 'go' };
  assert.equal(texts([part('a'), part('b'), success]), ['ab']);
  assert.equal(texts([part('a'), 'foreign', { type: 'error', message: 'w' }, part('b'), success]), ['ab']);
  assert.equal(texts([part('a'), call, part('b'), success]), ['a', 'b']);
  assert.equal(texts([part('a'), asked, part('b'), success]), ['a', 'b']);
  assert.equal(texts([part('a'), part('whole', false), success]), ['a', 'whole']);
  assert.equal(texts([part('a'), part('b')]), ['ab'], 'even the end of the output');
  const final = finalOf(eventsOfLines('gemini-cli', [part('a'), success]));
  assert.equal(final, { kind: 'final', outcome: 'completed', message: 'a', usage: { input: 5, cachedInput: 3, output: 2 } });
});

test('gemini-cli: an error in between is a warning, and a result with an error is the end', () => {
  const failed = { type: 'result', status: 'error', error: { type: 'x', message: 'Too many turns' } };
  const events = eventsOfLines('gemini-cli', [{ type: 'error', severity: 'warning', message: 'Loop' }, failed], FAILED);
  assert.equal(warningsOf(events), ['Loop']);
  assert.equal(finalOf(events), { kind: 'final', outcome: 'failed', message: 'Too many turns', usage: null });
});

test('copilot-cli: the exit code in the result decides', () => {
  const said = { type: 'assistant.message', data: { content: 'Done.' } };
  const error = { type: 'session.error', data: { message: 'No quota' } };
  const ends = (...lines: readonly object[]) => {
    const { outcome, message: words } = finalOf(eventsOfLines('copilot-cli', lines));
    return [outcome, words];
  };
  assert.equal(ends(said, { type: 'result', exitCode: 0 }), ['completed', 'Done.']);
  assert.equal(ends(said, { type: 'result', exitCode: 2 }), ['failed', 'Copilot CLI ended with exit code 2.']);
  assert.equal(ends(said, error, { type: 'result', exitCode: 2 }), ['failed', 'No quota']);
  assert.equal(ends(said, { type: 'result' }), ['failed', 'Copilot CLI ended with no exit code.']);
  const sub = { ...said, agentId: 'a', data: { content: 'sub done' } };
  assert.equal(ends(said, sub, { type: 'result', exitCode: 0 }), ['completed', 'Done.']);
});

test('opencode: completed by exit code 0 after a step that ended by itself', () => {
  const begin = { type: 'step_start', sessionID: 's', part: {} };
  const text = { type: 'text', sessionID: 's', part: { text: 'Done.' } };
  const tokens = { input: 1, output: 2, reasoning: 4, cache: { read: 10, write: 100 } };
  const finish = (reason: string) => ({ type: 'step_finish', sessionID: 's', part: { reason, tokens } });
  const ends = (lines: readonly object[], exit = OK) => finalOf(eventsOfLines('opencode', lines, exit));
  const usage = { input: 111, cachedInput: 10, output: 6 };
  assert.equal(ends([begin, text, finish('stop')]), { kind: 'final', outcome: 'completed', message: 'Done.', usage });
  for (const reason of ['tool-calls', 'length', 'content-filter', 'error'])
    assert.is(ends([begin, text, finish(reason)]).outcome, 'failed', reason);
  assert.is(ends([begin, text, finish('toString')]).outcome, 'completed', 'a reason that nobody knows');
  assert.is(ends([begin, text]).outcome, 'failed', 'a step that has not ended');
  assert.is(ends([begin, text, finish('stop')], FAILED).outcome, 'failed');
  const error = { type: 'error', sessionID: 's', error: { name: 'APIError', data: { message: 'No key' } } };
  const failed = eventsOfLines('opencode', [begin, text, finish('stop'), error], OK);
  assert.equal([finalOf(failed).outcome, finalOf(failed).message, warningsOf(failed)], ['failed', 'No key', ['No key']]);
});

test('summaries and names are short', () => {
  const long = 'x'.repeat(1000);
  const [event] = eventsOfLines('codex', [item({ type: 'command_execution', command: long, status: 'completed', id: long })]);
  assert.ok(event?.kind === 'tool');
  assert.is(event.summary, `${'x'.repeat(199)}\u2026`);
  assert.is(event.id?.length, 200);
  const astral = `${'x'.repeat(198)}\ud83d\ude00\ud83d\ude00`;
  const [cut] = eventsOfLines('codex', [item({ type: 'command_execution', command: astral, status: 'completed' })]);
  assert.is(cut?.kind === 'tool' && cut.summary, `${'x'.repeat(198)}\u2026`, 'no half of a character');
});

test('lines that are passed over unparsed come to nothing when they are parsed', () => {
  const rows = {
    codex: ['turn.started', 'item.updated'],
    'copilot-cli': [
      'assistant.message_delta',
      'session.background_tasks_changed',
      'tool.shell_output',
      'user.message',
      'model.call_start',
    ],
    'claude-code': ['stream_event'],
    opencode: ['reasoning'],
  } as const;
  for (const [runner, types] of Object.entries(rows) as readonly (readonly [keyof typeof rows, readonly string[]])[])
    for (const type of types) {
      const line = { type, data: { content: 'x' }, item: { type: 'agent_message', text: 'x' }, part: { text: 'x' } };
      for (const text of [JSON.stringify(line), ` ${JSON.stringify(line)}`])
        assert.equal(
          eventsOfLines(runner, [text]).map(({ kind }) => kind),
          ['final'],
          `${runner} ${text}`,
        );
    }
});

test.run();
