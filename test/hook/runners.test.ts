/** The hook's bundles answer every runner as the sources do. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNER_NAMES } from '../../src/runner/registry.js';
import { bundled, hookMain, shown } from './in-process.js';
import { withHookWorld } from './world.js';

const POLICY = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\ndeny: ["Bash(git clean *)"]\n' };
const check = bundled ? test : test.skip;
const statusBy = (tool: string) => ({ tool_name: tool, tool_input: { command: 'git status' }, tool_use_id: 't' });

/** A call of every other runner, as its payload tells it (recorded; of Cursor and agent-code from their documentation), but for the folder. */
const ELSEWHERE: readonly (readonly [runner: string, payload: Readonly<Record<string, unknown>>])[] = [
  ['codex', { session_id: 's', turn_id: 't', hook_event_name: 'PreToolUse', permission_mode: 'default', ...statusBy('Bash') }],
  ['gemini-cli', { session_id: 's', hook_event_name: 'BeforeTool', ...statusBy('run_shell_command') }],
  ['copilot-cli', { sessionId: 's', timestamp: 1, toolName: 'bash', toolArgs: { command: 'git status', description: 'd' } }],
  ['qwen-code', { session_id: 's', hook_event_name: 'PreToolUse', permission_mode: 'default', ...statusBy('run_shell_command') }],
  [
    'opencode',
    {
      hook: 'tool.execute.before',
      input: { tool: 'bash', sessionID: 's', callID: 'c' },
      output: { args: { command: 'git status', description: 'd' } },
    },
  ],
  ['cursor', { hook_event_name: 'preToolUse', conversation_id: 'c', generation_id: 'g', ...statusBy('Shell') }],
  ['agent-code', { event: 'pre_tool_use', session_id: 's', ...statusBy('Bash') }],
];

check('a call of any other runner is answered as by the sources', () => {
  withHookWorld(POLICY, (world) => {
    const { own, runHook } = hookMain();
    for (const [runner, fields] of ELSEWHERE) {
      const text = JSON.stringify({ ...fields, cwd: world.project });
      const output = runHook({ ...world.process(text), words: [runner], compile: own.compile, seal: () => {} });
      assert.is(shown(output), shown(world.run(text, { words: [runner] })), runner);
    }
  });
});

test('every other runner has its call here', () => {
  assert.equal(['claude-code', ...ELSEWHERE.map(([runner]) => runner)].sort(), [...RUNNER_NAMES].sort());
});

test.run();
