/** The prompt of an agent: what it says of each tool. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderPrompt } from '../../src/agent/render.js';
import { canonicalTools } from '../../src/call/catalogue.js';

const rendered = (tools: readonly string[]) =>
  renderPrompt({ name: 'a', instructions: '', goal: 'g', tools, excluded: [], runner: 'claude-code' })
    .split('\n')
    .filter((line) => line.startsWith('- '));

test('every tool is told in words of its own (R235)', () => {
  const lines = rendered(canonicalTools().map(({ name }) => name));
  const words = lines.map((line) => line.slice(line.indexOf(': ') + 2));
  assert.is(words.length, canonicalTools().length);
  assert.equal(
    words.filter((one, index) => one === 'as its own description says' || words.indexOf(one) !== index),
    [],
  );
});

test('a pattern narrows it, an MCP tool names its server, and an unknown tool speaks for itself', () => {
  assert.equal(rendered(['Bash(git diff *)', 'mcp__jira__search', 'git']), [
    '- Bash: runs a command line in the shell; only git diff *',
    '- mcp__jira__search: calls search of the MCP server jira',
    '- git: as its own description says',
  ]);
});

test.run();
