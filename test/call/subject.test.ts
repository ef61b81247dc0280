import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTool } from '../../src/call/catalogue.js';
import { inputFromText, subjectsOf } from '../../src/call/subject.js';
import type { RunnerId, ToolCall } from '../../src/call/tool-call.js';

const call = (tool: string, input: Record<string, unknown>, runner?: RunnerId): ToolCall => ({
  tool,
  input,
  cwd: '/repo',
  headless: false,
  shell: 'bash',
  ...(runner === undefined ? {} : { runner }),
});

/** `command:git status`, `path/read:src/a`: a subject in one word. */
function shortOf(input: ToolCall): string[] {
  return subjectsOf(input).subjects.map((one) => `${one.kind}${one.access ? `/${one.access}` : ''}:${one.value}`);
}

interface Row {
  readonly why: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly runner?: RunnerId;
  readonly expect: readonly string[];
  readonly missing?: true;
}

const PATCH =
  '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: a.txt\n*** Move to: b/a.txt\n@@\n-x\n+y\n*** End Patch\n';

const rows: readonly Row[] = [
  { why: 'a command', tool: 'Bash', input: { command: 'git status' }, expect: ['command:git status'] },
  { why: 'no command', tool: 'Bash', input: {}, expect: [], missing: true },
  { why: 'a command that is no text', tool: 'Bash', input: { command: 5 }, expect: [], missing: true },
  { why: 'an empty command', tool: 'Bash', input: { command: '' }, expect: [], missing: true },
  { why: 'an inherited command', tool: 'Bash', input: Object.create({ command: 'ls' }), expect: [], missing: true },
  { why: 'Codex', tool: 'exec_command', runner: 'codex', input: { cmd: 'ls' }, expect: ['command:ls'] },
  { why: 'Codex hook', tool: 'Bash', runner: 'codex', input: { command: 'ls' }, expect: ['command:ls'] },
  {
    why: 'Codex 0.42: words stay words',
    tool: 'shell',
    runner: 'codex',
    input: { command: ['bash', '-lc', "echo 'a b'; rm x"] },
    expect: [`command:bash -lc 'echo '\\''a b'\\''; rm x'`],
  },
  { why: 'a list with a number in it', tool: 'shell', runner: 'codex', input: { command: ['ls', 1] }, expect: [], missing: true },
  {
    why: 'two spellings at once both count',
    tool: 'Bash',
    input: { command: 'ls', cmd: 'rm x' },
    expect: ['command:ls', 'command:rm x'],
  },
  { why: 'Gemini', tool: 'run_shell_command', runner: 'gemini-cli', input: { command: 'ls' }, expect: ['command:ls'] },
  { why: 'Monitor runs a command', tool: 'Monitor', input: { command: 'tail -f x' }, expect: ['command:tail -f x'] },
  { why: 'Monitor opens a socket', tool: 'Monitor', input: { ws: { url: 'wss://h/x' } }, expect: ['url:wss://h/x'] },
  { why: 'Monitor with neither', tool: 'Monitor', input: { description: 'x' }, expect: [], missing: true },
  { why: 'read', tool: 'Read', input: { file_path: 'src/a' }, expect: ['path/read:src/a'] },
  { why: 'read without a path', tool: 'Read', input: { offset: 1 }, expect: [], missing: true },
  { why: 'Copilot view', tool: 'view', runner: 'copilot-cli', input: { path: 'a' }, expect: ['path/read:a'] },
  { why: 'OpenCode read', tool: 'read', runner: 'opencode', input: { filePath: 'a' }, expect: ['path/read:a'] },
  {
    why: 'a field of another runner does not do',
    tool: 'read',
    runner: 'opencode',
    input: { path: 'a' },
    expect: [],
    missing: true,
  },
  { why: 'without a runner any spelling does', tool: 'read', input: { filePath: 'a' }, expect: ['path/read:a'] },
  { why: 'image', tool: 'view_image', runner: 'codex', input: { path: 'a.png' }, expect: ['path/read:a.png'] },
  {
    why: 'agent-code',
    tool: 'FileWrite',
    runner: 'agent-code',
    input: { file_path: 'a', content: '' },
    expect: ['path/write:a'],
  },
  { why: 'edit', tool: 'Edit', input: { file_path: 'a', old_string: '', new_string: '' }, expect: ['path/write:a'] },
  { why: 'notebook', tool: 'NotebookEdit', input: { notebook_path: 'n.ipynb' }, expect: ['path/write:n.ipynb'] },
  { why: 'multi edit', tool: 'MultiEdit', input: { file_path: 'a', edits: [] }, expect: ['path/write:a'] },
  {
    why: 'grep without a path searches the directory of the call',
    tool: 'Grep',
    input: { pattern: 'x' },
    expect: ['path/search:.'],
  },
  { why: 'grep with a path', tool: 'Grep', input: { pattern: 'x', path: 'src' }, expect: ['path/search:src'] },
  {
    why: 'Copilot grep, one path',
    tool: 'grep',
    runner: 'copilot-cli',
    input: { pattern: 'x', paths: 'a' },
    expect: ['path/search:a'],
  },
  {
    why: 'Copilot grep, several paths',
    tool: 'grep',
    runner: 'copilot-cli',
    input: { pattern: 'x', paths: ['a', '/etc'] },
    expect: ['path/search:a', 'path/search:/etc'],
  },
  {
    why: 'grep with a path that is no text',
    tool: 'Grep',
    input: { pattern: 'x', path: {} },
    expect: ['path/search:.'],
    missing: true,
  },
  { why: 'glob', tool: 'Glob', input: { pattern: '**/*.ts' }, expect: ['path/list:.'] },
  { why: 'a glob starts in a folder', tool: 'Glob', input: { pattern: 'src/lib/*.ts' }, expect: ['path/list:src/lib'] },
  { why: 'a glob below a path', tool: 'Glob', input: { pattern: 'lib/*.ts', path: 'src' }, expect: ['path/list:src/lib'] },
  {
    why: 'an absolute glob leaves the path (R222)',
    tool: 'Glob',
    input: { pattern: '/etc/*', path: 'src' },
    expect: ['path/list:/etc/'],
  },
  { why: 'a glob that climbs', tool: 'Glob', input: { pattern: '../../*' }, expect: ['path/list:../..'] },
  { why: 'a glob that climbs later', tool: 'Glob', input: { pattern: 'src/*/../../../x' }, expect: ['path/list:/'] },
  { why: 'a brace list with a way out', tool: 'Glob', input: { pattern: '{a,/etc}/*' }, expect: ['path/list:/'] },
  { why: 'a brace list without', tool: 'Glob', input: { pattern: 'src/{a,b}/*' }, expect: ['path/list:src'] },
  { why: 'glob of a home', tool: 'Glob', input: { pattern: '~/.ssh/*' }, expect: ['path/list:~/.ssh/'] },
  { why: 'glob without a pattern', tool: 'Glob', input: { path: 'src' }, expect: ['path/list:src'], missing: true },
  {
    why: 'Gemini reads many',
    tool: 'read_many_files',
    runner: 'gemini-cli',
    input: { include: ['src/*.ts', '/etc/hosts'] },
    expect: ['path/search:src', 'path/search:/etc/hosts'],
  },
  { why: 'list', tool: 'list_directory', runner: 'gemini-cli', input: { dir_path: '/etc' }, expect: ['path/read:/etc'] },
  {
    why: 'patch headers',
    tool: 'apply_patch',
    runner: 'codex',
    input: { command: PATCH },
    expect: ['path/write:new.txt', 'path/write:a.txt', 'path/write:b/a.txt', 'path/read:a.txt'],
  },
  {
    why: 'a header behind white space counts',
    tool: 'ApplyPatch',
    input: { patch: '*** Begin Patch\r\n   *** Delete File: /etc/passwd  \r\n*** End Patch' },
    expect: ['path/write:/etc/passwd'],
  },
  {
    why: 'unified diff',
    tool: 'ApplyPatch',
    input: { patch: 'diff --git a/x b/x\n--- a/x\t2024\n+++ b/x\t2024\n@@ -1 +1 @@\n-a\n+b\n' },
    expect: ['path/write:x'],
  },
  { why: 'new file in a diff', tool: 'ApplyPatch', input: { patch: '--- /dev/null\n+++ b/y\n' }, expect: ['path/write:y'] },
  {
    why: 'rename in a diff',
    tool: 'ApplyPatch',
    input: { patch: 'rename from a\nrename to .git/b\n' },
    expect: ['path/write:a', 'path/write:.git/b', 'path/read:a'],
  },
  {
    why: 'a quoted name in a diff is not read',
    tool: 'ApplyPatch',
    input: { patch: '+++ "b/\\303\\244"\n' },
    expect: [],
    missing: true,
  },
  { why: 'a patch without headers', tool: 'ApplyPatch', input: { patch: 'hello' }, expect: [], missing: true },
  {
    why: 'a header without a path',
    tool: 'ApplyPatch',
    input: { patch: '*** Add File:\n*** Add File: a' },
    expect: ['path/write:a'],
    missing: true,
  },
  {
    why: 'fetch',
    tool: 'WebFetch',
    input: { url: 'https://x.org/a', prompt: 'see https://y.org' },
    expect: ['url:https://x.org/a'],
  },
  {
    why: 'fetching a file',
    tool: 'WebFetch',
    input: { url: 'file:///etc/passwd' },
    expect: ['url:file:///etc/passwd', 'path/read:/etc/passwd'],
  },
  {
    why: 'Gemini has its links in a sentence',
    tool: 'web_fetch',
    runner: 'gemini-cli',
    input: { prompt: 'Compare (https://a.org/x). and HTTP://b.org?q=1, please' },
    expect: ['url:https://a.org/x', 'url:HTTP://b.org?q=1'],
  },
  {
    why: 'a sentence without a link',
    tool: 'web_fetch',
    runner: 'gemini-cli',
    input: { prompt: 'a.org' },
    expect: [],
    missing: true,
  },
  { why: 'search', tool: 'WebSearch', input: { query: 'q' }, expect: ['query:q'] },
  { why: 'agent', tool: 'Agent', input: { prompt: 'p', subagent_type: 'Explore' }, expect: ['name:Explore'] },
  { why: 'agent without a type is general-purpose', tool: 'Task', input: { prompt: 'p' }, expect: ['name:general-purpose'] },
  {
    why: 'Codex child',
    tool: 'spawn_agent',
    runner: 'codex',
    input: { message: 'm', agent_type: 'worker' },
    expect: ['name:worker'],
  },
  {
    why: 'Gemini child',
    tool: 'invoke_agent',
    runner: 'gemini-cli',
    input: { agent_name: 'x', prompt: 'p' },
    expect: ['name:x'],
  },
  { why: 'skill', tool: 'Skill', input: { skill: 'demo', args: 'a b' }, expect: ['name:demo'] },
  { why: 'OpenCode skill', tool: 'skill', runner: 'opencode', input: { name: 'demo' }, expect: ['name:demo'] },
  { why: 'bookkeeping', tool: 'TodoWrite', input: { todos: [] }, expect: [] },
  { why: 'tool search', tool: 'ToolSearch', input: { query: 'q' }, expect: ['query:q'] },
  {
    why: 'typed into a terminal',
    tool: 'write_stdin',
    runner: 'codex',
    input: { session_id: 1, chars: 'rm x\n' },
    expect: ['text:rm x\n'],
  },
  { why: 'seed 004 shell', tool: 'codex_shell', input: { command: 'rm -rf /' }, expect: ['command:rm -rf /'] },
  {
    why: 'seed 004 shell, hidden field',
    tool: 'codex_shell',
    input: { command: 'ls', script: 'rm x' },
    expect: ['command:ls', 'command:rm x'],
  },
  { why: 'seed 004 read', tool: 'codex_read_file', input: { path: 'a' }, expect: ['path/read:a'] },
  { why: 'seed 004 search', tool: 'codex_codebase_search', input: { query: 'q' }, expect: ['path/search:.'] },
  { why: 'MCP command', tool: 'mcp__s__run', input: { command: 'rm x' }, expect: ['command:rm x'] },
  {
    why: 'MCP words',
    tool: 'mcp__s__run',
    input: { command: 'rm', args: ['-rf', '/'] },
    expect: ['command:rm', 'command:rm -rf /'],
  },
  {
    why: 'MCP list of words',
    tool: 'mcp__s__run',
    input: { cmd: ['rm', 'a b'] },
    expect: ['command:rm', 'command:a b', `command:rm 'a b'`],
  },
  {
    why: 'MCP list of commands',
    tool: 'mcp__s__run',
    input: { commands: ['ls', 'rm x'] },
    expect: ['command:ls', 'command:rm x'],
  },
  { why: 'a program and its words', tool: 'mcp__s__x', input: { executable: 'rm', args: '-r x' }, expect: ['command:rm -r x'] },
  { why: 'a name that ends in command', tool: 'mcp__s__x', input: { run_command: 'rm x' }, expect: ['command:rm x'] },
  { why: 'below a command', tool: 'mcp__s__x', input: { command: { value: 'rm x' } }, expect: ['command:rm x'] },
  { why: 'lists in lists', tool: 'mcp__s__get', input: { paths: [['a', 'b']] }, expect: ['path/read:a', 'path/read:b'] },
  { why: 'JSON in a text', tool: 'mcp__s__get', input: { arguments: '{"path":"a"}' }, expect: ['path/read:a'] },
  { why: 'an address that is none', tool: 'mcp__s__get', input: { uri: 'a/b' }, expect: ['url:a/b', 'path/read:a/b'] },
  { why: 'where something is moved to', tool: 'mcp__s__move', input: { to: 'a' }, expect: ['path/write:a'] },
  {
    why: 'where something is saved',
    tool: 'mcp__s__x',
    input: { save_as: 'a', out: 'b' },
    expect: ['path/write:a', 'path/write:b'],
  },
  {
    why: 'what a tool that reads saves',
    tool: 'mcp__s__get',
    input: { saveTo: 'a', path: 'b' },
    expect: ['path/write:a', 'path/read:b'],
  },
  { why: 'what it writes, below', tool: 'mcp__s__get', input: { output: { path: 'a' } }, expect: ['path/write:a'] },
  { why: 'a word that only begins so', tool: 'mcp__s__get', input: { saved_search: 'a', outcome: 'b' }, expect: [] },
  { why: 'MCP host', tool: 'mcp__s__x', input: { host: 'a.example' }, expect: ['url:https://a.example'] },
  {
    why: 'MCP hosts, with ports and without',
    tool: 'mcp__s__x',
    input: { hosts: ['a.example:8080', '::1'], db_host: ' b.example, c.example ' },
    expect: ['url:https://a.example:8080', 'url:https://[::1]', 'url:https://b.example', 'url:https://c.example'],
  },
  { why: 'MCP server with a scheme', tool: 'mcp__s__x', input: { server: 'ws://a.example' }, expect: ['url:ws://a.example'] },
  { why: 'MCP host that is a socket', tool: 'mcp__s__x', input: { host: '/var/run/x' }, expect: ['path/write:/var/run/x'] },
  { why: 'a sentence is no host', tool: 'mcp__s__x', input: { domain: 'sales and marketing' }, expect: [] },
  { why: 'MCP url by its ending', tool: 'mcp__s__x', input: { callback_url: 'http://a' }, expect: ['url:http://a'] },
  {
    why: 'MCP patch',
    tool: 'mcp__s__x',
    input: { patch: '--- a/one\n+++ b/two\n@@ -1 +1 @@\n-a\n+b\n' },
    expect: ['path/write:one', 'path/write:two'],
  },
  {
    why: 'MCP patch of Codex',
    tool: 'mcp__s__x',
    input: { diff: '*** Begin Patch\n*** Add File: a\n+x\n' },
    expect: ['path/write:a'],
  },
  { why: 'MCP patch that is a file', tool: 'mcp__s__x', input: { patch: 'fix.patch' }, expect: ['path/write:fix.patch'] },
  { why: 'MCP text that is called a patch', tool: 'mcp__s__x', input: { patch: 'not\na patch\n' }, expect: [] },
  { why: 'MCP path is written to', tool: 'mcp__s__danger', input: { path: '/etc' }, expect: ['path/write:/etc'] },
  { why: 'MCP path is read', tool: 'mcp__fs__read_file', input: { path: 'a' }, expect: ['path/read:a'] },
  { why: 'MCP path is searched', tool: 'mcp__fs__searchFiles', input: { path: 'a' }, expect: ['path/search:a'] },
  { why: 'MCP reads and deletes', tool: 'mcp__fs__read_and_delete', input: { path: 'a' }, expect: ['path/write:a'] },
  { why: 'a word inside a word does not read', tool: 'mcp__s__spread', input: { file: 'a' }, expect: ['path/write:a'] },
  {
    why: 'MCP field by its ending',
    tool: 'mcp__s__x',
    input: { logFile: 'a', log_path: 'b' },
    expect: ['path/write:a', 'path/write:b'],
  },
  { why: 'MCP url', tool: 'mcp__s__x', input: { url: 'http://a' }, expect: ['url:http://a'] },
  {
    why: 'MCP file url',
    tool: 'mcp__s__get',
    input: { uri: 'file:///etc/a%20b' },
    expect: ['url:file:///etc/a%20b', 'path/read:/etc/a b'],
  },
  { why: 'MCP nested', tool: 'mcp__s__x', input: { options: { command: 'ls' } }, expect: ['command:ls'] },
  {
    why: 'MCP list of objects',
    tool: 'mcp__s__x',
    input: { edits: [{ path: 'a' }, { path: 'b' }] },
    expect: ['path/write:a', 'path/write:b'],
  },
  { why: 'MCP list of paths', tool: 'mcp__s__list', input: { paths: ['a', 'b'] }, expect: ['path/read:a', 'path/read:b'] },
  { why: 'MCP text is no subject', tool: 'mcp__s__echo', input: { text: 'rm -rf /' }, expect: [] },
  {
    why: 'MCP too deep to see',
    tool: 'mcp__s__x',
    input: { a: { b: { c: { d: { command: 'x' } } } } },
    expect: [],
    missing: true,
  },
  {
    why: 'MCP more fields than are looked at',
    tool: 'mcp__s__x',
    input: { paths: Array.from({ length: 100 }, () => 'a') },
    expect: Array.from({ length: 64 }, () => 'path/write:a'),
    missing: true,
  },
  {
    why: 'MCP more text than is looked at',
    tool: 'mcp__s__x',
    input: { path: 'a', command: 'x'.repeat(70_000) },
    expect: ['path/write:a'],
    missing: true,
  },
  { why: 'a poisoned key', tool: 'mcp__s__x', input: JSON.parse('{"__proto__": {"command": "rm x"}}'), expect: ['command:rm x'] },
  { why: 'unknown tools are looked through too', tool: 'frobnicate', input: { command: 'rm x' }, expect: ['command:rm x'] },
];

for (const row of rows)
  test(`${row.tool}: ${row.why}`, () => {
    const made = call(row.tool, row.input, row.runner);
    assert.equal(shortOf(made), [...row.expect]);
    assert.is(subjectsOf(made).missing, row.missing ?? false, 'missing');
  });

/** [why, tool, runner, input, number of sentences] */
const widenings: readonly (readonly [string, string, RunnerId | undefined, Record<string, unknown>, number])[] = [
  ['nothing', 'Bash', undefined, { command: 'ls', run_in_background: true }, 0],
  ['no sandbox', 'Bash', 'claude-code', { command: 'ls', dangerouslyDisableSandbox: true }, 1],
  ['sandbox kept', 'Bash', 'claude-code', { command: 'ls', dangerouslyDisableSandbox: false }, 0],
  ['a text that says true', 'Bash', 'claude-code', { command: 'ls', dangerouslyDisableSandbox: 'true' }, 1],
  ['Codex escalates', 'exec_command', 'codex', { cmd: 'ls', sandbox_permissions: 'require_escalated' }, 1],
  ['Codex does not escalate', 'exec_command', 'codex', { cmd: 'ls', sandbox_permissions: 'use_default' }, 0],
  ['Codex with a list there', 'exec_command', 'codex', { cmd: 'ls', sandbox_permissions: ['x'] }, 1],
  ['Codex asks for more to come', 'exec_command', 'codex', { cmd: 'ls', prefix_rule: ['git'] }, 1],
  ['Codex names the shell', 'exec_command', 'codex', { cmd: 'ls', shell: '/tmp/sh' }, 1],
  ['Codex keeps a terminal', 'exec_command', 'codex', { cmd: 'sh', tty: true }, 1],
  ['old Codex escalates', 'shell', 'codex', { command: ['ls'], with_escalated_permissions: true }, 1],
  ['agent elsewhere', 'Agent', 'claude-code', { prompt: 'p', isolation: 'remote' }, 1],
  ['agent in a worktree', 'Agent', 'claude-code', { prompt: 'p', isolation: 'worktree' }, 0],
  ['agent with a mode', 'Agent', 'claude-code', { prompt: 'p', mode: 'bypassPermissions' }, 1],
  ['agent in the background', 'task', 'copilot-cli', { prompt: 'p', agent_type: 'x', mode: 'background' }, 0],
  ['a prompt for later', 'CronCreate', 'claude-code', { cron: '* * * * *', prompt: 'p' }, 1],
  ['a prompt for soon', 'ScheduleWakeup', 'claude-code', { prompt: 'p' }, 1],
  ['no wake-up', 'ScheduleWakeup', 'claude-code', { stop: true }, 0],
  ['remote', 'RemoteTrigger', 'claude-code', { action: 'run' }, 1],
  ['script', 'Workflow', 'claude-code', { script: 'x' }, 1],
  ['detached', 'bash', 'copilot-cli', { command: 'x', detach: true }, 1],
  ['changes thrown away', 'ExitWorktree', 'claude-code', { action: 'remove', discard_changes: true }, 1],
  ['another directory', 'bash', 'opencode', { command: 'ls', workdir: '/etc' }, 1],
  ['a directory below', 'bash', 'opencode', { command: 'ls', workdir: 'sub' }, 1],
  ['the directory of the call', 'bash', 'opencode', { command: 'ls', workdir: '/repo/' }, 0],
  ['a directory that is no text', 'bash', 'opencode', { command: 'ls', workdir: 5 }, 1],
  ['without a runner any directory field counts', 'Bash', undefined, { command: 'ls', workdir: '/etc' }, 1],
  [
    'MCP: Codex as a server',
    'mcp__codex__codex',
    'claude-code',
    { prompt: 'p', sandbox: 'danger-full-access', 'approval-policy': 'never' },
    2,
  ],
  ['MCP: plain', 'mcp__s__x', 'claude-code', { text: 't' }, 0],
];

for (const [why, tool, runner, input, count] of widenings)
  test(`widening of ${tool}: ${why}`, () => {
    assert.is(subjectsOf(call(tool, input, runner)).widening.length, count);
  });

const LONG_PATCH = Array.from({ length: 64 }, (_, at) => `+++ b/file${at}\n`).join('');
/** A rule for the whole tool must not carry files or commands past the guards that nobody could read. */
const unseen: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['a patch with a quoted name', 'ApplyPatch', { patch: '+++ b/ok\n+++ "b/.git/hooks/pre-commit"\n' }],
  ['a path behind sixty-four others', 'mcp__fs__write', { paths: [...Array.from({ length: 64 }, () => 'a'), '.git/config'] }],
  ['a path too deep', 'mcp__fs__write', { a: { b: { c: { d: { path: '.git/config' } } } } }],
  ['a patch with a quoted name, for another server', 'mcp__git__apply', { patch: '+++ b/ok\n+++ "b/.git/hooks/x"\n' }],
  ['hosts behind sixty-four others', 'mcp__net__get', { host: `${'a,'.repeat(64)}evil.example` }],
  [
    'files of a patch behind sixty-four others',
    'mcp__git__apply',
    { diff: `${'+++ b/a\n'.repeat(2)}${LONG_PATCH}+++ b/.git/config\n` },
  ],
  ['a path in a field of another name', 'Write', { filename: '.git/config' }],
  ['a command that is no text', 'Bash', { command: { toString: 'ls' } }],
];
for (const [why, tool, input] of unseen)
  test(`${tool} asks: ${why}`, () => {
    const found = subjectsOf(call(tool, input));
    assert.ok(found.missing);
    assert.equal(found.widening, ['Its input does not say what it runs, reads or writes.']);
  });

/** [tool, runner, text, input] */
const texts: readonly (readonly [string, RunnerId | undefined, string, Record<string, unknown>])[] = [
  ['Bash', undefined, 'git push', { command: 'git push' }],
  ['exec_command', 'codex', 'ls', { cmd: 'ls' }],
  ['Read', undefined, 'src/a', { file_path: 'src/a' }],
  ['FileRead', undefined, 'src/a', { file_path: 'src/a' }],
  ['view', 'copilot-cli', 'src/a', { path: 'src/a' }],
  ['WebFetch', undefined, 'https://x', { url: 'https://x' }],
  ['WebSearch', undefined, 'q', { query: 'q' }],
  ['Agent', undefined, 'Explore', { subagent_type: 'Explore' }],
  ['Skill', undefined, 'demo', { skill: 'demo' }],
  ['Glob', undefined, 'src/*', { pattern: 'src/*' }],
  ['Grep', undefined, 'src', { path: 'src' }],
  ['git', undefined, 'status', { input: 'status' }],
  ['mcp__s__t', undefined, 'x', { input: 'x' }],
  ['ApplyPatch', undefined, 'src/a', { patch: '*** Update File: src/a' }],
];

for (const [tool, runner, text, input] of texts)
  test(`${tool} with the text ${JSON.stringify(text)}`, () => {
    assert.equal(inputFromText(tool, text, runner), input);
  });

test('whatever comes in, subjects come out, bounded, and nothing is thrown', () => {
  const tools = ['Bash', 'Read', 'Glob', 'apply_patch', 'mcp__s__x', 'web_fetch', 'Agent', 'unknown'];
  fc.assert(
    fc.property(fc.constantFrom(...tools), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (tool, input) => {
      const found = subjectsOf(call(tool, input as Record<string, unknown>));
      assert.ok(found.subjects.length <= 200);
      assert.is(found.tool.canonical, describeTool(tool).canonical);
    }),
    { numRuns: 300 },
  );
});

test('every file that a patch names is a subject, wherever its header stands', () => {
  const name = fc.stringMatching(/^[a-z./]{1,12}$/).filter((one) => one.trim() !== '');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('Add', 'Update', 'Delete'), name), { minLength: 1, maxLength: 8 }), (files) => {
      const patch = files.map(([verb, file]) => `*** ${verb} File: ${file}\n+x`).join('\n');
      const seen = new Set(shortOf(call('ApplyPatch', { patch })));
      for (const [, file] of files) assert.ok(seen.has(`path/write:${file}`));
    }),
    { numRuns: 100 },
  );
});

test('a megabyte without spaces around :// is read in no time', () => {
  const started = shortOf(call('web_fetch', { prompt: `${'a'.repeat(500_000)}://${'b'.repeat(500_000)}` }, 'gemini-cli'));
  assert.is(started.length, 1);
});

test.run();
