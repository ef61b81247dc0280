// A server over HTTP that answers what the scenarios of `@modelcontextprotocol/conformance` ask of one, on the SDK's server. It prints its
// address. Runs in the folder that the packages are installed into.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { localhostHostValidation, NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

const text = (said) => ({ type: 'text', text: said });
const said = (what) => ({ content: [text(what)] });
const user = (content) => ({ role: 'user', content });
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const strings = (...names) => object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), { required: names });

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const image = { type: 'image', data: IMAGE, mimeType: 'image/png' };
const embedded = (uri, mimeType, content) => ({ type: 'resource', resource: { uri, mimeType, text: content } });

/** Tools that always say the same. */
const FIXED = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'Embedded.')],
  test_multiple_content_types: [
    text('Several kinds'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data"}'),
  ],
  test_streaming_elicitation: [text('No request of its own comes on this stream.')],
};

const elicit = (message, properties, required = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: object(properties, { required }) });
const askName = () => elicit('What is your name?', { name: { type: 'string' } });
const askModel = (prompt) => inputRequired.createMessage({ messages: [user(text(prompt))], maxTokens: 100 });
const titled = (...names) => names.map((name) => ({ const: name, title: `Title of ${name}` }));

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('value1', 'value2', 'value3') } },
};
/** Keywords of JSON Schema 2020-12 that a server has to list as they are. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { address: { $anchor: 'addressDef', ...object({ street: { type: 'string' }, city: { type: 'string' } }) } },
  ...object({
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  }),
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const states = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });
const transports = new Map();
const modern = createMcpHandler(() => newServer(), { onerror: () => {} });

/** Asks once for what `requests` says, then answers; `more` goes with the questions. */
const asking = (requests, answer, more) => async (args, context) => {
  const answers = context.mcpReq.inputResponses;
  const open = requests(args, context);
  if (answers !== undefined && Object.keys(open).every((key) => isAnswered(answers[key]))) return said(answer(answers));
  return inputRequired({ inputRequests: open, ...(await more?.()) });
};
const isAnswered = (answer) => answer?.action !== undefined || answer?.content !== undefined || Array.isArray(answer?.roots);
const withState = async () => ({ requestState: await states.mint({ nonce: randomUUID() }) });
const all = () => ({ user_name: askName(), greeting: askModel('Generate a greeting'), client_roots: inputRequired.listRoots() });
const confirm = () => ({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) });

/** Only what the client says that it can answer. */
function possible(_args, context) {
  const can = context.mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const needs = { user_name: 'elicitation', greeting: 'sampling', client_roots: 'roots' };
  return Object.fromEntries(Object.entries(all()).filter(([key]) => can[needs[key]] !== undefined));
}

async function twoRounds(_args, { mcpReq }) {
  const { round = 0, name } = mcpReq.requestState() ?? {};
  const next = async (step, question, state) =>
    inputRequired({ inputRequests: { [step]: question }, requestState: await states.mint({ nonce: randomUUID(), ...state }) });
  if (round === 0) return next('step1', askName(), { round: 1 });
  const answered = acceptedContent(mcpReq.inputResponses, `step${round}`);
  if (round === 1)
    return next('step2', elicit('Which color?', { color: { type: 'string' } }), { round: 2, name: answered?.name });
  return said(`${name} likes ${answered?.color}`);
}

async function log(_args, { mcpReq }) {
  for (const data of ['started', 'works', 'ended']) {
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    await pause(30);
  }
  return said('logged');
}

async function progress(_args, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const done of progressToken === undefined ? [] : [0, 50, 100]) {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: done, total: 100 } });
    await pause(30);
  }
  return said(String(progressToken));
}

/** Closes the stream of the call; the result comes on the one that the client opens then. */
async function reconnect(_args, context) {
  transports.get(context.sessionId)?.closeSSEStream(context.mcpReq.id);
  await pause(100);
  return said('reconnected');
}

const notified = (what) => async () => {
  modern.notify[what]();
  return said('published');
};

/** Each tool: what it does, and its schema. */
const TOOLS = {
  ...Object.fromEntries(Object.entries(FIXED).map(([name, content]) => [name, [async () => ({ content })]])),
  test_error_handling: [() => Promise.reject(new Error('This tool intentionally returns an error for testing'))],
  test_tool_with_logging: [log],
  test_tool_with_progress: [progress],
  test_reconnection: [reconnect],
  test_logging_tool: [(_args, { mcpReq }) => mcpReq.log('info', 'it ran').then(() => said('logged where asked for'))],
  test_sampling: [
    asking(
      ({ prompt }) => ({ x: askModel(prompt) }),
      ({ x }) => `LLM response: ${x.content.text}`,
    ),
    strings('prompt'),
  ],
  test_elicitation: [
    asking(
      ({ message }) => ({ x: elicit(message, { response: { type: 'string' } }) }),
      ({ x }) => `User response: action=${x.action}, content=${JSON.stringify(x.content ?? {})}`,
    ),
    strings('message'),
  ],
  test_elicitation_sep1034_defaults: [
    asking(
      () => ({ x: elicit('Review', DEFAULTS, []) }),
      ({ x }) => `Elicitation completed: action=${x.action}`,
    ),
  ],
  test_elicitation_sep1330_enums: [
    asking(
      () => ({ x: elicit('Select', ENUMS, []) }),
      ({ x }) => `Elicitation completed: action=${x.action}`,
    ),
  ],
  json_schema_2020_12_tool: [async (args) => said(JSON.stringify(args)), SCHEMA],
  test_x_mcp_header: [
    async ({ region }) => said(`region=${region}`),
    object({ region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } }),
  ],
  test_missing_capability: [
    asking(
      () => ({ llm_answer: askModel('Say pong') }),
      () => 'complete',
    ),
  ],
  test_input_required_result_elicitation: [
    asking(
      () => ({ user_name: askName() }),
      (answers) => `Hello, ${acceptedContent(answers, 'user_name')?.name}!`,
    ),
  ],
  test_input_required_result_sampling: [
    asking(
      () => ({ capital_question: askModel('What is the capital of France?') }),
      (x) => x.capital_question.content.text,
    ),
  ],
  test_input_required_result_list_roots: [
    asking(
      () => ({ client_roots: inputRequired.listRoots() }),
      (x) => x.client_roots.roots.map(({ uri }) => uri).join(),
    ),
  ],
  test_input_required_result_request_state: [asking(confirm, () => 'state-ok', withState)],
  test_input_required_result_tampered_state: [asking(confirm, () => 'integrity-ok', withState)],
  test_input_required_result_multiple_inputs: [asking(all, () => 'all answered', withState)],
  test_input_required_result_capabilities: [asking(possible, () => 'answered')],
  test_input_required_result_multi_round: [twoRounds],
  test_trigger_tool_change: [notified('toolsChanged')],
  test_trigger_prompt_change: [notified('promptsChanged')],
};

const message = (...contents) => ({ messages: contents.map(user) });
const PROMPTS = {
  test_simple_prompt: [async () => message(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: [
    async ({ arg1, arg2 }) => message(text(`arg1='${arg1}', arg2='${arg2}'`)),
    strings('arg1', 'arg2'),
  ],
  test_prompt_with_embedded_resource: [
    async ({ resourceUri }) => message(embedded(resourceUri, 'text/plain', 'Embedded.'), text('Process it.')),
    strings('resourceUri'),
  ],
  test_prompt_with_image: [async () => message(image, text('Look at it.'))],
  test_input_required_result_prompt: [
    async ({ mcpReq }) => {
      const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.context;
      if (context !== undefined) return message(text(context));
      return inputRequired({ inputRequests: { user_context: elicit('Which context?', { context: { type: 'string' } }) } });
    },
  ],
};

const RESOURCES = {
  'static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'static-binary': { mimeType: 'image/png', blob: IMAGE },
  'watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
};

function newServer() {
  const listChanged = true;
  const capabilities = { tools: { listChanged }, prompts: { listChanged }, resources: { listChanged, subscribe: true } };
  const server = new McpServer(
    { name: 'mcp-conformance-test-server', version: '1.0.0' },
    { capabilities: { ...capabilities, logging: {}, completions: {} }, requestState: { verify: states.verify } },
  );
  for (const [name, [run, schema = object({})]] of Object.entries(TOOLS))
    server.registerTool(name, { description: `${name} of the scenarios`, inputSchema: fromJsonSchema(schema) }, run);
  for (const [name, [run, schema]] of Object.entries(PROMPTS))
    server.registerPrompt(name, { description: name, ...(schema && { argsSchema: fromJsonSchema(schema) }) }, run);
  for (const [name, content] of Object.entries(RESOURCES)) {
    const uri = `test://${name}`;
    const { mimeType } = content;
    server.registerResource(name, uri, { description: name, mimeType }, async () => ({ contents: [{ uri, ...content }] }));
  }
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  server.registerResource('template', template, { mimeType }, async ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'])
    server.server.setRequestHandler(method, async () => ({}));
  server.server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}

/** Events that a client may ask for again. */
function eventStore() {
  const events = [];
  return {
    storeEvent: async (streamId, sent) => `${streamId}::${events.push([streamId, sent]) - 1}`,
    async replayEventsAfter(lastEventId, { send }) {
      const [streamId, last] = lastEventId.split('::');
      for (const [at, [stream, sent]] of events.entries())
        if (stream === streamId && at > Number(last) && Object.keys(sent).length > 0) await send(`${streamId}::${at}`, sent);
      return streamId;
    },
  };
}

async function newSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: eventStore(),
    retryInterval: 500,
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  await newServer().connect(transport);
  return transport;
}

const isLocal = localhostHostValidation();
const handleModern = toNodeHandler(modern);
const http = createServer(async (request, response) => {
  if (!isLocal(request, response)) return;
  const { method: httpMethod, headers } = request;
  let posted = '';
  for await (const chunk of request) posted += chunk;
  const body = posted === '' ? undefined : JSON.parse(posted);
  const [protocolVersionHeader, mcpMethodHeader] = [headers['mcp-protocol-version'], headers['mcp-method']];
  const { kind } = classifyInboundRequest({ httpMethod, protocolVersionHeader, mcpMethodHeader, body });
  if (httpMethod === 'POST' && kind !== 'legacy') return handleModern(request, response, body);
  const known = transports.get(headers['mcp-session-id']);
  if (known !== undefined) return known.handleRequest(request, response, body);
  if (body?.method === 'initialize') return (await newSession()).handleRequest(request, response, body);
  const status = headers['mcp-session-id'] === undefined ? 400 : 404;
  const error = { jsonrpc: '2.0', error: { code: -32000, message: 'no such session' }, id: null };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
});
http.listen(0, '127.0.0.1', () => console.log(`http://localhost:${http.address().port}/mcp`));
