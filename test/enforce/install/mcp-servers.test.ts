/** MCP servers in the settings of clients: behind the gateway and back, byte for byte. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayOptions } from '../../../src/gateway/options.js';
import { CLIENTS, type KnownClient } from '../../../src/install/mcp/clients.js';
import type { GatewayProgram } from '../../../src/install/mcp/entry.js';
import { applyServers, planServers, planWithout, type ServerChange } from '../../../src/install/mcp/servers.js';
import type { ServerFile } from '../../../src/runner/servers/client.js';
import { scratch } from '../../cli/spawned.js';

const PROGRAM: GatewayProgram = { words: ['policy', 'mcp', 'gateway'], options: [] };

function clientNamed(id: string): KnownClient {
  return CLIENTS.find((one) => one.id === id) as KnownClient;
}

/** A file of a client in a scratch project, or below a scratch home. */
function stage(id: string, text: string, { scope = 'project', program = PROGRAM, foreign = null as string | null } = {}) {
  const base = scratch({});
  const client = clientNamed(id);
  const [home, project, stateDirectory] = [join(base, 'home'), join(base, 'home/project'), join(base, 'state')];
  mkdirSync(project, { recursive: true });
  const file = client.files.find((one) => one.scope === scope) as ServerFile;
  const path = join(scope === 'project' ? project : home, file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const places = { home, project, machine: '', environment: {} };
  const choice = { places, stateDirectory, whyUngoverned: () => foreign };
  const change = (plan: (server: string | null) => ServerChange | null, server: string | null) => {
    const planned = plan(server);
    applyServers(() => plan(server), path, { ...choice, server });
    return planned?.lines.map(({ server: name, kind, why }) => [name, kind, ...(why === null ? [] : [why])].join(' ')) ?? [];
  };
  return {
    ...{ path, project, home },
    text: () => readFileSync(path, 'utf8'),
    data: () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, unknown>>,
    write: (now: string) => writeFileSync(path, now),
    install: (server: string | null = null, by = program) =>
      change((name) => planServers(client, file, by, { ...choice, server: name }), server),
    uninstall: (server: string | null = null) => change((name) => planWithout(client, file, { ...choice, server: name }), server),
  };
}

const FILES =
  '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "files@1.0.0", "."], "env": { "TOKEN": "${TOKEN}" } } } }\n';

test('a program: the gateway comes first, each variable is named, everything else stays', () => {
  const { install, data } = stage('claude-code', FILES);
  assert.equal(install(), ['files wrapped']);
  const args = [
    'mcp',
    'gateway',
    '--server',
    'files',
    '--runner',
    'claude-code',
    '--env',
    'TOKEN',
    '--',
    'npx',
    '-y',
    'files@1.0.0',
    '.',
  ];
  assert.equal(data().mcpServers?.files, { command: 'policy', args, env: { TOKEN: '${TOKEN}' } });
});

/** What stands in a file, the servers that are wrapped, and how one of them then reads. */
const FORMS: readonly (readonly [client: string, before: object, name: string, after: object])[] = [
  [
    'claude-code',
    {
      mcpServers: { docs: { type: 'http', url: 'https://d.example/mcp', headers: { Authorization: 'Bearer ${T}' }, timeout: 9 } },
    },
    'docs',
    {
      type: 'stdio',
      timeout: 9,
      command: 'policy',
      args: [
        ...['mcp', 'gateway', '--server', 'docs', '--runner', 'claude-code', '--url', 'https://d.example/mcp'],
        ...['--header', 'Authorization=POLICY_MCP_HEADER_AUTHORIZATION'],
      ],
      env: { POLICY_MCP_HEADER_AUTHORIZATION: 'Bearer ${T}' },
    },
  ],
  [
    'opencode',
    { mcp: { shop: { type: 'local', command: ['bun', 'mcp.ts'], environment: { A: '1' }, enabled: false } } },
    'shop',
    {
      type: 'local',
      command: [...['policy', 'mcp', 'gateway', '--server', 'shop', '--runner', 'opencode', '--env', 'A', '--', 'bun', 'mcp.ts']],
      environment: { A: '1' },
      enabled: false,
    },
  ],
  [
    'opencode',
    { mcp: { far: { type: 'remote', url: 'https://d.example/mcp', oauth: false } } },
    'far',
    {
      type: 'local',
      oauth: false,
      command: ['policy', 'mcp', 'gateway', '--server', 'far', '--runner', 'opencode', '--url', 'https://d.example/mcp'],
    },
  ],
  ...[
    'https://d.example/mcp?api_key=abc',
    'https://d.example/mcp?apiKey=${KEY}',
    'http://127.0.0.1:9/u/c2VjcmV0LXBhdGgtc2VjcmV0',
  ].map(
    (url) =>
      [
        'claude-code',
        { mcpServers: { docs: { type: 'http', url } } },
        'docs',
        {
          type: 'stdio',
          command: 'policy',
          args: ['mcp', 'gateway', '--server', 'docs', '--runner', 'claude-code', '--url-from', 'POLICY_MCP_ADDRESS'],
          env: { POLICY_MCP_ADDRESS: url },
        },
      ] as const,
  ),
  [
    'vscode',
    { servers: { local: { url: 'http://127.0.0.1:9/mcp' } } },
    'local',
    { command: 'policy', args: ['mcp', 'gateway', '--server', 'local', '--url', 'http://127.0.0.1:9/mcp'] },
  ],
  [
    'copilot-cli',
    { mcpServers: { a: { type: 'local', command: 'a', tools: ['*'] } } },
    'a',
    {
      type: 'local',
      command: 'policy',
      tools: ['*'],
      args: ['mcp', 'gateway', '--server', 'a', '--runner', 'copilot-cli', '--', 'a'],
    },
  ],
  [
    'gemini-cli',
    { mcpServers: { 'a b': { command: './a', cwd: 'x', trust: true } } },
    'a b',
    {
      command: 'policy',
      cwd: 'x',
      trust: true,
      args: ['mcp', 'gateway', '--server', 'a_b', '--runner', 'gemini-cli', '--', './a'],
    },
  ],
];
for (const [client, before, name, after] of FORMS)
  test(`${client}: ${JSON.stringify(before).slice(0, 70)}`, () => {
    const text = `${JSON.stringify(before, null, 2)}\n`;
    const { install, uninstall, data, text: now } = stage(client, text);
    assert.equal(install(), [`${name} wrapped`]);
    const [key = ''] = Object.keys(before);
    assert.equal(data()[key]?.[name], after);
    assert.equal(uninstall(), [`${name} restored`]);
    assert.is(now(), text);
  });

/** Servers that stay as they are, with a part of the reason. */
const LEFT: readonly (readonly [client: string, entry: unknown, why: RegExp])[] = [
  ['claude-code', { type: 'http', url: 'https://d.example/mcp' }, /sign in/],
  ['claude-code', { type: 'http', url: 'https://d.example/mcp', headers: { A: 'b' }, oauth: {} }, /signs in to it \(oauth\)/],
  ['claude-code', { type: 'http', url: 'https://d.example/mcp', headersHelper: './h' }, /headersHelper/],
  ['claude-code', { type: 'sse', url: 'https://d.example/mcp', headers: { A: 'b' } }, /SSE/],
  ['cursor', { url: 'https://d.example/sse', headers: { A: 'b' } }, /SSE/],
  ['gemini-cli', { url: 'https://d.example/mcp', headers: { A: 'b' } }, /SSE/],
  ['claude-code', { type: 'http', url: 'https://u:p@d.example/mcp', headers: { A: 'b' } }, /password/],
  ['claude-code', { type: 'ws', url: 'wss://d.example/mcp' }, /"ws" is not known/],
  ['claude-code', { command: 'a', url: 'https://d.example' }, /both/],
  ['claude-code', { command: 'npx -y a' }, /whole line/],
  ['claude-code', { command: 'a', args: [1] }, /form that this client does not read/],
  ['claude-code', { command: 'a', env: { A: 1 } }, /env has a form/],
  ['claude-code', { command: 'a', env: { NODE_OPTIONS: '--require ./x.js' } }, /NODE_OPTIONS/],
  ['claude-code', { command: 'a', env: { HOME: '/x' } }, /HOME/],
  ['claude-code', { command: 'a', env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }, /NODE_TLS/],
  [
    'claude-code',
    { type: 'http', url: 'https://d.example/mcp', headers: { A: 'b' }, env: { HTTPS_PROXY: 'x' } },
    /beside an address/,
  ],
  ['claude-code', { command: 'a', env: { PATH: '/x' } }, /PATH/],
  ['claude-code', { type: 'http', url: 'https://d.example/mcp', headers: { A: 'żółw' } }, /cannot send/],
  ['claude-code', { type: 'http', url: 'https://d.example/mcp', headers: { A: 'a\nb' } }, /cannot send/],
  ['vscode', { command: 'a', envFile: '.env' }, /envFile/],
  ['opencode', { command: ['a'] }, /no `type`/],
  ['claude-code', {}, /neither/],
  ['claude-code', 'a', /not a map/],
];
for (const [client, entry, why] of LEFT)
  test(`${client} leaves ${JSON.stringify(entry)}`, () => {
    const key = clientNamed(client).files[0]?.keys[0]?.[0] ?? '';
    const text = JSON.stringify({ [key]: { one: entry } });
    const { install, text: now } = stage(client, text);
    const [line = '', ...more] = install();
    assert.match(line, why);
    assert.match(line, /^one left /);
    assert.equal(more, []);
    assert.is(now(), text);
  });

test('a name that rules cannot speak of is left', () => {
  const { install } = stage('claude-code', JSON.stringify({ mcpServers: { a__b: { command: 'a' } } }));
  assert.match(install()[0] ?? '', /rules cannot name this server/);
});

const CODEX = `# mine
model = "m"   # kept

[mcp_servers.files]
command = "npx" # the program
args = [
  "-y",
  "files@1.0.0", # a comment
]
env_vars = ["A"]
startup_timeout_sec = 10.5

[mcp_servers.files.env]
TOKEN = "x"

[mcp_servers."my docs"]
url = "https://d.example/mcp"
http_headers = { "X-Key" = "k" }
env_http_headers = { Authorization = "AUTH" }

[mcp_servers.far]
url = "https://d.example/mcp"
bearer_token_env_var = "B"

[profiles.x]
model = "n"
`;

test('Codex: programs and addresses, with what stands in other tables', () => {
  const { install, uninstall, text } = stage('codex', CODEX);
  assert.equal(install().slice(0, 2), ['files wrapped', 'my docs wrapped']);
  assert.match(install()[2] ?? '', /far left .*bearer_token_env_var/);
  assert.ok(
    text().includes('[mcp_servers.files]\ncommand = "policy" # the program\nargs = ["mcp", "gateway", "--server", "files", '),
  );
  assert.ok(text().includes('"--env", "TOKEN", "--env", "A", "--", "npx", "-y", "files@1.0.0"]\nenv_vars = ["A"]\n'));
  assert.ok(text().includes('"--header", "X-Key=POLICY_MCP_HEADER_X_KEY", "--header", "Authorization=AUTH"]'));
  assert.ok(text().includes('env = { POLICY_MCP_HEADER_X_KEY = "k" }'));
  assert.ok(text().includes('env_vars = ["AUTH"]'));
  assert.not.match(text(), /http_headers/);
  uninstall();
  assert.is(text(), CODEX);
});

test('Codex: a header from a variable with an odd name', () => {
  const table = (variable: string) =>
    `[mcp_servers.a]\nurl = "https://d.example/mcp"\nenv_http_headers = { Authorization = "${variable}" }\n`;
  for (const variable of ['MY-VAR', 'a.b', '1', 'ż']) {
    const { install, text } = stage('codex', table(variable));
    assert.equal(install(), ['a wrapped']);
    const words: readonly string[] = JSON.parse(/args = (.*)/.exec(text())?.[1] ?? '');
    const options = gatewayOptions(words.slice(2));
    assert.type(options, 'object', String(options));
    assert.match(text(), `env_vars = ["${variable}"]`);
  }
  for (const variable of ['MY VAR', 'A=B', ''])
    assert.match(stage('codex', table(variable)).install()[0] ?? '', /^a left .*variable/);
});

test('what a person changed meanwhile stays, and the servers are as they were', () => {
  const { install, uninstall, text, write, data } = stage('claude-code', FILES);
  install();
  write(text().replace('"env": {', '"timeout": 5, "env": {').replace('{ "mcpServers"', '{ "more": 1, "mcpServers"'));
  assert.match(uninstall()[0] ?? '', /^files restored later changes/);
  const before = (JSON.parse(FILES) as { mcpServers: { files: object } }).mcpServers.files;
  assert.equal(data(), { more: 1, mcpServers: { files: { ...before, timeout: 5 } } });
});

test('an entry whose command was changed by hand gets its own command, not the recorded one', () => {
  const { install, uninstall, text, write, data } = stage('claude-code', FILES);
  install();
  write(text().replace('files@1.0.0', 'files@2.0.0'));
  assert.match(uninstall()[0] ?? '', /^files restored policy mcp install did not write its entry, or it has changed since/);
  assert.equal((data() as { mcpServers: { files: { args: unknown } } }).mcpServers.files.args, ['-y', 'files@2.0.0', '.']);
});

test('an address that was changed by hand is left, and said', () => {
  const entry = { type: 'http', url: 'https://d.example/mcp', headers: { A: 'b' } };
  const { install, uninstall, text, write } = stage('claude-code', JSON.stringify({ mcpServers: { d: entry } }));
  install();
  const changed = text().replace('d.example', 'e.example');
  write(changed);
  assert.match(uninstall()[0] ?? '', /^d left .*by hand/);
  assert.is(text(), changed);
});

test('one server goes in and out alone', () => {
  const text = JSON.stringify({ mcpServers: { a: { command: 'a' }, b: { command: 'b' } } }, null, '\t');
  const one = stage('claude-code', text);
  assert.equal(one.install('b'), ['b wrapped']);
  assert.equal(one.data().mcpServers?.a, { command: 'a' });
  assert.equal(one.install(), ['a wrapped', 'b already']);
  assert.equal(one.uninstall('a'), ['a restored']);
  assert.equal(one.data().mcpServers?.a, { command: 'a' });
  assert.equal(one.uninstall(), ['b restored']);
  assert.is(one.text(), text);
});

test('a file that was written anew is given back byte for byte, whatever was in it before', () => {
  const one = stage('claude-code', FILES);
  one.install();
  const anew = '{ "mcpServers": {"a":  { "command": "a" }} }\n';
  one.write(anew);
  assert.equal(one.install(), ['a wrapped']);
  assert.equal(one.uninstall(), ['a restored']);
  assert.is(one.text(), anew);
});

test('a newer program replaces the older one, and the file of before is still known', () => {
  const one = stage('claude-code', FILES, { program: { words: ['/n/node', '/v/1/gateway.cjs', 'mcp', 'gateway'], options: [] } });
  one.install();
  const newer: GatewayProgram = { words: ['/n/node', '/v/2/gateway.cjs', 'mcp', 'gateway'], options: [] };
  assert.match(one.install(null, newer)[0] ?? '', /^files wrapped/);
  assert.match(one.text(), /\/v\/2\/gateway/);
  assert.not.match(one.text(), /\/v\/1\/gateway/);
  one.uninstall();
  assert.is(one.text(), FILES);
});

test('a gateway that a person wrote into the file stays through an installation and its end', () => {
  const own = { command: 'policy', args: ['mcp', 'gateway', '--agent', 'x', '--', 'a'] };
  const text = JSON.stringify({ mcpServers: { own, b: { command: 'b' } } });
  const one = stage('claude-code', text);
  assert.equal(one.install(), ['own already', 'b wrapped']);
  assert.equal(one.uninstall('b'), ['b restored']);
  assert.equal(one.data().mcpServers?.own, own);
});

test('a gateway that is not ours is left, with what helps', () => {
  const entry = { command: 'policy', args: ['mcp', 'gateway', '--', 'a'] };
  const one = stage('claude-code', JSON.stringify({ mcpServers: { a: entry } }), { foreign: 'starts another one' });
  assert.equal(one.install(), ['a left it starts another one; remove it first (policy mcp uninstall claude-code)']);
  assert.match(one.uninstall()[0] ?? '', /^a restored/);
  assert.equal(one.install(), ['a wrapped']);
});

test('~/.claude.json: servers for every project and for this one, not those of others', () => {
  const text = (project: string) =>
    JSON.stringify({
      mcpServers: { a: { command: 'a' } },
      projects: { '/x': { mcpServers: { c: { command: 'c' } } }, [project]: { mcpServers: { b: { command: 'b' } } } },
    });
  const one = stage('claude-code', '{}', { scope: 'user' });
  one.write(text(one.project));
  assert.equal(one.install(), ['a wrapped', 'b wrapped']);
  assert.match(one.text(), /"c":\{"command":"c"\}/);
  one.uninstall();
  assert.is(one.text(), text(one.project));
});

test('a file that is not valid, a key that stands twice, a link and a read-only file are refused', () => {
  for (const [text, why] of [
    ['{ "mcpServers": {', /not valid JSON/],
    ['{ "mcpServers": {}, } ', /not valid JSON/],
    ['{ "mcpServers": { "a": { "command": "a" }, "a": { "command": "b" } } }', /written twice/],
  ] as const) {
    const one = stage('claude-code', text);
    assert.throws(() => one.install(), why);
    assert.is(one.text(), text);
  }
  const locked = stage('claude-code', FILES);
  chmodSync(locked.path, 0o444);
  assert.throws(() => locked.install(), /read-only/);
  assert.is(locked.text(), FILES);
  const linked = stage('claude-code', FILES);
  const target = join(linked.home, 'elsewhere.json');
  renameSync(linked.path, target);
  symlinkSync(target, linked.path);
  assert.throws(() => linked.install(), /symbolic link/);
  assert.is(readFileSync(target, 'utf8'), FILES);
});

test('the mode of a file stays', () => {
  const one = stage('claude-code', FILES);
  chmodSync(one.path, 0o640);
  one.install();
  assert.is(statSync(one.path).mode & 0o777, 0o640);
  one.uninstall();
  assert.is(statSync(one.path).mode & 0o777, 0o640);
});

/** A random JSON text in one of the forms that people and programs write. */
function randomFile(next: (most: number) => number, isLoose: boolean): string {
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;
  const servers = Object.fromEntries(
    Array.from({ length: 1 + next(4) }, (_, at) => [
      `s${at}`,
      pick([
        { command: 'npx', args: ['-y', `p@${next(9)}.0.0`], env: { A: 'é\u2028"' } },
        { command: '/opt/a b/c', args: [] },
        { type: 'stdio', command: 'c', disabled: true, alwaysAllow: ['x'] },
        { type: 'http', url: 'https://d.example/mcp', headers: { A: 'b', C: '${D}' }, timeout: 3 },
        { type: 'http', url: 'https://d.example/mcp' },
        { type: 'sse', url: 'https://d.example/sse' },
        { odd: [1.5, null, { x: {} }] },
      ]),
    ]),
  );
  const data = pick([
    { mcpServers: servers },
    { first: [1], mcpServers: servers },
    { mcpServers: servers, last: { deep: { er: [] } } },
  ]);
  let text = JSON.stringify(data, null, pick([0, 2, 4, '\t', ' ']));
  if (isLoose) {
    text = text.replace(/\{\n/, '{ // first\n').replace(/"s0":/, '/* a server */ "s0":');
    if (text.includes('\n')) text = text.replace(/\n\}$/, ',\n}').replace(/^(\s*"command": "npx",)$/m, '$1 // own');
  }
  if (next(2) === 0) text = text.replaceAll('\n', '\r\n');
  if (next(2) === 0) text += pick(['\n', '\r\n', '\n\n']);
  return next(3) === 0 ? `\uFEFF${text}` : text;
}

test('any file: in and out gives the same bytes, and in twice is in once', () => {
  const draws = fc.array(fc.nat(1_000), { minLength: 32, maxLength: 32 });
  const holds = (numbers: readonly number[], isLoose: boolean) => {
    let drawn = 0;
    const text = randomFile((most) => (numbers[drawn++ % numbers.length] ?? 0) % most, isLoose);
    const one = stage(isLoose ? 'cursor' : 'claude-code', text);
    const kinds = one.install();
    const once = one.text();
    assert.equal(
      one.install(),
      kinds.map((line) => line.replace(/ wrapped$/, ' already')),
    );
    assert.is(one.text(), once);
    one.uninstall();
    assert.is(one.text(), text);
  };
  fc.assert(fc.property(draws, fc.boolean(), holds), { numRuns: 120 });
});

test.run();
