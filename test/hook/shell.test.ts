/** Which shell a hook takes a line to be for: the one that the runner uses, or what the installed line says. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withHookWorld } from './world.js';

const POLICY = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\n', 'project/a.txt': '' };
const CLAUDE = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' };
const GEMINI = { hook_event_name: 'BeforeTool', session_id: 's', tool_name: 'run_shell_command' };
const CODEX = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  turn_id: 't',
  model: 'm',
  permission_mode: 'default',
  tool_name: 'Bash',
};
const QWEN = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'run_shell_command' };

const rows: readonly (readonly [
  line: string,
  words: readonly string[],
  payload: object,
  platform: NodeJS.Platform,
  passes: boolean,
  why: string,
])[] = [
  ['ls &> /dev/null', ['claude-code'], CLAUDE, 'linux', true, 'bash and zsh read it alike'],
  ['ls nothere |& cat', ['claude-code'], CLAUDE, 'darwin', true, 'the same'],
  ['[[ -f a.txt && ! -d a.txt ]] && ls', ['claude-code'], CLAUDE, 'linux', true, 'the same'],
  ["grep $'a\\tb' a.txt", ['claude-code'], CLAUDE, 'linux', true, 'the same'],
  ['ls &> /dev/null', ['claude-code'], CLAUDE, 'win32', false, 'on Windows nobody knows'],
  ['ls {a} > /dev/null', ['claude-code'], CLAUDE, 'linux', false, 'zsh reads it otherwise'],
  ['time -p ls', ['claude-code'], CLAUDE, 'linux', false, 'zsh runs -p'],
  ['time -p ls', ['claude-code', '--shell', 'bash'], CLAUDE, 'linux', true, 'a person said that it is bash'],
  ['ls &> /dev/null', ['claude-code', '--shell', 'sh'], CLAUDE, 'linux', false, 'a person said that it is sh'],
  ['time -p ls', ['gemini-cli'], GEMINI, 'linux', true, 'bash alone'],
  ['time -p ls', ['qwen-code'], QWEN, 'linux', true, 'bash alone'],
  ['ls &> /dev/null', ['codex'], CODEX, 'linux', false, "the user's shell, whichever that is"],
  ['ls &> /dev/null', ['codex', '--shell', 'zsh'], CODEX, 'linux', true, 'a person said that it is zsh'],
];

for (const [line, words, payload, platform, passes, why] of rows)
  test(`${words.join(' ')} on ${platform}: ${line}: ${why}`, () => {
    withHookWorld(POLICY, (world) => {
      const text = JSON.stringify({ ...payload, cwd: world.project, tool_input: { command: line } });
      const { exitCode, stdout, stderr } = world.run(text, { words, platform });
      assert.is(exitCode === 0 && !stdout.includes('"ask"'), passes, `${exitCode} ${stdout} ${stderr}`);
    });
  });

test.run();
