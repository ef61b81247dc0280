/** Starting a coding agent without its hooks is asked about, whatever allows the command; a usual start follows the policy. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNER_PROGRAMS } from '../../../src/decide/guards/runner-starts.js';
import { decideIn } from '../world.js';

const EVERYTHING = { allow: ['Bash(*)'] };
const BY_DEFAULT = { policy: { default: 'allow' as const } };

/** [line, what the question names] */
const asked: readonly (readonly [line: string, names: RegExp])[] = [
  ['claude --bare', /started with --bare/],
  ['claude --bare -p "fix the bug"', /with --bare, which/],
  ['claude -p "fix the bug" --safe-mode', /--safe-mode/],
  ['claude --settings x.json -p "fix the bug"', /--settings/],
  ['claude --settings=x.json', /--settings/],
  ['claude --setting-sources user', /--setting-sources/],
  ['claude --dangerously-skip-permissions', /--dangerously-skip-permissions/],
  ['claude --permission-mode bypassPermissions -p "x y"', /--permission-mode bypassPermissions/],
  ['claude --plugin-dir ./p', /--plugin-dir/],
  ['claude --mcp-config x.json', /--mcp-config/],
  ['claude --frobnicate', /--frobnicate/],
  [`claude --${'x'.repeat(500)}`, /^.{0,200}$/],
  ['claude -pc "x y"', /-pc/],
  ['claude mcp add x -- sh -c id', /the word mcp/],
  ['claude plugin install x', /the word plugin/],
  ['claude -p plugin disable x', /the word plugin/],
  ['claude --model --bare', /--bare/],
  ['claude -p -- mcp add x', /the word mcp/],
  ['CLAUDE_CONFIG_DIR=/tmp/x claude -p "x y"', /CLAUDE_CONFIG_DIR=/],
  ['env CLAUDE_CONFIG_DIR=/tmp/x claude -p "x y"', /CLAUDE_CONFIG_DIR=/],
  ['export CLAUDE_CONFIG_DIR=/tmp/x; claude -p "x y"', /CLAUDE_CONFIG_DIR=/],
  ['export CLAUDE_CONFIG_DIR=/tmp/x\nclaude', /CLAUDE_CONFIG_DIR=/],
  ['HOME=/tmp/x; claude', /HOME=/],
  ['HOME=/tmp/x claude', /HOME=/],
  ['NODE_OPTIONS=--require=./x.js gemini -p "x y"', /NODE_OPTIONS=/],
  ['. ./env.sh && claude -p "x y"', /variables that \. may set/],
  ['CODEX_HOME=/tmp/x codex exec "x y"', /CODEX_HOME=/],
  ['codex exec --dangerously-bypass-hook-trust "x y"', /--dangerously-bypass-hook-trust/],
  ['codex exec --dangerously-bypass-approvals-and-sandbox "x y"', /--dangerously-bypass-approvals-and-sandbox/],
  ['codex exec --ignore-user-config "x y"', /--ignore-user-config/],
  ['codex exec -c features.hooks=false "x y"', /-c features\.hooks=false/],
  ['codex exec --disable hooks "x y"', /--disable/],
  ['codex --profile x exec "x y"', /--profile/],
  ['codex features disable hooks', /the word features/],
  ['codex mcp add x', /the word mcp/],
  ['gemini --yolo -p "x y"', /--yolo/],
  ['gemini --approval-mode=yolo -p "x y"', /--approval-mode yolo/],
  ['gemini hooks disable policy', /the word hooks/],
  ['gemini -e none -p "x y"', /-e/],
  ['GEMINI_CLI_HOME=/tmp gemini', /GEMINI_CLI_HOME=/],
  ['qwen --bare -p "x y"', /--bare/],
  ['qwen hooks disable', /the word hooks/],
  ['copilot --yolo', /--yolo/],
  ['COPILOT_HOME=/tmp copilot -p "x y"', /COPILOT_HOME=/],
  ['copilot --config-dir /tmp/x', /--config-dir/],
  ['opencode --pure run "x y"', /--pure/],
  ['OPENCODE_CONFIG=/tmp/x opencode run "x y"', /OPENCODE_CONFIG=/],
  ['opencode serve', /the word serve/],
  ['cursor-agent --force -p "x y"', /--force/],
  // However it is called.
  ['/usr/local/bin/claude --bare', /--bare/],
  ['./node_modules/.bin/codex exec --trust "x y"', /--trust/],
  ['CLAUDE --bare', /--bare/],
  ['claude.exe --bare', /--bare/],
  ['npx @anthropic-ai/claude-code --bare', /--bare/],
  ['npx -y @openai/codex@latest exec --ignore-user-config "x y"', /--ignore-user-config/],
  ['node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare', /--bare/],
  ['/home/me/.local/share/claude/versions/2.1.329 --bare', /--bare/],
  ['timeout 60 claude --bare', /--bare/],
  ['nohup claude --bare &', /--bare/],
  ['sh -c "claude --bare"', /--bare/],
  ['ls && claude --bare', /--bare/],
  ['echo hi | claude --bare -p', /--bare/],
  ['echo --bare | xargs claude', /words that cannot be read/],
  ['c"laude" \\--bare', /--bare/],
];

for (const [line, names] of asked)
  test(`asked: ${line}`, () => {
    for (const world of [EVERYTHING, BY_DEFAULT]) {
      const { decision, reasons } = decideIn(world, 'Bash', line);
      assert.is(decision, 'ask', JSON.stringify(world));
      assert.ok(
        reasons.some(({ code, message }) => code === 'runner/start' && names.test(message)),
        reasons.map(({ message }) => message).join('\n'),
      );
    }
  });

// Below a rule for every command only; by default what only the shell knows asks by itself.
const askedUnseen = ['claude $FLAGS', 'claude -p $PROMPT', 'c=claude; $c --bare', 'claude -p *'];
for (const line of askedUnseen) test(`asked: ${line}`, () => assert.is(decideIn(EVERYTHING, 'Bash', line).decision, 'ask'));

test('no rule for the program outweighs the question', () => {
  for (const allow of [['Bash(claude *)'], ['Bash(claude --bare -p x)'], ['Bash']])
    assert.is(decideIn({ allow }, 'Bash', 'claude --bare -p x').decision, 'ask', allow.join());
});

const followed: readonly string[] = [
  'claude --version',
  'claude -v',
  'claude --help',
  'claude -p "fix the bug"',
  "claude -p 'fix the bug' --output-format json",
  'claude --print --model=opus "fix the bug"',
  'claude -p hi',
  'claude -p --permission-mode plan "what is in here"',
  'claude "fix the bug"',
  'claude --allowedTools Read Edit -p "fix the bug"',
  'claude doctor',
  'claude update',
  'git diff | claude -p "review this"',
  'ANTHROPIC_API_KEY=abc claude -p "fix the bug"',
  'CI=1 claude -p "fix the bug"',
  'codex --version',
  'codex exec "fix the bug"',
  'codex exec --json -m gpt-5 -s workspace-write "fix the bug"',
  'codex exec -c model_reasoning_effort=high "fix the bug"',
  'codex login',
  'gemini -p "fix the bug"',
  'gemini --version',
  'gemini -p hooks',
  'qwen -p "fix the bug" --approval-mode plan',
  'copilot -p "fix the bug" --allow-all-tools',
  "copilot -p 'fix the bug' --allow-tool='shell(git status)'",
  'opencode run "fix the bug"',
  'opencode run -m anthropic/x "fix the bug"',
  'cursor-agent -p "fix the bug"',
  'npx @anthropic-ai/claude-code --version',
  // Other programs, and words that only look like them.
  'node server.js --bare',
  'git init --bare',
  'echo claude --bare',
  'ls claude --bare',
  'grep -r claude docs',
  'npm run codex -- --trust',
  'export FOO=1; make',
];
for (const line of followed)
  test(`the policy decides: ${line}`, () => {
    for (const world of [EVERYTHING, BY_DEFAULT]) {
      const { decision, reasons } = decideIn(world, 'Bash', line);
      assert.is(decision, 'allow', reasons.map(({ message }) => message).join('\n'));
    }
    assert.is(
      decideIn({}, 'Bash', line).reasons.some(({ code }) => code === 'runner/start'),
      false,
    );
  });

test('the names in the data are those that the engine looks for', () => {
  const { runners } = load(readFileSync('rules/runner-starts.yaml', 'utf8')) as {
    runners: Record<string, { names: string[] }>;
  };
  assert.equal(
    Object.values(runners)
      .flatMap(({ names }) => names)
      .sort(),
    [...RUNNER_PROGRAMS].sort(),
  );
});

test.run();
