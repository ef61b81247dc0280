// The gateway between a client and a server, without processes: what becomes of each message.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Judge, Session, type SessionOptions, type Step } from '../../src/gateway/session/session.js';
import { edited, edits, SMUGGLED } from './smuggling.js';

const test = suite('a session of the gateway');

interface Ended {
  readonly tool: string;
  readonly result: string;
}

/** A judge that allows what reads, asks about what writes and denies the rest; with what it was told about the ends of calls. */
function judging(): { readonly judge: Judge; readonly judged: string[]; readonly ended: Ended[] } {
  const ended: Ended[] = [];
  const judged: string[] = [];
  return {
    judged,
    ended,
    judge: {
      visible: (tools) => new Set(tools.filter((tool) => tool !== 'move_file')),
      isDenied: ({ input }) => input.path === 'denied by now',
      judge: ({ tool }) => {
        judged.push(tool);
        const effect = tool.startsWith('read') || tool === 'resources:read' ? 'allow' : tool.startsWith('write') ? 'ask' : 'deny';
        return { effect, text: `${tool} is judged`, end: (result) => ended.push({ tool, result }) };
      },
    },
  };
}

function sessionWith(options: Partial<SessionOptions> = {}) {
  const parts = judging();
  return { ...parts, session: new Session({ judge: parts.judge, server: 'fs', denyAs: 'result', ...options }) };
}

type Sent = Record<string, unknown> & { readonly params?: Record<string, unknown>; readonly result?: Record<string, unknown> };

function sent(step: Step): Sent {
  assert.is.not(step.to, 'nobody', step.to === 'nobody' ? step.why : '');
  return step.to === 'nobody' ? {} : JSON.parse(step.text);
}

const call = (name: string, id: number | string = 1, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { path: 'a' }, ...more } });
const result = (id: number | string, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value });
const initialize = (capabilities: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: {} },
  });

test('at least 150 smuggled messages of many kinds', () => {
  assert.ok(SMUGGLED.length >= 150, String(SMUGGLED.length));
  assert.ok(new Set(SMUGGLED.map(({ kind }) => kind)).size >= 25);
});

/** Whether a strict reader takes this text for a call of `move_file` or for no message. */
function isForbidden(text: string): boolean {
  const message = JSON.parse(text);
  if (Array.isArray(message)) return true;
  const { method, params } = message;
  return method === 'tools/call' ? !(params.name === 'read_file') : !['ping', 'notifications/progress'].includes(method);
}

for (const { kind, text } of SMUGGLED)
  test(`${kind}: ${JSON.stringify(text.slice(0, 90))}`, () => {
    const step = sessionWith().session.fromClient(text);
    if (step.to !== 'server') return;
    assert.not(isForbidden(step.text), step.text);
    // The server reads lines, and some end them where JSON does not.
    assert.not.match(step.text, /[\r\n]/);
    assert.is(JSON.stringify(JSON.parse(step.text)), step.text, 'it is written by this program');
  });

test('a call that is allowed reaches the server, and its result the client; both are logged', () => {
  const { session, ended } = sessionWith();
  assert.equal(sent(session.fromClient(call('read_file'))), JSON.parse(call('read_file')));
  assert.equal(ended, []);
  const answer = session.fromServer(result(1, { content: [{ type: 'text', text: 'x' }] }));
  assert.is(answer.to, 'client');
  assert.equal(ended, [{ tool: 'read_file', result: 'success' }]);
  assert.is(session.fromServer(result(1, {})).to, 'nobody', 'it is answered once');
});

test('whether a call succeeded is told by isError (R257)', () => {
  const { session, ended } = sessionWith();
  session.fromClient(call('read_file'));
  session.fromServer(result(1, { isError: true, content: [] }));
  assert.equal(ended, [{ tool: 'read_file', result: 'error' }]);
});

const DENIALS = [
  ['result', (answer: Sent) => answer.result?.isError === true && JSON.stringify(answer.result).includes('move_file is judged')],
  ['error', (answer: Sent) => JSON.stringify(answer.error).includes('move_file is judged')],
  ['hidden', (answer: Sent) => JSON.stringify(answer.error) === '{"code":-32602,"message":"Unknown tool: move_file"}'],
] as const;
for (const [denyAs, holds] of DENIALS)
  test(`a denial as ${denyAs}: the server hears nothing of it (R236)`, () => {
    const { session, ended } = sessionWith({ denyAs });
    const step = session.fromClient(call('move_file'));
    assert.is(step.to, 'client');
    assert.ok(holds(sent(step)), JSON.stringify(step));
    assert.equal(ended, [{ tool: 'move_file', result: 'denied' }]);
  });

test('a denial of 2026-07-28 says that it is a complete result', () => {
  const { session } = sessionWith();
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  assert.is(sent(session.fromClient(call('move_file', 1, { _meta }))).result?.resultType, 'complete');
  assert.is(sent(session.fromClient(call('move_file', 2))).result?.resultType, undefined);
});

test('a question goes to the person where the client can ask, and the call waits for the answer', () => {
  for (const [action, to, end] of [
    ['accept', 'server', []],
    ['decline', 'client', ['denied']],
    ['cancel', 'client', ['denied']],
  ] as const) {
    const { session, ended } = sessionWith();
    session.fromClient(initialize({ elicitation: {} }));
    const question = sent(session.fromClient(call('write_file')));
    assert.is(question.method, 'elicitation/create');
    assert.is(question.params?.message, 'write_file is judged');
    // Nobody else may answer it, the server least of all.
    assert.is(session.fromServer(result(String(question.id), { action: 'accept' })).to, 'nobody');
    assert.is(session.fromServer(result(1, { content: [] })).to, 'nobody');
    assert.is(session.fromClient(result(String(question.id), { action })).to, to);
    assert.equal(
      ended.map((one) => one.result),
      end,
    );
    assert.is(session.fromClient(result(String(question.id), { action: 'accept' })).to, 'nobody', 'a question is answered once');
  }
});

test('a question of 2026-07-28 is a result, and the answer comes with the same call again', () => {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const again = (id: number, requestState: unknown, more: object) =>
    call(String('write_file'), id, { _meta, requestState, inputResponses: { policy: { action: 'accept' } }, ...more });
  for (const [more, to, end] of [
    [{}, 'server', []],
    [{ inputResponses: { policy: { action: 'decline' } } }, 'client', ['denied']],
    [{ inputResponses: {} }, 'client', ['denied']],
    [{ name: 'read_file' }, 'client', []],
    [{ arguments: { path: 'b' } }, 'client', []],
    [{ task: { ttl: 1 } }, 'client', []],
  ] as const) {
    const { session, ended } = sessionWith();
    const asked = sent(session.fromClient(call('write_file', 1, { _meta })));
    assert.is(asked.result?.resultType, 'input_required');
    assert.match(JSON.stringify(asked.result?.inputRequests), /"message":"write_file is judged"/);
    const state = asked.result?.requestState;
    const step = session.fromClient(again(2, state, more));
    assert.is(step.to, to, JSON.stringify(more));
    // The server hears nothing of the question.
    if (step.to === 'server') assert.equal(sent(step).params, { name: 'write_file', arguments: { path: 'a' }, _meta });
    assert.equal(
      ended.map((one) => one.result),
      end,
    );
    assert.match(JSON.stringify(sent(session.fromClient(again(3, state, {})))), /nobody was asked/);
  }
  // A state of the server is the server's.
  assert.is(sessionWith().session.fromClient(call('read_file', 1, { requestState: 'x', inputResponses: {} })).to, 'server');
});

test('who agreed to one subscription did not agree to another', () => {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const listen = (id: number, uri: string, more: object = {}) =>
    JSON.stringify({
      ...{ jsonrpc: '2.0', id, method: 'subscriptions/listen' },
      params: { _meta, notifications: { resourceSubscriptions: [uri] }, ...more },
    });
  for (const [uri, to] of [
    ['file:///a', 'server'],
    ['file:///b', 'client'],
  ] as const) {
    const { session } = sessionWith({ judge: asking });
    const { requestState } = sent(session.fromClient(listen(1, 'file:///a'))).result ?? {};
    assert.type(requestState, 'string');
    const yes = { requestState, inputResponses: { policy: { action: 'accept' } } };
    assert.is(session.fromClient(listen(2, uri, yes)).to, to);
  }
});

/** Asks about every call. */
const asking: Judge = {
  judge: () => ({ effect: 'ask', text: 'asked', end: () => {} }),
  isDenied: () => false,
  visible: (tools) => new Set(tools),
};

test('a call that the policy denies by now is not made, although the person agreed', () => {
  const denied = (more: object) => call('write_file', 1, { arguments: { path: 'denied by now' }, ...more });
  const { session, ended } = sessionWith();
  session.fromClient(initialize({ elicitation: {} }));
  const question = sent(session.fromClient(denied({})));
  assert.is(session.fromClient(result(String(question.id), { action: 'accept' })).to, 'client');
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const asked = sent(session.fromClient(denied({ _meta })));
  const again = { _meta, requestState: asked.result?.requestState, inputResponses: { policy: { action: 'accept' } } };
  assert.is(session.fromClient(denied(again)).to, 'client');
  assert.equal(
    ended.map((one) => one.result),
    ['denied', 'denied'],
  );
});

/** Questions of a server, by how they come in an answer; what a client then gets. */
const QUESTIONS = (questions: Record<string, unknown>) => [
  { result: { resultType: 'input_required', inputRequests: questions } },
  { error: { code: -32042, message: 'x', data: { elicitations: Object.values(questions).map((one) => (one as Sent).params) } } },
];
const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'policy: your password', mode: 'url', url: 'https://evil.example' },
};
for (const [effect, questions, passes] of [
  ['ask', { x: ELICITATION }, true],
  ['allow', { x: ELICITATION }, true],
  ['deny', { x: ELICITATION }, false],
] as const)
  for (const body of QUESTIONS(questions))
    test(`a question in an answer is judged and bears the server's name: ${effect}, ${Object.keys(body)[0]}`, () => {
      const judge: Judge = {
        visible: (tools) => new Set(tools),
        isDenied: () => false,
        judge: ({ tool }) => ({ effect: tool === 'read' ? 'allow' : effect, text: '', end: () => {} }),
      };
      const session = new Session({ judge, server: 'fs', denyAs: 'result' });
      session.fromClient(call('read'));
      const text = JSON.stringify(sent(session.fromServer(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))));
      assert.is(text.includes('[MCP server fs] policy: your password'), passes, text);
      assert.is(text.includes('password'), passes, text);
    });
for (const questions of [
  { policy: ELICITATION },
  { x: { method: 'sampling/createMessage', params: { messages: [] } } },
  { x: { method: 'tools/call', params: { name: 'read' } } },
  { x: { ...ELICITATION, Method: 'x' } },
  { x: null },
  [],
  'x',
])
  test(`a question in a result that does not pass: ${JSON.stringify(questions).slice(0, 60)}`, () => {
    const { session } = sessionWith();
    session.fromClient(call('read_file'));
    const step = session.fromServer(result(1, { resultType: 'input_required', inputRequests: questions, requestState: 's' }));
    assert.match(JSON.stringify(sent(step)), /"error".*it asks something that the policy does not allow/);
  });

test('a number that would be another one for the server is refused, however it is written', () => {
  const numbers = [
    '9007199254740993',
    '-9007199254740993',
    '1e999',
    '-1E400',
    '123456789012345678901234567890',
    `1${'0'.repeat(400)}`,
    `${'9'.repeat(400)}.5`,
  ];
  for (const number of numbers) {
    const { session, judged } = sessionWith();
    assert.is(session.fromClient(call('read_file').replace('"a"', number)).to, 'client', number);
    assert.equal(judged, []);
  }
  for (const number of ['9007199254740991', '1e3', '0.1', '-0.5e-3', '1.0', '123456789012345.5'])
    assert.is(sessionWith().session.fromClient(call('read_file').replace('"a"', number)).to, 'server', number);
});

/** Answers that cannot be passed on: the client must not wait for ever. */
for (const answer of [
  '"result":null',
  '"result":[]',
  '"result":{},"error":null',
  '"error":{"code":"x","message":"y"}',
  '"result":{},"x":1',
  `"result":{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
])
  test(`an answer of the wrong shape ends the call: ${answer}`, () => {
    const { session, ended } = sessionWith();
    session.fromClient(call('read_file'));
    const step = session.fromServer(`{"jsonrpc":"2.0","id":1,${answer}}`);
    assert.match(JSON.stringify(sent(step)), /"id":1,"error"/);
    assert.equal(ended, [{ tool: 'read_file', result: 'error' }]);
  });

test('cancelled requests are forgotten', () => {
  const { session } = sessionWith();
  for (let id = 1; id <= 20_000; id += 1) {
    assert.is(session.fromClient(call('read_file', id)).to, 'server');
    session.fromClient(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }));
  }
});

/** Every spelling of one address that a server may read as it: the judge has to see the plain one among them. */
for (const uri of [
  'file:///secret/x',
  'file:///%73ecret/x',
  'file:///%2573ecret/x',
  'file:////secret/x',
  'file:/secret/x',
  'file:///secret%2Fx',
  'file:///ok/../secret/x',
  'file:///ok/..%2fsecret/x',
  'file:///ok/%2e%2e/secret/x',
  'file:///./secret//x',
  'file:\\\\\\secret\\x',
])
  for (const method of ['resources/read', 'resources/subscribe', 'subscriptions/listen'])
    test(`an address is judged in every spelling: ${method} ${uri}`, () => {
      const seen: unknown[] = [];
      const judge: Judge = {
        visible: (tools) => new Set(tools),
        isDenied: () => false,
        judge: ({ input }) => {
          seen.push(input.uri);
          return { effect: 'deny', text: '', end: () => {} };
        },
      };
      const params = method === 'subscriptions/listen' ? { notifications: { ResourceSubscriptions: [uri] } } : { uri };
      const step = new Session({ judge, server: 'fs', denyAs: 'result' }).fromClient(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      );
      assert.is(step.to, 'client');
      assert.ok(seen.flat().includes('file:///secret/x'), JSON.stringify(seen));
      assert.ok(seen.flat().includes(uri), JSON.stringify(seen));
    });

test('a question is a denial where the client cannot ask', () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, { elicitation: true }]) {
    const { session, ended } = sessionWith();
    session.fromClient(initialize(capabilities));
    assert.is(session.fromClient(call('write_file')).to, 'client');
    assert.equal(ended, [{ tool: 'write_file', result: 'denied' }]);
  }
});

test('a call that was cancelled while the person was asked is not made', () => {
  const { session } = sessionWith();
  session.fromClient(initialize({ elicitation: {} }));
  const question = sent(session.fromClient(call('write_file')));
  const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  assert.is(session.fromClient(cancel).to, 'nobody');
  assert.is(session.fromClient(result(String(question.id), { action: 'accept' })).to, 'nobody');
});

test('the server cannot answer a call that the person is still asked about, not even with what is no message', () => {
  const { session, ended } = sessionWith();
  session.fromClient(initialize({ elicitation: {} }));
  const question = sent(session.fromClient(call('write_file')));
  for (const answer of [
    result(1, { content: [] }),
    '{"jsonrpc":"2.0","id":1,"result":null}',
    '{"jsonrpc":"2.0","id":1,"error":{}}',
  ])
    assert.is(session.fromServer(answer).to, 'nobody', answer);
  assert.equal(ended, []);
  assert.is(session.fromClient(result(String(question.id), { action: 'accept' })).to, 'server');
  assert.is(session.fromServer(result(1, { content: [] })).to, 'client');
});

test('lists show what can be used, page by page, to this client only', () => {
  const { session } = sessionWith();
  session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'p1' } }));
  const tools = [
    { name: 'read_file' },
    { name: 'move_file' },
    { name: 'write\u200b_file' },
    { name: 7 },
    null,
    { name: 'resources:read' },
  ];
  const listed = sent(session.fromServer(result(1, { tools, nextCursor: 'p2', ttlMs: 5, cacheScope: 'public' })));
  assert.equal(listed.result, { tools: [{ name: 'read_file' }], nextCursor: 'p2', ttlMs: 5, cacheScope: 'private' });
});

/** Each definition is checked twice by the one before it. */
const DOUBLING = {
  $ref: '#/$defs/0',
  $defs: Object.fromEntries(
    Array.from({ length: 33 }, (_, at) => [at, at === 32 ? {} : { allOf: [1, 2].map(() => ({ $ref: `#/$defs/${at + 1}` })) }]),
  ),
};

/** A schema, arguments that do not fit it, and what is said. */
const MISTAKES: readonly (readonly [schema: object, input: object | undefined, says: string | null])[] = [
  [{ type: 'object', required: ['path'] }, {}, 'path is missing'],
  [{ type: 'object', required: ['path'] }, undefined, 'path is missing'],
  [{ type: 'object', required: ['path'] }, JSON.parse('{"__proto__":{"path":"x"}}'), 'path is missing'],
  [{ type: 'object', properties: { path: { type: 'string' } } }, { path: 7 }, 'path must be string'],
  [{ type: 'object', properties: { o: { required: ['a'] } } }, { o: {} }, 'o.a is missing'],
  [{ type: 'object', additionalProperties: false }, { x: 1 }, 'its arguments must NOT have additional properties'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['path'] }, {}, 'path is missing'],
  // The server has to check what cannot be checked here.
  [{ $ref: 'https://example.com/schema.json' }, {}, null],
  [{ type: 'nonsense' }, {}, null],
  [{ $ref: '#' }, {}, null],
  [{ $async: true, required: ['path'] }, {}, null],
  [{ properties: { path: { pattern: '^(a+)+$' } } }, { path: `${'a'.repeat(40)}!` }, null],
  [DOUBLING, {}, null],
  [{ $defs: { p: { type: 'string' } }, properties: { path: { $ref: '#/$defs/p' } } }, { path: 7 }, 'path must be string'],
  [JSON.parse(`${'{"properties":{"a":'.repeat(100)}{}${'}}'.repeat(100)}`), {}, null],
];
for (const [inputSchema, input, says] of MISTAKES)
  test(`arguments are checked by the tool's schema: ${says} (R231)`, () => {
    const { session, judged } = sessionWith();
    session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    session.fromServer(result(1, { tools: [{ name: 'read_file', inputSchema }] }));
    const params = { name: 'read_file', ...(input !== undefined && { arguments: input }) };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    const step = session.fromClient(text);
    assert.is(step.to, says === null ? 'server' : 'client');
    if (says === null) return;
    assert.equal(sent(step).error, { code: -32602, message: `policy refused tools/call: ${says}` });
    assert.equal(judged, []);
  });

test('tasks belong to the calls that made them', () => {
  const { session } = sessionWith();
  session.fromClient(call('read_file', 1, { task: {} }));
  session.fromServer(result(1, { task: { taskId: 'mine', status: 'working' } }));
  const ask = (method: string, taskId: string) =>
    session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: `${method}${taskId}`, method, params: { taskId } })).to;
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    assert.is(ask(method, 'mine'), 'server');
    assert.is(ask(method, 'theirs'), 'client');
  }
  session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tasks/list' }));
  const listed = sent(session.fromServer(result(9, { tasks: [{ taskId: 'mine' }, { taskId: 'theirs' }] })));
  assert.equal(listed.result, { tasks: [{ taskId: 'mine' }] });
});

test('tasks/result, which 2026-07-28 has no longer, is no method there', () => {
  const { session } = sessionWith();
  const code = (params: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: 'theirs', ...params } });
    return (sent(session.fromClient(text)).error as { code: number }).code;
  };
  assert.is(code({}), -32602);
  assert.is(code({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }), -32601);
});

test('a question of the server bears its name, and its other requests are judged', () => {
  const { session, judged } = sessionWith();
  const from = (method: string, params = {}) =>
    session.fromServer(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
  assert.is(from('sampling/createMessage', { messages: [], maxTokens: 1 }).to, 'server');
  assert.is(from('tools/call', { name: 'read_file' }).to, 'server');
  assert.equal(judged, ['sampling:createMessage']);
  const allowing = new Session({
    judge: {
      visible: (tools) => new Set(tools),
      isDenied: () => false,
      judge: () => ({ effect: 'ask', text: '', end: () => {} }),
    },
    server: 'fs',
    denyAs: 'result',
  });
  const step = allowing.fromServer(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'policy asks' } }),
  );
  assert.is(sent(step).params?.message, '[MCP server fs] policy asks');
  assert.is(allowing.fromClient(result(1, { action: 'accept' })).to, 'server');
  assert.is(allowing.fromClient(result(1, { action: 'accept' })).to, 'nobody');
});

test('what the server sends beyond the protocol reaches nobody', () => {
  const { session } = sessionWith();
  for (const text of [
    '[]',
    'x',
    '{"jsonrpc":"2.0","method":"notifications/x"}',
    result(5, {}),
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":1,"result":{},"method":"ping"}',
  ])
    assert.is(session.fromServer(text).to, 'nobody', text);
});

test('when the server ends, whoever waits is told', () => {
  const { session, ended } = sessionWith();
  session.fromClient(call('read_file', 1));
  session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }));
  const told = session.close('the server ended').map(sent);
  assert.equal(
    told.map(({ id, error }) => [id, error]),
    [1, 2].map((id) => [id, { code: -32000, message: 'the server ended' }]),
  );
  assert.equal(ended, [{ tool: 'read_file', result: 'error' }]);
});

const request = (id: number | string, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const cancel = (requestId: number | string) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const STATELESS_META = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const SAMPLING = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };

/** What happens after a request of the server, which is allowed, and how the record of it ends. */
const SERVER_REQUEST_ENDS: readonly (readonly [what: string, happens: (session: Session) => unknown, end: string])[] = [
  ['the client answers', (session) => session.fromClient(result('s', { action: 'accept' })), 'success'],
  [
    'the client refuses',
    (session) => session.fromClient('{"jsonrpc":"2.0","id":"s","error":{"code":-1,"message":"no"}}'),
    'error',
  ],
  ['the server takes it back', (session) => session.fromServer(cancel('s')), 'error'],
  ['the session ends', (session) => session.close('over'), 'error'],
];
for (const [what, happens, end] of SERVER_REQUEST_ENDS)
  test(`a request of the server is logged with its end: ${what}`, () => {
    const ended: string[] = [];
    const judge: Judge = { ...asking, judge: () => ({ effect: 'allow', text: '', end: (one) => ended.push(one) }) };
    const session = new Session({ judge, server: 'fs', denyAs: 'result' });
    assert.is(session.fromServer(request('s', ELICITATION.method, ELICITATION.params)).to, 'client');
    assert.equal(ended, []);
    happens(session);
    session.close('over');
    assert.equal(ended, [end]);
  });

test('a question of 2026-07-28 that nobody answers is a denial in the end', () => {
  const { session, ended } = sessionWith();
  session.fromClient(call('write_file', 1, { _meta: STATELESS_META }));
  assert.equal(ended, []);
  session.close('over');
  assert.equal(ended, [{ tool: 'write_file', result: 'denied' }]);
});

test('questions of the server in an answer end with it, all denied if one is', () => {
  for (const [questions, results] of [
    [{ a: ELICITATION }, ['success', 'success']],
    [{ a: ELICITATION, b: SAMPLING }, ['denied', 'denied', 'error']],
  ] as const) {
    const ended: string[] = [];
    const effectOf = (tool: string) => (tool === 'sampling:createMessage' ? 'deny' : 'allow');
    const judge: Judge = {
      ...asking,
      judge: ({ tool }) => ({ effect: effectOf(tool), text: '', end: (one) => ended.push(one) }),
    };
    const session = new Session({ judge, server: 'fs', denyAs: 'result' });
    session.fromClient(call('read_file'));
    session.fromServer(result(1, { resultType: 'input_required', inputRequests: questions, requestState: 's' }));
    assert.equal(ended, results);
  }
});

/** Whatever a client and a server may say, with few ids, so that they meet. */
const SAID: readonly ((session: Session, id: number, asked: Sent) => Step)[] = [
  (session, id) => session.fromClient(call('read_file', id)),
  (session, id) => session.fromClient(call('write_file', id)),
  (session, id) => session.fromClient(call('move_file', id)),
  (session, id) => session.fromClient(call('write_file', id, { _meta: STATELESS_META })),
  (session, id, { result: asked, id: question }) =>
    session.fromClient(
      asked === undefined
        ? result(String(question), { action: id === 1 ? 'decline' : 'accept' })
        : call('write_file', id, {
            ...{ _meta: STATELESS_META, requestState: asked.requestState },
            inputResponses: { policy: { action: id === 1 ? 'decline' : 'accept' } },
          }),
    ),
  (session, id) => session.fromClient(cancel(id)),
  (session, id) => session.fromClient(result(id, {})),
  (session, id) => session.fromServer(result(id, { isError: id === 2 })),
  (session, id) => session.fromServer(`{"jsonrpc":"2.0","id":${id},"result":null}`),
  (session, id) => session.fromServer(result(id, { resultType: 'input_required', inputRequests: { a: ELICITATION } })),
  (session, id) => session.fromServer(request(id, ELICITATION.method, ELICITATION.params)),
  (session, id) => session.fromServer(request(id, SAMPLING.method, SAMPLING.params)),
  (session, id) => session.fromServer(request(id, 'roots/list', {})),
  (session, id) => session.fromServer(cancel(id)),
];

test('each call that was judged has one end, whatever is said (R255)', () => {
  const draws = fc.array(fc.tuple(fc.nat(SAID.length - 1), fc.nat(2)), { maxLength: 40 });
  fc.assert(
    fc.property(draws, (said) => {
      const ends: number[] = [];
      const judge: Judge = {
        ...asking,
        judge: ({ tool }) => {
          const at = ends.push(0) - 1;
          const effect = /read|elicit/.test(tool) ? 'allow' : /write|roots/.test(tool) ? 'ask' : 'deny';
          const end = () => {
            ends[at] = (ends[at] ?? 0) + 1;
          };
          return { effect, text: '', end };
        },
      };
      const session = new Session({ judge, server: 'fs', denyAs: 'result' });
      session.fromClient(initialize({ elicitation: {} }));
      session.fromServer(result(0, {}));
      let asked: Sent = {};
      for (const [what, id] of said) {
        const step = SAID[what]?.(session, id, asked);
        if (step?.to === 'client' && /"policy-/.test(step.text)) asked = sent(step);
      }
      session.close('over');
      assert.equal(
        ends,
        ends.map(() => 1),
      );
    }),
    { numRuns: 3_000 },
  );
});

test('an id that waits is not given again', () => {
  const { session } = sessionWith();
  session.fromClient(call('read_file', 1));
  assert.is(session.fromClient(call('read_file', 1)).to, 'client');
  assert.is(session.fromClient(call('read_file', '1')).to, 'server', 'a text is another id');
});

test('mutated messages: no text that is sent on calls anything that was not judged', () => {
  const seeds = [call('move_file'), call('read_file'), ...SMUGGLED.map(({ text }) => text).filter((text) => text.length < 400)];
  fc.assert(
    fc.property(fc.constantFrom(...seeds), edits, (seed, changes) => {
      const text = edited(seed, changes);
      const { session, judged } = sessionWith();
      const step = session.fromClient(text);
      if (step.to !== 'server') return;
      const { method, params } = JSON.parse(step.text);
      if (method === 'tools/call') assert.equal(judged, [params.name]);
      assert.is.not(params?.name, 'move_file');
    }),
    { numRuns: 5_000 },
  );
});

test('a tool that is redefined while the person is asked is not called, and one that was redefined before is', () => {
  for (const [before, after, passes] of [
    [null, 'its description changed', false],
    ['its title changed', 'its description changed', false],
    ['its title changed', 'its title changed', true],
    ['its title changed', null, true],
    [null, null, true],
  ] as const) {
    let change: string | null = before;
    const pins = () => ({ take: () => {}, changeOf: (tool: string) => (tool === 'write' ? change : null) });
    const { session, ended } = sessionWith({ pins });
    session.fromClient(initialize({ elicitation: {} }));
    const question = sent(session.fromClient(call('write', 7)));
    assert.is(question.method, 'elicitation/create');
    change = after;
    const step = session.fromClient(result(question.id as string, { action: 'accept' }));
    assert.is(step.to, passes ? 'server' : 'client', `${before} → ${after}`);
    if (!passes) assert.match(JSON.stringify(sent(step)), /its description changed, and the person was not asked about it/);
    assert.is(ended.length, passes ? 0 : 1);
  }
});

test.run();
