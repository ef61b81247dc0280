/** Tools of the runners that are no command and no MCP tool: what only keeps books passes, what reaches further does not. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../src/call/tool-call.js';
import { decideIn } from './world.js';

/** Names and fields as the clients themselves declare them: Claude Code 2.1.329, Qwen Code 0.24.4, Gemini CLI 0.61. */
const ROWS: readonly (readonly [runner: RunnerId, tool: string, input: Record<string, unknown>, said: string])[] = [
  ['claude-code', 'StructuredOutput', { answer: 'x', command: 'rm -rf /', file_path: '/etc/shadow' }, 'allow'],
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

test('the names count in their own runner only', () => {
  assert.is(decideIn({ preset: 'safe' }, 'structured_output', {}, { runner: 'claude-code' }).decision, 'ask');
  assert.is(decideIn({ preset: 'safe' }, 'tracker_list_tasks', {}, { runner: 'qwen-code' }).decision, 'ask');
});

test('a rule that denies outweighs that a tool only keeps books', () => {
  const world = { preset: 'safe', deny: ['StructuredOutput'] } as const;
  assert.is(decideIn(world, 'structured_output', {}, { runner: 'qwen-code' }).decision, 'deny');
});

test.run();
