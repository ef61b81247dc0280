import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkFileWrite,
  checkMcpTool,
  checkShellCommand,
  guard,
  ToolDenied,
  validateToolPolicy,
} from '../../src/agent/allowlist.js';
import { envBool } from '../../src/agent/feature-flag.js';

test('the message of a tool that is not listed is that of R055', () => {
  assert.is(
    validateToolPolicy({ name: 'test-agent', tools: ['git', 'npm'] }, 'docker')?.message,
    "🚫 Agent 'test-agent' is not allowed to use tool 'docker'. Allowed tools: [git, npm]. Update the agent's 'tools' field to grant access.",
  );
});

test('the message of an agent without tools is that of R056', () => {
  assert.is(
    validateToolPolicy({ name: 'x' }, 'git')?.message,
    "🚫 Agent 'x' has no tools allowlisted. Add a 'tools' field to the agent definition to grant tool access.",
  );
});

test('without emoji the message starts with the word', () => {
  assert.match(validateToolPolicy({ name: 'x', tools: null }, 'git', { emoji: false })?.message ?? '', /^Agent 'x'/);
});

test('names in messages cannot move the cursor or turn the text around', () => {
  const message = validateToolPolicy({ name: 'a\u001b[2Jb', tools: ['x\u202ey'] }, 'd\nc')?.message ?? '';
  assert.not.match(message, /[\u0000-\u001f\u202e]/);
  assert.match(message, /a\\u001b\[2Jb/);
});

test('a guarded function runs for the tools of the agent only (R040)', () => {
  const ran: string[] = [];
  const run = guard({ name: 'test-agent', tools: ['git', 'npm'] }, (tool: string, words: readonly string[]) => {
    ran.push(tool);
    return words.length;
  });
  assert.is(run('git', ['status']), 1);
  try {
    run('docker', []);
    assert.unreachable();
  } catch (error) {
    if (!(error instanceof ToolDenied)) throw error;
    assert.equal([error.violation.code, error.violation.requestedTool], ['TOOL_NOT_ALLOWED', 'docker']);
    assert.match(error.message, /^🚫 Agent 'test-agent' is not allowed to use tool 'docker'/);
  }
  assert.equal(ran, ['git']);
});

/** [why, grants, tool, args, allowed] */
const mcp: readonly (readonly [string, Parameters<typeof checkMcpTool>[0], string, Record<string, unknown>, boolean])[] = [
  ['listed', { mcp: ['codex_grep'] }, 'codex_grep', { pattern: 'x' }, true],
  ['a part of a name', { mcp: ['codex_grep'] }, 'codex_gre', {}, false],
  ['glob', { mcp: ['codex_*'] }, 'codex_grep', {}, true],
  ['total', { mcp: ['*'] }, 'anything', {}, true],
  ['a glob does not lift the need for a shell', { mcp: ['codex_*'], shell: [] }, 'codex_shell', { command: 'ls' }, false],
  ['shell with its program', { mcp: ['codex_shell'], shell: ['npm'] }, 'codex_shell', { command: 'npm test' }, true],
  [
    'shell with another program behind',
    { mcp: ['codex_shell'], shell: ['npm'] },
    'codex_shell',
    { command: 'npm test; ls' },
    false,
  ],
  [
    'shell with a second command in a field nobody described',
    { mcp: ['codex_shell'], shell: ['npm'] },
    'codex_shell',
    { command: 'npm test', script: 'rm x' },
    false,
  ],
  ['shell without a command', { mcp: ['codex_shell'], shell: ['npm'] }, 'codex_shell', {}, false],
  ['patch without fs.write (R229)', { mcp: ['codex_apply_patch'] }, 'codex_apply_patch', { patch: '*** Add File: a\n+x' }, false],
  [
    'patch with fs.write',
    { mcp: ['codex_apply_patch'], write: true },
    'codex_apply_patch',
    { patch: '*** Add File: a\n+x' },
    true,
  ],
  [
    'patch that climbs out',
    { mcp: ['codex_apply_patch'], write: true },
    'codex_apply_patch',
    { patch: '*** Add File: ../a\n+x' },
    false,
  ],
  [
    'patch within a folder',
    { mcp: ['codex_apply_patch'], write: ['./out'] },
    'codex_apply_patch',
    { patch: '*** Add File: out/a\n+x' },
    true,
  ],
  [
    'patch beside the folder',
    { mcp: ['codex_apply_patch'], write: ['./out'] },
    'codex_apply_patch',
    { patch: '*** Add File: out/a\n+x\n*** Delete File: b' },
    false,
  ],
  ['patch that cannot be read', { mcp: ['codex_apply_patch'], write: true }, 'codex_apply_patch', { patch: 'x' }, false],
];

for (const [why, grants, tool, args, allowed] of mcp)
  test(`MCP tool ${tool}: ${why}`, () => {
    assert.is(checkMcpTool(grants, tool, args, '/repo') === null, allowed);
  });

test('the refusal of any other MCP tool names those that are allowed (R241)', () => {
  assert.is(checkMcpTool({ mcp: ['a', 'b"c'] }, 'x', {}), `MCP tool 'x' is not permitted. Allowed tools: ["a", "b\\"c"]`);
});

/** [why, allowed, path, expected] */
const writes: readonly (readonly [string, boolean | readonly string[], string, boolean])[] = [
  ['everything in the project', true, 'a/b', true],
  ['nothing outside the project', true, '/etc/passwd', false],
  ['nothing', false, 'a', false],
  ['the folder itself', ['./out'], 'out', true],
  ['a folder with a slash', ['out/'], 'out/a', true],
  ['the whole disk, written out', ['/'], '/etc/x', true],
  ['a home', ['.'], '~/x', false],
  ['an empty path', true, '', false],
  ['a path with NUL', true, 'a\0b', false],
  ['a path that climbs and comes back', ['./out'], 'out/../out/x', true],
  ['a grant that climbs', ['../x'], '/x/a', true],
];

for (const [why, allowed, path, expected] of writes)
  test(`write: ${why}`, () => {
    assert.is(checkFileWrite(allowed, '/repo', path), expected);
  });

/** [command, expected, why] with npm, cargo and `git status` granted */
const commands: readonly (readonly [string, boolean, string])[] = [
  ['npm test && cargo build', true, 'both are granted'],
  ['npm test | cargo x', true, 'a pipe of granted programs'],
  ['npm test > out', false, 'a redirection writes'],
  ['npm test > /dev/null 2>&1', true, 'nothing is written'],
  ['npm test &', false, 'it would outlive the call'],
  ['/usr/bin/npm test', false, 'another program, for all we know'],
  ['git status', true, 'an entry of two words'],
  ['git push', false, 'not that entry'],
  ['git', false, 'shorter than the entry'],
  ['n* test', false, 'a glob may become anything'],
  ['$X test', false, 'a variable may be anything'],
  ['`npm`', false, 'a substitution'],
  ['npm test "', false, 'no end'],
  ['', false, 'nothing'],
  ['bash -c "npm test"', false, 'a wrapper is a program of its own'],
  ['(npm test; rm x)', false, 'a group'],
  ['if npm test; then rm x; fi', false, 'a branch'],
];

for (const [command, expected, why] of commands)
  test(`shell ${JSON.stringify(command)}: ${why}`, () => {
    assert.is(checkShellCommand(['npm', 'cargo', 'git status', ' '], command), expected);
  });

const switches: readonly (readonly [string, boolean | null])[] = [
  ['yes', true],
  ['no', false],
  ['on', true],
  ['OFF', false],
  [' true ', true],
  ['truee', null],
  ['constructor', null],
  ['1'.repeat(100_000), null],
];
for (const [text, expected] of switches)
  test(`switch ${JSON.stringify(text.slice(0, 12))}`, () => {
    assert.is(envBool(text), expected);
  });

test.run();
