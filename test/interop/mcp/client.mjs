// `node client.mjs SDK SERVER TARGET`: a session of an SDK's client with a server, at an address or behind a command (JSON). Prints what came
// of each step as JSON. Runs in the folder that the packages are installed into.
const [, , sdk, server, target] = process.argv;
const { command, url, cwd } = JSON.parse(target);
const isFirst = sdk === 'v1';
const own = '@modelcontextprotocol';
const { Client } = await import(isFirst ? `${own}/sdk/client/index.js` : `${own}/client`);
const { StdioClientTransport } = await import(isFirst ? `${own}/sdk/client/stdio.js` : `${own}/client/stdio`);
const { StreamableHTTPClientTransport } = await import(isFirst ? `${own}/sdk/client/streamableHttp.js` : `${own}/client`);
const types = isFirst ? await import(`${own}/sdk/types.js`) : null;

const call = (name, input = {}) => [`call ${name} ${JSON.stringify(input)}`, (c, options) => callTool(c, name, input, options)];
const callTool = (c, name, input, options) => c.callTool({ name, arguments: input }, ...(isFirst ? [undefined] : []), options);
const list = (what) => [what, (c) => c[what]()];
const PROMPTS = [
  ['getPrompt', { name: 'simple-prompt' }],
  ['getPrompt', { name: 'args-prompt', arguments: { city: 'Paris' } }],
  ['getPrompt', { name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '1' } }],
  ['readResource', { uri: 'demo://resource/static/document/features.md' }],
  ['readResource', { uri: 'demo://resource/dynamic/text/1' }],
  ['subscribeResource', { uri: 'demo://resource/static/document/features.md' }],
  ['unsubscribeResource', { uri: 'demo://resource/static/document/features.md' }],
  ['complete', { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } }],
].map(([method, params]) => [`${method} ${JSON.stringify(params)}`, (c) => c[method](params)]);

/** Reads the progress of a long call, and stops another one. */
const LONG = { duration: 1, steps: 4 };
const progress = async (c) => {
  const seen = [];
  const ended = await callTool(c, 'trigger-long-running-operation', LONG, { onprogress: (one) => seen.push(one.progress) });
  // The last one comes with the result, and the clients may drop it.
  return [seen.slice(0, 3), ended];
};
const cancel = async (c) => {
  const signal = AbortSignal.timeout(300);
  const ended = await callTool(c, 'trigger-long-running-operation', { duration: 20, steps: 4 }, { signal }).catch(
    () => 'stopped',
  );
  return [ended, await c.ping()];
};

const STEPS = {
  everything: [
    ...['listTools', 'listResources', 'listResourceTemplates', 'listPrompts', 'ping'].map(list),
    ...[call('echo', { message: 'm' }), call('get-sum', { a: 1, b: 2 }), call('get-sum', { a: 'x' }), call('no-such-tool')],
    ...[call('get-structured-content', { location: 'Chicago' }), call('get-resource-links'), call('get-tiny-image')],
    ...[call('get-annotated-message', { messageType: 'error' }), call('get-roots-list'), call('get-env')],
    ...[call('trigger-elicitation-request'), call('trigger-sampling-request', { prompt: 'p' }), ...PROMPTS],
    ['setLoggingLevel', (c) => c.setLoggingLevel('debug')],
    ...[
      ['progress', progress],
      ['cancel', cancel],
    ],
  ],
  filesystem: [
    ...[list('listTools'), call('list_allowed_directories'), call('write_file', { path: 'new.txt', content: 'x' })],
    ...[call('read_text_file', { path: 'new.txt' }), call('read_multiple_files', { paths: ['a.txt', 'new.txt'] })],
    ...[
      call('read_text_file', { path: '../outside.txt' }),
      call('list_directory', { path: '.' }),
      call('move_file', { source: 'a.txt', destination: 'b.txt' }),
    ],
  ],
  conf: [
    ...['listTools', 'listResources', 'listResourceTemplates', 'listPrompts'].map(list),
    ...[call('test_simple_text'), call('test_multiple_content_types'), call('test_error_handling'), call('test_image_content')],
    ...['elicitation', 'sampling', 'list_roots', 'request_state', 'multiple_inputs', 'multi_round'].map((one) =>
      call(`test_input_required_result_${one}`),
    ),
    ['readResource', (c) => c.readResource({ uri: 'test://template/7/data' })],
    ['getPrompt', (c) => c.getPrompt({ name: 'test_input_required_result_prompt' })],
  ],
};

const notes = [];
const asked = [];
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
const pinned = server === 'conf' && !isFirst ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities, ...pinned });
const answers = {
  'elicitation/create': { action: 'accept', content: { name: 'x', color: 'red', ok: true, context: 'c', response: 'r' } },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
  'roots/list': { roots: [{ uri: 'file:///somewhere', name: 'p' }] },
};
const schemas = { 'elicitation/create': 'Elicit', 'sampling/createMessage': 'CreateMessage', 'roots/list': 'ListRoots' };
for (const [method, answer] of Object.entries(answers))
  client.setRequestHandler(isFirst ? types[`${schemas[method]}RequestSchema`] : method, async ({ params }) => {
    asked.push([method, params?.message ?? null]);
    return answer;
  });
client.fallbackNotificationHandler = async ({ method }) => void notes.push(method);

const [program, ...args] = command ?? [];
const env = { PATH: process.env.PATH, HOME: process.env.HOME };
await client.connect(
  url === undefined
    ? new StdioClientTransport({ command: program, args, cwd, env, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(url)),
);
// The list of tools changes once the server knows the client's roots.
await new Promise((done) => setTimeout(done, 700));
const said = { server: client.getServerVersion(), capabilities: client.getServerCapabilities() };
for (const [name, step] of STEPS[server])
  said[name] = await step(client, { timeout: 20_000 }).catch(({ code, message }) => ({ code, message }));
await client.close();
console.log(JSON.stringify({ ...said, asked, notes: [...new Set(notes)].sort() }));
process.exit();
