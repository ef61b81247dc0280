/** The runners' own formats of agent definitions: what they say about tools. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import type { RunnerId } from '../../src/call/tool-call.js';

const md = (front: string) => `---\n${front}\n---\nbody\n`;

const ROWS: readonly (readonly [runner: RunnerId, file: string, text: string, expected: Readonly<Record<string, unknown>>])[] = [
  ['gemini-cli', 'a.md', md('name: a\ndescription: d'), { name: 'a', tools: { state: 'absent' } }],
  ['gemini-cli', 'a.md', md('name: a\ndescription: d\ntools: []'), { tools: { state: 'empty' } }],
  [
    'gemini-cli',
    'a.md',
    md('name: a\ndescription: d\ntools: [read_file, mcp_db_*, mcp_*]'),
    { tools: { state: 'listed', tools: ['read_file', 'mcp__db', 'mcp__*'] } },
  ],
  ['gemini-cli', 'a.md', md('name: a\ndescription: d\ntools: read_file'), { status: 'invalid', tools: { state: 'empty' } }],
  ['gemini-cli', 'a.md', md('description: d'), { status: 'invalid' }],
  ['qwen-code', 'a.md', md('name: a\ndescription: d\ntools: [edit]'), { tools: { state: 'listed', tools: ['edit'] } }],
  ['copilot-cli', '.github/agents/My Agent.agent.md', md('description: d'), { name: 'my-agent', tools: { state: 'absent' } }],
  [
    'copilot-cli',
    'a.agent.md',
    md('description: d\ntools: ["view"]'),
    { name: 'a', tools: { state: 'listed', tools: ['view'] } },
  ],
  [
    'copilot-cli',
    'a.agent.md',
    md('description: d\ntools: [bash]'),
    { tools: { state: 'listed', tools: ['bash', 'powershell', 'read_bash', 'list_bash', 'stop_bash'] } },
  ],
  ['opencode', 'x/review.md', md('mode: subagent'), { name: 'review', excludedTools: [] }],
  ['opencode', 'review.md', md('tools: { bash: false, read: true }'), { excludedTools: ['bash'], tools: { state: 'absent' } }],
  ['cursor', 'a.md', md('name: a\ndescription: d\nreadonly: true'), { readsOnly: true }],
  ['cursor', 'a.md', md('name: a\ndescription: d'), { readsOnly: undefined }],
  [
    'codex',
    'a.toml',
    'name = "a"\ndescription = "d"\nsandbox_mode = "read-only"\n',
    { name: 'a', readsOnly: true, status: 'active' },
  ],
  ['codex', 'a.toml', 'name = "a"\ndescription = "d"\n', { tools: { state: 'absent' }, readsOnly: undefined }],
  ['codex', 'a.toml', 'name = ', { status: 'invalid', tools: { state: 'empty' } }],
  ['codex', 'a.toml', 'description = "d"\n', { status: 'invalid', name: 'a' }],
];
for (const [runner, file, text, expected] of ROWS)
  test(`${runner}: ${JSON.stringify(text)}`, () => {
    const definition = parseAgent(text, { file, dialect: 'claude-code', scope: 'project', runner });
    assert.is(definition.runner, runner);
    for (const [key, value] of Object.entries(expected)) assert.equal(Reflect.get(definition, key), value, key);
  });

test.run();
