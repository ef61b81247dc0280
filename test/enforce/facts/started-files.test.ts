/** Writes to files of the project that settings of coding agents and of git start, and to files that a policy extends. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeIn } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeIn('version: 1\npreset: develop\nallow: ["Edit(./**)"]\n');

const hook = (command: string) =>
  JSON.stringify({
    hooks: { PostToolUse: [{ hooks: [{ type: 'command', command }] }] },
    permissions: { allow: ['Read(notes.md)'] },
  });
const server = (command: string, args: readonly string[]) => JSON.stringify({ mcpServers: { x: { command, args } } }, null, 2);
const GIT = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' };

const asked: readonly (readonly [file: string, text: string, line: string])[] = [
  ['.claude/settings.json', hook('bash scripts/fmt.sh'), 'echo x > scripts/fmt.sh'],
  ['.claude/settings.json', hook('"$CLAUDE_PROJECT_DIR"/scripts/fmt.sh --all'), 'cp src/a.ts scripts/fmt.sh'],
  ['.claude/settings.json', hook('node ${CLAUDE_PROJECT_DIR}/tools/check.mjs'), 'sed -i s/a/b/ tools/check.mjs'],
  ['.claude/settings.json', hook('cd tools && node check.mjs'), 'rm tools/check.mjs'],
  [
    '.claude/settings.local.json',
    JSON.stringify({ statusLine: { type: 'command', command: './bin/line' } }),
    'chmod +x bin/line; echo x > bin/line',
  ],
  ['.claude/settings.json', JSON.stringify({ apiKeyHelper: './bin/key.sh' }), 'tee bin/key.sh'],
  ['.mcp.json', server('node', ['tools/mcp.js']), 'echo x >> tools/mcp.js'],
  ['.mcp.json', server('./tools/server', []), 'mv src/a.ts tools/server'],
  ['.mcp.json', server('python', ['-m', 'tools.server']), 'echo x > tools/server.py'],
  ['.mcp.json', server('node', ['tools/mcp.js']), 'rm -r tools'],
  ['.codex/config.toml', '[mcp_servers.x]\ncommand = "node"\nargs = ["./tools/mcp.js"]\n', 'touch tools/mcp.js'],
  ['.codex/config.toml', 'notify = ["python3", "tools/notify.py"]\n', 'echo x > tools/notify.py'],
  ['.gemini/settings.json', server('node', ['tools/mcp.js']), 'echo x > tools/mcp.js'],
  ['.qwen/settings.json', hook('sh ./scripts/fmt.sh'), 'echo x > ./scripts/../scripts/fmt.sh'],
  [
    '.cursor/hooks.json',
    JSON.stringify({ version: 1, hooks: { afterFileEdit: [{ command: './scripts/fmt.sh' }] } }),
    'echo x > scripts/fmt.sh',
  ],
  [
    '.github/hooks/a.json',
    JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: './scripts/fmt.sh' }] } }),
    'echo x > scripts/fmt.sh',
  ],
  [
    'opencode.json',
    JSON.stringify({ plugin: ['./tools/plug.ts'], mcp: { x: { type: 'local', command: ['node', 'tools/mcp.js'] } } }),
    'echo x > tools/plug.ts',
  ],
  ['.claude/settings.json', hook('sh tidy'), 'echo x > tidy'],
  ['.git/config', '[core]\n\thooksPath = tools/hooks\n', 'echo x > tools/hooks/pre-commit'],
];

const allowed: readonly (readonly [file: string, text: string, line: string])[] = [
  ['.claude/settings.json', hook('bash scripts/fmt.sh'), 'echo x > scripts/other.sh'],
  ['.claude/settings.json', hook('bash scripts/fmt.sh'), 'echo x > src/fmt.sh'],
  ['.claude/settings.json', hook('bash scripts/fmt.sh'), 'bash scripts/fmt.sh; cat scripts/fmt.sh'],
  ['.claude/settings.json', hook('npx prettier --write src/'), 'echo x > src/a.ts'],
  ['.claude/settings.json', hook('ruff format . src/'), 'ruff format . && ruff format src/'],
  ['.claude/settings.json', hook('jq -r .tool_input'), 'echo x > notes.md'],
  ['.mcp.json', server('node', ['tools/mcp.js']), 'mkdir tools/new; rm src/a.ts'],
  ['.claude/settings.json', hook('npm run build'), 'npm run build'],
  ['.mcp.json', server('node', ['tools/mcp.js']), 'eslint tools/mcp.js && node tools/mcp.js'],
  ['.claude/settings.json', hook('make lint'), 'make lint; touch lint'],
  ['.git/config', '[core]\n\thooksPath = /elsewhere/hooks\n', 'echo x > tools/hooks/pre-commit'],
];

for (const [expected, rows] of [
  ['ask', asked],
  ['allow', allowed],
] as const)
  for (const [file, text, line] of rows)
    test(`${expected}: ${line} beside ${file} ${text.slice(0, 90)}`, () =>
      withFiles(
        { ...GIT, 'src/a.ts': '', 'tools/x': '', tidy: '', 'package.json': '{"scripts":{"build":"x"}}', [file]: text },
        (project) => {
          const { decision, message } = judge(project, line);
          assert.is(decision, expected, message);
          if (expected === 'ask') assert.match(message, / starts \(.*is protected|is inside it|core\.hooksPath/);
        },
      ));

test('a question names the settings', () =>
  withFiles({ '.mcp.json': server('node', ['tools/mcp.js']) }, (project) => {
    const { message } = judge(project, 'echo x > tools/mcp.js');
    assert.match(message, 'writing tools/mcp.js asks: a file that .mcp.json starts (tools/mcp.js) is protected');
  }));

test.run();
