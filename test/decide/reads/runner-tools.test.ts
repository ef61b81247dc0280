/** Tools of the runners that are no command and no MCP tool: what only keeps books passes, what reaches further does not. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runnerTools } from '../../../src/call/catalogue.js';
import { RUNNERS, type RunnerId } from '../../../src/call/tool-call.js';
import { decideIn } from '../world.js';

/** Names and fields as the clients themselves declare them: Claude Code 2.1.329, Qwen Code 0.24.4, Gemini CLI 0.61. */
const ROWS: readonly (readonly [runner: RunnerId, tool: string, input: Record<string, unknown>, said: string])[] = [
  ['claude-code', 'StructuredOutput', { answer: 'x', command: 'rm -rf /', file_path: '/etc/shadow' }, 'allow'],
  ['claude-code', 'PowerShell', { command: 'git status' }, 'allow'],
  ['claude-code', 'PowerShell', { command: 'type .env' }, 'ask'],
  ['claude-code', 'PowerShell', { command: 'echo "a\\"; cat .env #"' }, 'ask'],
  ['claude-code', 'PowerShell', { command: 'rm -rf ~' }, 'deny'],
  ['qwen-code', 'structured_output', { answer: 'x' }, 'allow'],
  ['qwen-code', 'enter_plan_mode', {}, 'allow'],
  ['qwen-code', 'report_findings', { level: 'high', findings: [] }, 'allow'],
  ['qwen-code', 'update_goal', { status: 'complete' }, 'allow'],
  ['qwen-code', 'task_list', {}, 'allow'],
  ['qwen-code', 'task_create', { subject: 's', description: 'delete it all' }, 'ask'],
  ['qwen-code', 'task_update', { taskId: '1', description: 'delete it all' }, 'ask'],
  ['qwen-code', 'notebook_edit', { notebook_path: '/repo/a.ipynb', new_source: 'x' }, 'allow'],
  ['qwen-code', 'notebook_edit', { notebook_path: '/other/a.ipynb', new_source: 'x' }, 'ask'],
  ['qwen-code', 'notebook_edit', { notebook_path: '/home/me/.qwen\\ /settings.json ', new_source: 'x' }, 'deny'],
  ['qwen-code', 'notebook_edit', { new_source: 'x' }, 'ask'],
  ['qwen-code', 'cron_list', {}, 'allow'],
  ['qwen-code', 'cron_create', { cron: '* * * * *', prompt: 'go on' }, 'ask'],
  ['qwen-code', 'loop_wakeup', { delaySeconds: 60, prompt: 'go on' }, 'ask'],
  ['qwen-code', 'enter_worktree', { name: 'a' }, 'ask'],
  ['qwen-code', 'exit_worktree', { name: 'a', action: 'remove', discard_changes: true }, 'ask'],
  ['qwen-code', 'read_mcp_resource', { server_name: 'a', uri: 'b://c' }, 'ask'],
  ['gemini-cli', 'get_internal_docs', { path: 'cli/index.md' }, 'allow'],
  ['gemini-cli', 'tracker_create_task', { title: 't', description: 'd', type: 'task' }, 'allow'],
  ['gemini-cli', 'tracker_list_tasks', {}, 'allow'],
  ['gemini-cli', 'list_mcp_resources', { serverName: 'a' }, 'ask'],
  ['gemini-cli', 'read_mcp_resource', { uri: 'b://c' }, 'ask'],
];
for (const [runner, tool, input, said] of ROWS)
  test(`${runner}: ${tool} ${JSON.stringify(input)} gets ${said}`, () => {
    assert.is(decideIn({ preset: 'safe' }, tool, input, { runner }).decision, said);
  });

/** A policy that asks by default asks about calls with an effect, not about the session's own books. */
const ASKS = { preset: 'safe', policy: { default: 'ask' } } as const;
const OWN: typeof ROWS = [
  ['claude-code', 'BashOutput', { bash_id: 'a1' }, 'allow'],
  ['claude-code', 'TaskOutput', { task_id: 'a1' }, 'allow'],
  ['claude-code', 'KillShell', { shell_id: 'a1' }, 'allow'],
  ['claude-code', 'KillBash', { shell_id: 'a1' }, 'allow'],
  ['claude-code', 'TaskStop', { task_id: 'a1' }, 'allow'],
  ['claude-code', 'AskUserQuestion', { questions: [] }, 'allow'],
  ['claude-code', 'EnterPlanMode', {}, 'allow'],
  ['claude-code', 'ExitPlanMode', { plan: 'x' }, 'allow'],
  ['claude-code', 'TodoWrite', { todos: [] }, 'allow'],
  ['claude-code', 'SendUserMessage', { message: 'done' }, 'allow'],
  ['claude-code', 'SendUserMessage', { message: 'done', attachments: ['/repo/out.png'] }, 'allow'],
  ['claude-code', 'SendUserMessage', { message: 'done', attachments: ['/repo/.env'] }, 'ask'],
  ['claude-code', 'SendUserMessage', { message: 'done', attachments: ['/home/me/notes.txt'] }, 'ask'],
  ['codex', 'update_plan', { plan: [] }, 'allow'],
  ['codex', 'wait', { cell_id: '1' }, 'allow'],
  ['gemini-cli', 'write_todos', { todos: [] }, 'allow'],
  ['gemini-cli', 'exit_plan_mode', {}, 'allow'],
  ['copilot-cli', 'stop_bash', { shellId: 'a' }, 'allow'],
  ['opencode', 'question', {}, 'allow'],
  ['qwen-code', 'task_stop', { task_id: 'a' }, 'allow'],
  ['cursor', 'AskQuestion', {}, 'allow'],
  // Borrowed names, and tools with an effect.
  ['codex', 'KillShell', { shell_id: 'a1' }, 'ask'],
  ['claude-code', 'mcp__x__KillShell', { shell_id: 'a1' }, 'ask'],
  ['claude-code', 'WebSearch', { query: 'a' }, 'ask'],
  ['claude-code', 'ListMcpResourcesTool', {}, 'ask'],
  ['claude-code', 'ReadMcpResourceTool', { server: 'a', uri: 'b://c' }, 'ask'],
  ['claude-code', 'Agent', { prompt: 'x' }, 'ask'],
  ['claude-code', 'SendMessage', { to: 'a', message: 'x' }, 'ask'],
  ['claude-code', 'CronCreate', { cron: '* * * * *', prompt: 'x' }, 'ask'],
  ['claude-code', 'CronDelete', { id: 'x' }, 'ask'],
  ['claude-code', 'EnterWorktree', { name: 'x' }, 'ask'],
  ['claude-code', 'PushNotification', { message: 'x' }, 'ask'],
  ['qwen-code', 'task_create', { subject: 's', description: 'd' }, 'ask'],
  ['copilot-cli', 'write_bash', { input: 'y' }, 'ask'],
];
for (const [runner, tool, input, said] of OWN)
  test(`default ask, ${runner}: ${tool} ${JSON.stringify(input)} gets ${said}`, () => {
    const decision = decideIn(ASKS, tool, input, { runner });
    assert.is(decision.decision, said);
    // A plan that a rule allows would lose the dialog of the runner in which the person approves it.
    if (tool === 'ExitPlanMode') assert.is(decision.rule, null);
  });

test('a written tier, default or rule outweighs that a tool only keeps books', () => {
  const worlds = [
    { ...ASKS, ask: ['TaskStop'] },
    { policy: { tiers: { safe: 'ask' }, default: 'ask' } },
    { policy: { default: 'deny' } },
  ] as const;
  const said = worlds.map((world) => decideIn(world, 'KillShell', { shell_id: 'a1' }, { runner: 'claude-code' }).decision);
  assert.equal(said, ['ask', 'ask', 'deny']);
});

test('the names count in their own runner only', () => {
  assert.is(decideIn({ preset: 'safe' }, 'structured_output', {}, { runner: 'claude-code' }).decision, 'ask');
  assert.is(decideIn({ preset: 'safe' }, 'tracker_list_tasks', {}, { runner: 'qwen-code' }).decision, 'ask');
});

test('a rule that denies outweighs that a tool only keeps books', () => {
  const world = { preset: 'safe', deny: ['StructuredOutput'] } as const;
  assert.is(decideIn(world, 'structured_output', {}, { runner: 'qwen-code' }).decision, 'deny');
});

/** Every tool of every runner that searches a tree, from the catalogue: it reads what lies below its start, whatever field names the start. */
for (const runner of RUNNERS)
  for (const { name, canonical = name, subjects = [] } of runnerTools(runner)) {
    if (canonical !== 'Grep' || !subjects.some(({ access }) => access === 'search')) continue;
    test(`${runner}: ${name} asks where it may read what a rule denies`, () => {
      const field = subjects[0]?.fields[0] ?? 'path';
      const said = (deny: string, input: Record<string, unknown>) =>
        decideIn({ preset: 'safe', deny: [deny] }, name, { pattern: 'x', query: 'x', ...input }, { runner }).decision;
      assert.is(said('Read(private/**)', {}), 'ask', 'from the top');
      assert.is(said('Read(private/**)', { glob: 'private/*', include: 'private/*' }), 'ask', 'by a filter');
      assert.is(said('Read(a/private/**)', { [field]: 'a' }), 'ask', 'from a folder above');
      assert.is(said('Read(private/**)', { [field]: 'private' }), 'deny', 'the folder itself');
      assert.is(said('Read(/private/**)', { [field]: 'src' }), 'allow', 'another folder');
      assert.is(said('Read(.env)', {}), 'allow', 'a secret is searched for, and there is none');
    });
  }

test('what a skill would do is asked about also where onAsk allows other questions', () => {
  const rulings = [{ effect: 'ask', message: '.env may hold secrets' }] as const;
  const world = { allow: ['Skill'], policy: { onAsk: 'allow' }, facts: { skill: { rulings } } } as const;
  assert.is(decideIn(world, 'Skill', { skill: 's' }, { runner: 'claude-code' }).decision, 'ask');
});

test.run();
