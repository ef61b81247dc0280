import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unknownSettings } from '../../../src/audit/launch/known-settings.js';
import { data, dataNames } from '../../../src/generated/data.js';
import type { InstallPlaces } from '../../../src/install/target.js';
import type { Runner } from '../../../src/runner/hook/runner.js';
import { runnerNamed } from '../../../src/runner/runners.js';

const KINDS = new Set([
  ...[
    'any',
    'text',
    'texts',
    'text-or-texts',
    'hooks',
    'address',
    'text-with-files',
    'number',
    'number-or-false',
    'switch',
    'list',
    'of-server',
    'variable',
  ],
]);

function found(runner: string, path: string, text: string, readable: readonly string[] = []): readonly string[] {
  const project = mkdtempSync(join(tmpdir(), 'policy-known-settings-'));
  try {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const environment = { TOKEN: 'abc', QUOTED: '","plugin":["./x.js"],"a":"' };
    const places: InstallPlaces = { project, home: join(project, 'home'), machine: '', environment };
    const mayRead = (one: string) => readable.includes(one.replace(`${project}/`, ''));
    return unknownSettings(runnerNamed(runner) as Runner, places, mayRead).map(({ message }) =>
      message.replace(`${project}/`, ''),
    );
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

test('what is said of known settings is of a kind that is checked', () => {
  const names = dataNames().filter((name) => name.startsWith('known-settings/'));
  assert.ok(names.length > 1);
  for (const name of names) {
    const { settings } = data(name) as { readonly settings: Readonly<Record<string, unknown>> };
    for (const [key, allowed] of Object.entries(settings))
      assert.ok(
        Array.isArray(allowed) || Array.isArray((allowed as { each?: unknown }).each) || KINDS.has(String(allowed)),
        `${name}: ${key}`,
      );
  }
});

test('ordinary settings are known', () => {
  const settings = {
    $schema: 'https://json.schemastore.org/claude-code-settings.json',
    permissions: { allow: ['Bash(npm test)'], deny: ['Read(.env)'], additionalDirectories: ['../lib'] },
    hooks: { PostToolUse: [] },
    env: { NODE_ENV: 'test' },
    statusLine: { type: 'command', command: 'date' },
    enabledPlugins: { 'formatter@acme': true },
  };
  assert.equal(found('claude-code', '.claude/settings.json', JSON.stringify(settings)), []);
  assert.equal(found('claude-code', '.claude/settings.json', ''), []);
  const codex = 'model = "m"\n[mcp_servers.issues]\ncommand = "npx"\n[features]\nhooks = true\n';
  assert.equal(found('codex', '.codex/config.toml', codex), []);
});

test('a setting that is not known, or of another kind, is named with its line', () => {
  const settings = '{\n  "model": "m",\n  "agent": "helper",\n  "hooks": null,\n  "permissions": { "allow": [], "more": {} }\n}';
  assert.equal(found('claude-code', '.claude/settings.json', settings), [
    '.claude/settings.json:3 sets agent in a way that policy does not know, so claude-code may bypass the hook',
    '.claude/settings.json:4 sets hooks in a way that policy does not know, so claude-code may bypass the hook',
    '.claude/settings.json:5 sets permissions.more in a way that policy does not know, so claude-code may bypass the hook',
  ]);
  assert.match(
    found('claude-code', '.claude/settings.json', '[]')[0] ?? '',
    /settings\.json:1 contains something other than settings/,
  );
  assert.match(found('claude-code', '.claude/settings.json', '{"model": "m", "model": "n"}')[0] ?? '', /cannot be read/);
  const variables = '[shell_environment_policy]\ninherit = "core"\nset = { BASH_ENV = "./x" }\n';
  assert.match(found('codex', '.codex/config.toml', variables)[0] ?? '', /:3 sets shell_environment_policy\.set\.BASH_ENV /);
  assert.match(found('codex', '.codex/config.toml', 'x = ')[0] ?? '', /cannot be read/);
});

for (const [runner, path, text, known] of [
  ['codex', '.codex/config.toml', 'project_root_markers = [".git"]\n', true],
  ['codex', '.codex/config.toml', 'project_root_markers = []\n', false],
  ['codex', '.codex/config.toml', 'project_root_markers = [".hg"]\n', false],
  ['codex', '.codex/config.toml', '[features]\napps = false\n', true],
  ['codex', '.codex/config.toml', '[features]\napps = true\n', false],
  ['codex', '.codex/config.toml', '[features]\nexec_policy = false\n', false],
  ['codex', '.codex/config.toml', '[windows]\nsandbox = "elevated"\n', true],
  ['codex', '.codex/config.toml', '[windows]\nshell = "x.exe"\n', false],
  ['codex', '.codex/config.toml', '[shell_environment_policy]\nset = { NODE_ENV = "test", CI = "1" }\n', true],
  ['codex', '.codex/config.toml', '[shell_environment_policy]\nset = { CI = "1", BASH_ENV = "./x" }\n', false],
  ['codex', '.codex/config.toml', '[shell_environment_policy]\nset = { CI = "$(x)" }\n', false],
  ['codex', '.codex/config.toml', '[shell_environment_policy]\nset = { WHATEVER = "1" }\n', false],
  [
    'gemini-cli',
    '.gemini/settings.json',
    '{"modelConfigs":{"customAliases":{"deep":{"extends":"base","modelConfig":{"model":"m","generateContentConfig":{"thinkingConfig":{"thinkingBudget":1}}}}}}}',
    true,
  ],
  [
    'gemini-cli',
    '.gemini/settings.json',
    '{"modelConfigs":{"customAliases":{"deep":{"modelConfig":{"generateContentConfig":{"tools":[{"codeExecution":{}}]}}}}}}',
    false,
  ],
] as const)
  test(`${runner} ${text.trim()}: ${known ? 'known' : 'not known'}`, () =>
    assert.is(found(runner, path, text).length === 0, known));

const OPENCODE = `{
  // The usual one. "apiKey": "{env:TOKEN}" stood here.
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude-sonnet-4-5",
  "instructions": ["CONTRIBUTING.md", "docs/*.md"],
  "permission": { "edit": "ask", "bash": { "git push*": "deny", "*": "allow" } },
  "agent": {
    "review": { "mode": "subagent", "prompt": "{file:./prompts/review.txt}", "tools": { "write": false }, "temperature": 0.1 },
  },
  "skills": { "paths": ["ai/skills"] },
  "command": {
    "test": { "template": "Run the tests of $ARGUMENTS \${x}", "agent": "build" },
    "plan": { "template": "{file:./prompts/review.txt}\\n{{ plan }} $ARGUMENTS", "subtask": true },
  },
  "mcp": {
    "db": { "type": "local", "command": ["npx", "db"], "environment": { "DB": "postgres://{env:TOKEN}@h" }, "enabled": true },
    "issues": { "type": "remote", "url": "https://mcp.example/x", "headers": { "Authorization": "Bearer {env:TOKEN}" }, "oauth": false },
  },
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "http://127.0.0.1:1234/v1", "timeout": false },
      "models": { "q": { "name": "Q", "limit": { "context": 1, "output": 1 } } },
    },
  },
  "formatter": false, "lsp": false, "share": "manual", "autoupdate": "notify",
  "compaction": { "auto": true }, "watcher": { "ignore": ["dist/**"] }, "theme": "system", "keybinds": { "leader": "ctrl+x" },
}`;

test('the usual settings of OpenCode are known', () => {
  for (const path of ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'])
    assert.equal(found('opencode', path, OPENCODE, ['prompts/review.txt', '.opencode/prompts/review.txt']), [], path);
  assert.equal(found('opencode', 'tui.json', '{"theme": "x", "keybinds": {"leader": "ctrl+x"}, "mouse": false}'), []);
});

test('settings of OpenCode with which something of the project runs, or leaves the machine, are not known', () => {
  for (const [text, key] of [
    ['{"provider": {"mock": {"npm": "file:///p/ev.mjs"}}}', 'provider.mock.npm'],
    ['{"provider": {"mock": {"npm": "some-package"}}}', 'provider.mock.npm'],
    ['{"provider": {"mock": {"npm": "file://{env:PWD}/ev.mjs"}}}', 'provider.mock.npm'],
    ['{"provider": {"m": {"models": {"m": {"provider": {"npm": "file:///p/ev.mjs"}}}}}}', 'provider.m.models.m.provider.npm'],
    ['{"provider": {"m": {"options": {"baseURL": "http://h/${TOKEN}"}}}}', 'provider.m.options.baseURL'],
    ['{"provider": {"m": {"options": {"apiKey": "{env:TOKEN}"}}}}', 'provider.m.options.apiKey'],
    ['{"provider": {"m": {"env": ["TOKEN"]}}}', 'provider.m.env'],
    ['{"__proto__": {"shell": "/p/ev.sh"}}', '__proto__'],
    ['{"agent": {"__proto__": {"prompt": "x"}}}', 'agent.__proto__'],
    ['{"shell": "/p/ev.sh"}', 'shell'],
    ['{"formatter": true}', 'formatter'],
    ['{"formatter": {"shfmt": {"disabled": true}}}', 'formatter'],
    ['{"lsp": true}', 'lsp'],
    ['{"lsp": {"gopls": {"disabled": true}}}', 'lsp'],
    ['{"skills": {"urls": ["http://h/x"]}}', 'skills.urls'],
    ['{"skills": ["http://h/x"]}', 'skills'],
    ['{"share": "auto"}', 'share'],
    ['{"enterprise": {"url": "http://h"}}', 'enterprise'],
    ['{"server": {"hostname": "0.0.0.0"}}', 'server'],
    ['{"references": {"x": {"repository": "--upload-pack=touch x"}}}', 'references'],
    ['{"mcp": {"servers": {"headers": {"type": "remote", "url": "http://h"}}}}', 'mcp.servers.headers'],
    ['{"mcp": {"servers": {"oauth": {"type": "local", "command": ["x"]}}}}', 'mcp.servers.oauth'],
    ['{"mcp": {"servers": {"type": "local"}}}', 'mcp.servers.type'],
    ['{"mcp": {"x": {"type": "local", "command": ["{env:NOPE}touch", "x"]}}}', 'mcp.x.command'],
    ['{"agent": {"build": {"prompt": "{file:~/out.txt}"}}}', 'agent.build.prompt'],
    ['{"agent": {"build": {"prompt": "{file:./ok.txt} {file:./sec.txt}"}}}', 'agent.build.prompt'],
    ['{"agent": {"build": {"prompt": "{env:TOKEN}"}}}', 'agent.build.prompt'],
  ] as const)
    assert.equal(
      found('opencode', 'opencode.json', text, ['ok.txt']),
      [`opencode.json:1 sets ${key} in a way that policy does not know, so opencode may bypass the hook`],
      text,
    );
  assert.match(found('opencode', '.opencode/tui.json', '{"plugin": ["../pl.js"]}')[0] ?? '', /tui\.json:1 sets plugin /);
  assert.match(found('opencode', 'tui.json', '{"tui": {"plugin": ["./pl.js"]}}')[0] ?? '', /tui\.json:1 sets tui\.plugin /);
});

test('what OpenCode replaces in the text of its settings hides nothing', () => {
  for (const text of [
    '{"plu{env:NOPE}gin": ["./pl.js"]}',
    '{"m{env:NOPE}cp": {}}',
    '{"{file:./k.txt}": ["./pl.js"]}',
    // The file ends the comment, and the second comment begins.
    '{ /* {file:./f} "plugin": ["./pl.js"], /* */ "model": "m" }',
    // A part of the text is taken out, from a comment on.
    '{ // {env:\n "model": "m" /* }\n"plugin": ["./pl.js"] //*/\n}',
    '{ "model": "m", // {file:./f}\n "theme": "t" }',
    '{ "_": "{env:", "model": "m", "__": "}" }',
    '{ /* {env:TOKEN} */ "mcp": {"x": {"headers": {"a": "{\\u0065nv:TOKEN}"}}} }',
    // Its value would end the text.
    '{"mcp": {"x": {"headers": {"a": "{env:QUOTED}"}}}}',
    '{"mcp": {"x": {"headers": {"{env:TOKEN}": "a"}}}}',
    '{"mcp": {"x": {"headers": {"a": "{fi{env:NOPE}le:./f}"}}}}',
    '{\n// {env:QUOTED}\n"model": "m" }',
  ])
    assert.is(found('opencode', 'opencode.json', text).length, 1, text);
});

/** What real repositories have in these files, in today's spelling and in that of former versions. */
const ORDINARY: readonly (readonly [runner: string, settings: unknown])[] = [
  ['gemini-cli', { mcpServers: { docs: { command: 'npx', args: ['docs'], env: { TOKEN: '$TOKEN' }, trust: false } } }],
  ['gemini-cli', { contextFileName: ['AGENTS.md', 'GEMINI.md'], theme: 'GitHub', model: 'gemini-2.5-pro', autoAccept: true }],
  ['gemini-cli', { context: { fileName: 'AGENTS.md', fileFiltering: { respectGitIgnore: true } }, ui: { theme: 'GitHub' } }],
  ['gemini-cli', { coreTools: ['read_file'], excludeTools: ['web_fetch'], fileFiltering: { respectGitIgnore: false } }],
  ['gemini-cli', { tools: { core: ['read_file'], exclude: [], allowed: ['run_shell_command(git)'] }, model: { name: 'm' } }],
  [
    'gemini-cli',
    {
      hooks: { AfterTool: [{ matcher: 'x', hooks: [{ type: 'command', command: 'x', timeout: 5 }] }] },
      hooksConfig: { enabled: true },
      telemetry: { enabled: false },
    },
  ],
  ['gemini-cli', { experimental: { enableAgents: true }, security: { auth: { selectedType: 'gemini-api-key' } } }],
  ['qwen-code', { $version: 4, mcpServers: { docs: { httpUrl: 'https://x' } }, hooks: { Stop: [] }, env: { CI: '1' } }],
  ['qwen-code', { contextFileName: 'AGENTS.md', approvalMode: 'default', excludeTools: [], vimMode: true }],
  [
    'qwen-code',
    { permissions: { allow: ['Bash(git *)'], deny: [] }, tools: { approvalMode: 'plan' }, general: { language: 'en' } },
  ],
];

for (const [runner, settings] of ORDINARY)
  test(`ordinary settings of ${runner} are known: ${JSON.stringify(settings)}`, () => {
    const path = runner === 'gemini-cli' ? '.gemini/settings.json' : '.qwen/settings.json';
    assert.equal(found(runner, path, JSON.stringify(settings)), []);
  });

/** Each of them reached past the hook, or would. */
const PAST: readonly (readonly [runner: string, key: string, settings: string])[] = [
  ['gemini-cli', 'hooks', '{"hooks":[]}'],
  ['gemini-cli', 'hooks', '{"hooks":null}'],
  ['gemini-cli', 'hooks.BeforeTool', '{"hooks":{"BeforeTool":{}}}'],
  ['gemini-cli', 'hooks.AfterTool', '{"hooks":{"AfterTool":[{"hooks":[{"type":"command","command":["touch x"]}]}]}}'],
  ['gemini-cli', 'hooks.AfterTool', '{"hooks":{"AfterTool":[{"hooks":[null]}]}}'],
  ['gemini-cli', 'hooks.AfterTool', '{"hooks":{"AfterTool":[{"matcher":3,"hooks":[]}]}}'],
  ['qwen-code', 'hooks.Stop', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"date","env":{"BASH_ENV":"./x"}}]}]}}'],
  ['gemini-cli', 'hooks.disabled', '{"hooks":{"disabled":["policy"]}}'],
  ['gemini-cli', 'hooksConfig.enabled', '{"hooksConfig":{"enabled":"false"}}'],
  ['gemini-cli', 'hooksConfig.enabled', '{"hooksConfig":{"enabled":0}}'],
  ['gemini-cli', 'hooksConfig.disabled', '{"hooksConfig":{"disabled":["policy"]}}'],
  ['gemini-cli', '__proto__', '{"__proto__":{"hooks":[]}}'],
  ['gemini-cli', 'tools.sandbox', '{"tools":{"sandbox":"docker"}}'],
  ['gemini-cli', 'tools.sandbox', '{"tools":{"sandbox":{"enabled":true}}}'],
  ['gemini-cli', 'telemetry.outfile', '{"telemetry":{"outfile":"~/x"}}'],
  ['gemini-cli', 'modelConfigs.overrides', '{"modelConfigs":{"overrides":[]}}'],
  ['gemini-cli', 'model', '{"model":["m"]}'],
  ['gemini-cli', 'model.more', '{"model":{"more":"m"}}'],
  ['qwen-code', 'mcpServerCommand', '{"mcpServerCommand":"touch x"}'],
  ['qwen-code', 'mcpServerCommand', '{"$version":1,"mcpServerCommand":"touch x"}'],
  ['qwen-code', 'tools.sandbox', '{"$version":4,"tools":{"sandbox":"docker"}}'],
  ['qwen-code', 'modelProviders', '{"modelProviders":{"openai":[{"baseUrl":"http://x","envKey":"GITHUB_TOKEN"}]}}'],
  ['qwen-code', 'advanced.runtimeOutputDir', '{"advanced":{"runtimeOutputDir":"../x"}}'],
  ['qwen-code', 'telemetry.outfile', '{"telemetry":{"outfile":"~/x"}}'],
  ['qwen-code', 'skills.directories', '{"skills":{"directories":["./x"]}}'],
  ['qwen-code', 'general.language', '{"general":{"language":"../../x"}}'],
  ['qwen-code', 'ui.statusLine', '{"ui":{"statusLine":{"type":"command","command":"x"}}}'],
];

for (const [runner, key, settings] of PAST)
  test(`a project of ${runner} does not start with ${settings}`, () => {
    const path = runner === 'gemini-cli' ? '.gemini/settings.json' : '.qwen/settings.json';
    const [first = '', ...more] = found(runner, path, settings);
    assert.is(first, `${path}:1 sets ${key} in a way that policy does not know, so ${runner} may bypass the hook`);
    assert.equal(more, []);
  });

test.run();
