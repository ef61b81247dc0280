/**
 * A model on the loopback interface that says what a scenario tells it to: Anthropic Messages, OpenAI Responses and Chat
 * Completions, Gemini streamGenerateContent, each as a stream. A conversation names its scenario in its first message (`SCENARIO:name`); its next
 * turn is told by how many results of tools it already holds, so that the order in which agents ask does not matter.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the model makes: the client's own name of the tool, and its input. */
export interface ModelCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The turns of each conversation: calls to make together; after the last one the model says goodbye. */
export type Scenarios = Readonly<Record<string, readonly (readonly ModelCall[])[]>>;

export interface MockModel {
  readonly url: string;
  /** Every request body, as text, in the order they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

interface Turn {
  readonly calls: readonly ModelCall[];
  readonly id: string;
}

/** Starts it on a free port. */
export async function startMockModel(scenarios: Scenarios): Promise<MockModel> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, scenarios, requests);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scenarios: Scenarios,
  requests: string[],
): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const path = request.url ?? '';
  if (request.method !== 'POST' || text === '')
    return json(response, path.includes('models') ? { models: [], data: [], object: 'list' } : {});
  requests.push(text);
  const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (path.includes('/messages/count_tokens')) return json(response, { input_tokens: 10 });
  if (path.includes('/messages'))
    return events(
      response,
      anthropic(turnOf(body.messages, scenarios, '"tool_result"', body.tools !== undefined), body.model),
      true,
    );
  if (path.includes('/responses')) return events(response, responses(turnOf(body.input, scenarios, 'call_output"', true)), true);
  if (path.includes('/chat/completions')) {
    const turn = turnOf(body.messages, scenarios, '"role":"tool"', body.tools !== undefined);
    return body.stream === true
      ? events(response, chat(turn), false)
      : json(response, { choices: [{ message: { role: 'assistant', content: 'ok' } }] });
  }
  if (path.includes(':streamGenerateContent'))
    return events(response, gemini(turnOf(body.contents, scenarios, '"functionResponse"', true)), false);
  if (path.includes(':generateContent')) return json(response, gemini({ calls: [], id: '0' })[0] ?? {});
  return json(response, {});
}

/** What the conversation comes to next. `mark` is how its results of tools are told. */
function turnOf(conversation: unknown, scenarios: Scenarios, mark: string, withTools: boolean): Turn {
  const messages = Array.isArray(conversation) ? conversation : [];
  const text = JSON.stringify(messages);
  const name = /SCENARIO:([\w-]+)/.exec(text)?.[1] ?? '';
  const turns = withTools ? (scenarios[name] ?? []) : [];
  const results = rounds(messages, mark);
  return { calls: turns[results] ?? [], id: `${name}_${results}` };
}

/** How many times results came back: those of one round may be items of their own, or parts of one message. */
function rounds(messages: readonly unknown[], mark: string): number {
  let count = 0;
  let before = false;
  for (const message of messages) {
    const text = JSON.stringify(message);
    const isResult = text.includes(mark);
    if (isResult && !before) count += 1;
    before = isResult;
  }
  return count;
}

type Event = Readonly<Record<string, unknown>>;

/** What every answer of the model costs: 100 tokens in, 30 written to the cache, 500 read from it, 20 out, 5 of these to think. */
const FRESH = 130;
const CACHED = 500;
const OUT = 20;
const THOUGHT = 5;
const ALL_IN = FRESH + CACHED;

function anthropic({ calls, id }: Turn, model: unknown): Event[] {
  const usage = {
    input_tokens: FRESH - 30,
    output_tokens: 1,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: CACHED,
  };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const blocks = calls.map(({ tool, input }, index): Event[] => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${id}_${index}`, name: tool, input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
    { type: 'content_block_stop', index },
  ]);
  const words: Event[] = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'bye' } },
    { type: 'content_block_stop', index: 0 },
  ];
  const stop = calls.length === 0 ? 'end_turn' : 'tool_use';
  return [
    { type: 'message_start', message },
    ...(calls.length === 0 ? words : blocks.flat()),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: OUT } },
    { type: 'message_stop' },
  ];
}

function responses({ calls, id }: Turn): Event[] {
  const response = { id: `resp_${id}`, object: 'response', status: 'in_progress', output: [] };
  const items = calls.map(({ tool, input }, index): Event => {
    const [namespace, name] = tool.includes('.') ? tool.split('.', 2) : [undefined, tool];
    return {
      ...{ type: 'function_call', id: `fc_${id}_${index}`, call_id: `call_${id}_${index}`, name },
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(input),
    };
  });
  const words: Event = { type: 'message', role: 'assistant', id: `msg_${id}`, content: [{ type: 'output_text', text: 'bye' }] };
  const usage = {
    input_tokens: ALL_IN,
    input_tokens_details: { cached_tokens: CACHED },
    output_tokens: OUT,
    output_tokens_details: { reasoning_tokens: THOUGHT },
    total_tokens: ALL_IN + OUT,
  };
  return [
    { type: 'response.created', response },
    ...(items.length === 0 ? [words] : items).map(
      (item, at): Event => ({ type: 'response.output_item.done', output_index: at, item }),
    ),
    { type: 'response.completed', response: { ...response, status: 'completed', usage } },
  ];
}

function chat({ calls, id }: Turn): Event[] {
  const chunk = (delta: Event, finish: string | null): Event => ({
    ...{ id: `chat_${id}`, object: 'chat.completion.chunk', created: 0, model: 'mock' },
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage: {
      prompt_tokens: ALL_IN,
      prompt_tokens_details: { cached_tokens: CACHED },
      completion_tokens: OUT,
      completion_tokens_details: { reasoning_tokens: THOUGHT },
      total_tokens: ALL_IN + OUT,
    },
  });
  if (calls.length === 0) return [chunk({ role: 'assistant', content: 'bye' }, null), chunk({}, 'stop')];
  const called = calls.map(({ tool, input }, index) => ({
    ...{ index, id: `call_${id}_${index}`, type: 'function' },
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  return [chunk({ role: 'assistant', tool_calls: called }, null), chunk({}, 'tool_calls')];
}

function gemini({ calls }: Turn): Event[] {
  const parts =
    calls.length === 0 ? [{ text: 'bye' }] : calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } }));
  const usageMetadata = {
    promptTokenCount: ALL_IN,
    cachedContentTokenCount: CACHED,
    candidatesTokenCount: OUT - THOUGHT,
    thoughtsTokenCount: THOUGHT,
    totalTokenCount: ALL_IN + OUT,
  };
  return [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata }];
}

/** Server-sent events; those of Gemini and Chat Completions carry no name. */
function events(response: ServerResponse, all: readonly Event[], named: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of all) response.write(`${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
