/** `policy doctor` about MCP servers: which are behind our gateway, and which only look so. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { policy } from '../../cli/spawned.js';
import { type World, world } from './doctor-world.js';

const MCP = 'project/.mcp.json';
const FILES = `${JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['files@1.0.0'], env: { A: '1' } }, far: { type: 'http', url: 'https://d.example/mcp' } } }, null, 2)}\n`;

function put({ home, project }: World, ...words: readonly string[]): string {
  const { status, stdout, stderr } = policy(['mcp', ...words, '--yes'], { cwd: project, env: { HOME: home } });
  assert.is(status, 0, stderr);
  return stdout;
}

async function said(here: World): Promise<readonly string[]> {
  const { results } = await here.examine();
  return results
    .filter(({ check }) => check === 'servers')
    .map(({ level, message }) => `${level}: ${message.replaceAll(`${here.project}/`, '')}`);
}

test('one line for each server, with the command that helps', async () => {
  const here = world();
  here.write(MCP, FILES);
  const bare = (name: string) =>
    `note: The MCP server "${name}" in .mcp.json is not behind the gateway, and no hook judges its calls`;
  assert.equal(await said(here), [bare('files'), bare('far')]);
  put(here, 'install', 'claude-code');
  assert.equal(await said(here), ['ok: The MCP server "files" in .mcp.json is behind the gateway', bare('far')]);
  here.install('claude-code');
  assert.match((await said(here))[1] ?? '', /^ok: .*is not behind the gateway, but the hook judges its calls$/);
  put(here, 'uninstall', 'claude-code');
  assert.is(here.read(MCP), FILES);
});

test('what only looks like the gateway is a problem', async () => {
  const here = world();
  here.write(MCP, FILES);
  put(here, 'install', 'claude-code');
  const good = here.read(MCP);
  // A script of the project with the same words.
  mkdirSync(join(here.project, 'tools'));
  here.write('project/tools/policy', '#!/bin/sh\nexec "$@"\n');
  chmodSync(join(here.project, 'tools/policy'), 0o755);
  const script = {
    command: join(here.project, 'tools/policy'),
    args: ['mcp', 'gateway', '--server', 'files', '--', 'npx', 'files@1.0.0'],
  };
  here.write(MCP, JSON.stringify({ mcpServers: { files: script } }));
  assert.match((await said(here)).join(), /^problem: .* starts a gateway that is not this policy's/);
  assert.match(put(here, 'install', 'claude-code'), /files left as it is: it starts a gateway that is not this policy's/);
  for (const [from, to, why] of [
    ['"A": "1"', '"NODE_OPTIONS": "--require ./x.js"', /sets NODE_OPTIONS/],
    ['"--server"', '"--config-dir", "/tmp/x", "--server"', /gives the gateway --config-dir \/tmp\/x/],
  ] as const) {
    assert.ok(good.includes(from));
    here.write(MCP, good.replace(from, to));
    assert.match((await said(here))[0] ?? '', why);
    assert.match((await said(here))[0] ?? '', /^problem: /);
  }
  // A changed copy of the program.
  here.write(MCP, good);
  assert.match((await said(here))[0] ?? '', /^ok: /);
  const versions = '.local/share/policy/versions';
  const copy = `${versions}/${readdirSync(join(here.home, versions))[0]}/dist/gateway.cjs`;
  here.change(copy, /^/, '// changed\n');
  assert.match((await said(here))[0] ?? '', /^problem: /);
});

test('a file that cannot be read is a note', async () => {
  const here = world();
  here.write(MCP, '{ "mcpServers": {');
  assert.match((await said(here)).join(), /^note: Its MCP servers are not known: .*not valid JSON/);
});

test.run();
