/** Which flags the help text of a client defines. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { knownFlags } from '../../../src/runner/launch/launcher.js';
import { helpOf, helpText, versionsOf } from './help-texts.js';

/** Real texts: what they define, and what they only speak of or do not say at all. */
const REAL: readonly (readonly [runner: RunnerId, version: string, has: string, hasNot: string])[] = [
  ['codex', '0.169.0', '--sandbox -s --json --model -c --skip-git-repo-check --dangerously-bypass-hook-trust', '--full-auto -a'],
  ['codex', '0.130.0', '--sandbox -s --json --skip-git-repo-check', '--full-auto --dangerously-bypass-hook-trust'],
  ['codex', '0.98.0', '--sandbox -s --json --full-auto --skip-git-repo-check', '--ask-for-approval'],
  ['codex', '0.42.0', '--sandbox -s --json --experimental-json --full-auto', '--approval-policy -a'],
  // `--system-prompt-file` stands in prose only.
  [
    'claude-code',
    '2.1.330',
    '--settings --permission-mode --tools --agent --append-system-prompt --disallowedTools --disallowed-tools -p --print',
    '--system-prompt-file',
  ],
  ['claude-code', '2.1.197', '--settings --permission-mode --tools --agent --append-system-prompt', '--restricted'],
  ['claude-code', '2.0.76', '--settings --permission-mode --tools --agent', '--plugin-url --safe-mode'],
  ['gemini-cli', '0.61.0', '--approval-mode --allowed-tools --policy --prompt -p --output-format --sandbox', '--telemetry'],
  ['gemini-cli', '0.20.2', '--approval-mode --allowed-tools --prompt', '--policy'],
  ['copilot-cli', '1.0.102', '--allow-tool --available-tools --output-format --no-ask-user --agent --prompt -p', '--config-dir'],
  ['copilot-cli', '0.0.384', '--allow-tool --available-tools --config-dir --agent -p', '--output-format --no-ask-user'],
  ['opencode', '1.18.33', '--format --auto --model -m --agent --interactive', '--dangerously-skip-permissions'],
  ['opencode', '1.1.65', '--format --model --agent', '--auto --interactive'],
  [
    'qwen-code',
    '0.24.4',
    '--approval-mode --allowed-tools --add-dir --include-directories --append-system-prompt',
    '--experimental-hooks',
  ],
  ['qwen-code', '0.12.0', '--approval-mode --allowed-tools --experimental-hooks', '--append-system-prompt'],
];

for (const [runner, version, has, hasNot] of REAL)
  test(`${runner} ${version}`, () => {
    const knows = helpOf(runner, version);
    for (const flag of has.split(' ')) assert.ok(knows.has(flag), flag);
    for (const flag of hasNot.split(' ')) assert.not.ok(knows.has(flag), flag);
  });

test('a text that only speaks of flags defines none of them', () => {
  const spoken = /--(?!help|version|config|print)[a-z-]+/g;
  for (const runner of ['codex', 'claude-code', 'gemini-cli', 'copilot-cli', 'opencode', 'qwen-code'] as const) {
    const text = helpText(runner, 'stripped');
    for (const [flag] of text.matchAll(spoken)) assert.not.ok(knownFlags(text).has(flag), `${runner} ${flag}`);
  }
});

test('every line of a real text that begins with a flag and two blanks or the end behind it defines that flag', () => {
  let flags = 0;
  for (const runner of ['codex', 'claude-code', 'gemini-cli', 'copilot-cli', 'opencode', 'qwen-code'] as const)
    for (const version of versionsOf(runner)) {
      const knows = helpOf(runner, version);
      for (const line of helpText(runner, version).split('\n')) {
        const words = line.trim().split(/ {2,}/)[0] ?? '';
        if (!/^ {2,6}-/.test(line) || /[a-z)"'.;] [a-z(]|[.;)]$/.test(words)) continue;
        for (const [flag] of words.matchAll(/(?<=^|, )--?[A-Za-z][\w-]*/g)) {
          flags += 1;
          assert.ok(knows.has(flag), `${runner} ${version} ${flag}: ${line}`);
        }
      }
    }
  assert.ok(flags > 500, `${flags} flags`);
});

/** The ways in which programs write their help. */
const FORMS: readonly (readonly [line: string, has: string, hasNot: string])[] = [
  ['  -s, --sandbox <MODE>', '-s --sandbox', '--MODE'],
  ['      --sandbox <MODE>', '--sandbox', '-s'],
  ['  --file <specs...>                     File resources', '--file', ''],
  ['  -i, --image <FILE>...', '-i --image', ''],
  ['  -r, --resume [value]                  Resume', '-r --resume', ''],
  ['      --share[=PATH]  Share', '--share', ''],
  ['  -s SANDBOX, --sandbox SANDBOX  Sandbox', '-s --sandbox', ''],
  ['  --[no-]color  Colours', '--color --no-color', ''],
  ['  --allowedTools, --allowed-tools <tools...>', '--allowedTools --allowed-tools', ''],
  ['  -q | --quiet  Quiet', '-q --quiet', ''],
  ['--json\tEvents', '--json', ''],
  ['  --json\r', '--json', ''],
  ['      --json and --sandbox are gone', '', '--json --sandbox'],
  ['                                        --settings, --agents', '', '--settings --agents'],
  ['  Use --json.', '', '--json'],
  ['      --print).', '', '--print'],
  ['  $ copilot --allow-all', '', '--allow-all'],
  ['  -- everything behind it', '', '--'],
];

for (const [line, has, hasNot] of FORMS)
  test(JSON.stringify(line), () => {
    const knows = knownFlags(`Options:\n${line}\n`);
    for (const flag of has.split(' ').filter(Boolean)) assert.ok(knows.has(flag), flag);
    for (const flag of hasNot.split(' ').filter(Boolean)) assert.not.ok(knows.has(flag), flag);
  });

test('the values that a flag takes, wrapped or not', () => {
  assert.ok(helpOf('claude-code', '2.1.330').takes('--permission-mode', 'manual'));
  assert.not.ok(helpOf('claude-code', '2.1.330').takes('--permission-mode', 'default'));
  assert.ok(helpOf('claude-code', '2.0.76').takes('--permission-mode', 'default'));
  assert.ok(helpOf('gemini-cli', '0.61.0').takes('--approval-mode', 'plan'));
  assert.not.ok(helpOf('gemini-cli', '0.20.2').takes('--approval-mode', 'plan'));
  assert.ok(helpOf('codex', '0.42.0').takes('--sandbox', 'workspace-write'));
  assert.not.ok(helpOf('codex', '0.42.0').takes('--nothing', 'workspace-write'));
});

test('commands', () => {
  assert.ok(helpOf('gemini-cli', '0.61.0').hasCommand('hooks'));
  assert.not.ok(helpOf('gemini-cli', '0.20.2').hasCommand('hooks'));
  assert.ok(helpOf('qwen-code', '0.24.4').hasCommand('hooks'));
  assert.not.ok(helpOf('qwen-code', '0.5.2').hasCommand('hooks'));
  assert.ok(helpOf('copilot-cli', '1.0.102').hasCommand('mcp'));
});

test('a long text of one line takes no time', () => {
  const begin = process.cpuUsage().user;
  for (const part of ['-a, ', '--a <b>', '[no-]', '-', '--aA ', ' '])
    assert.not.ok(knownFlags(`  --x ${part.repeat(200_000)}`).has('--y'));
  assert.ok(process.cpuUsage().user - begin < 2_000_000);
});

test.run();
