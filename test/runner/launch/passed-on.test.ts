/** Words of a person for a client: what goes on to it, and what is refused since the client could then run without our hook. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { LaunchRefused } from '../../../src/runner/launch/launch-refused.js';
import { planOf } from '../../../src/runner/launch/launcher.js';
import { LAUNCHED_RUNNERS, launcherOf } from '../../../src/runner/launched.js';
import { helpOf, helpText, versionsOf } from './help-texts.js';

/** The words that the client gets, or what is said of the one that it does not get. */
function passed(runner: RunnerId, ...extra: readonly string[]): readonly string[] | string {
  const launcher = launcherOf(runner);
  const [newest = ''] = versionsOf(runner);
  if (launcher === null) throw new Error(`${runner} is not launched`);
  const request = { reach: 'write', model: null, goal: 'Fix it', agent: null, settings: '/s.json' } as const;
  try {
    const words = planOf(launcher, { ...request, extra }, helpOf(runner, newest)).arguments;
    const without = planOf(launcher, { ...request, extra: [] }, helpOf(runner, newest)).arguments;
    const goal = without.length - (without.at(-2) === '--' ? 2 : 1);
    return words.slice(goal, goal + extra.length);
  } catch (error) {
    if (error instanceof LaunchRefused) return error.message;
    throw error;
  }
}

const PASSED: readonly (readonly [RunnerId, string])[] = [
  ['claude-code', '--max-turns 3'],
  ['claude-code', '--max-turns=3 --mcp-config a.json b.json'],
  ['claude-code', '-c --fork-session'],
  ['codex', '-i a.png b.png --output-schema s.json'],
  ['gemini-cli', '--screen-reader -d'],
  ['copilot-cli', '--deny-tool shell(git:*) --reasoning-effort high'],
  ['opencode', '--title x --thinking'],
  ['qwen-code', '--max-session-turns 5'],
];
for (const [runner, line] of PASSED)
  test(`${runner} ${line}`, () => {
    assert.equal(passed(runner, ...line.split(' ')), line.split(' '));
  });

/** Each starts a client without our hook, takes its settings away, or loosens what the launcher has set. */
const REFUSED: readonly (readonly [RunnerId, string])[] = [
  ...['--dangerously-skip-permissions', '--bare', '--safe-mode', '--settings=/tmp/x.json', '--settings /tmp/x.json'].map(
    (line) => ['claude-code', line] as const,
  ),
  ...[
    '--setting-sources user',
    '--permission-mode bypassPermissions',
    '--cloud',
    '--plugin-dir x',
    '--allowedTools Bash',
    'doctor',
  ].map((line) => ['claude-code', line] as const),
  ...['--disable hooks', '-c features.hooks=false', '-cfeatures.hooks=false', '-p other', '--ignore-user-config', 'resume'].map(
    (line) => ['codex', line] as const,
  ),
  ...['--dangerously-bypass-hook-trust', '--sandbox danger-full-access', '-s=danger-full-access', '--color=never --yolo'].map(
    (line) => ['codex', line] as const,
  ),
  ...['--yolo', '-y', '--admin-policy p.toml', '--approval-mode=yolo', '--acp'].map((line) => ['gemini-cli', line] as const),
  ...['--allow-all-tools', '--allow-all', '-C /', '--plugin-dir x', '--remote'].map((line) => ['copilot-cli', line] as const),
  ...['--pure', '--auto', '--attach http://127.0.0.1:1', '--dir /', '--thinking=x'].map((line) => ['opencode', line] as const),
  ...['--bare', '--safe-mode', '-e none', '--yolo', '--max-turns 3'].map((line) => ['qwen-code', line] as const),
  // Agents of a folder that is added bring their MCP servers and hooks.
  ...(['claude-code', 'codex', 'copilot-cli', 'qwen-code'] as const).map((runner) => [runner, '--add-dir lib'] as const),
  ...['--include-directories lib', '--include-directories=lib'].flatMap((line) => [
    ['gemini-cli', line] as const,
    ['qwen-code', line] as const,
  ]),
];
for (const [runner, line] of REFUSED)
  test(`${runner} ${line} is refused`, () => {
    const answer = passed(runner, ...line.split(' '));
    assert.type(answer, 'string');
    assert.match(answer as string, /^"[^"]+" is not passed on to \w+: .*; these flags are passed on: --/);
  });

test('a word that is no value of a flag is refused, and so are odd ones', () => {
  for (const word of ['', '-', '--', '---', '=', '--=x', '--__proto__', '--constructor', '-\u0000', 'x'])
    for (const runner of LAUNCHED_RUNNERS) assert.type(passed(runner, word), 'string', `${runner} ${JSON.stringify(word)}`);
  assert.type(passed('claude-code', '--max-turns', '3', '4'), 'string');
});

test('a flag without the value that it needs is refused: it would take the word behind it, and the goal would be a flag', () => {
  for (const line of ['--append-system-prompt', '--max-turns --continue', '--betas', '--mcp-config --max-turns 3'])
    assert.match(passed('claude-code', ...line.split(' ')) as string, /^--\S+ needs a value behind it; .*=VALUE$/, line);
  for (const [runner, flag] of [
    ['codex', '-i'],
    ['copilot-cli', '--session-id'],
    ['opencode', '--session'],
    ['qwen-code', '--system-prompt'],
    ['gemini-cli', '--session-id'],
  ] as const)
    assert.match(passed(runner, flag) as string, / needs a value behind it; /, runner);
  // These do without one, and then take no word that begins with a hyphen.
  for (const runner of ['claude-code', 'gemini-cli', 'copilot-cli', 'qwen-code'] as const) {
    assert.equal(passed(runner, '--resume'), ['--resume']);
    assert.equal(passed(runner, '-r', '--session-id=x'), ['-r', '--session-id=x']);
  }
  assert.type(passed('claude-code', '--resume', 'one', 'two'), 'string');
});

test('a flag whose file is sent to the model without a call is not passed on', () => {
  for (const words of [['--file', 'a.txt'], ['--file=a.txt'], ['-f', 'a.txt'], ['-fa.txt']])
    assert.match(passed('opencode', ...words) as string, /is not passed on to opencode: /, words.join(' '));
});

test('every flag that is passed on is one of the client', () => {
  for (const runner of LAUNCHED_RUNNERS)
    for (const flag of Object.keys(launcherOf(runner)?.passedOn ?? {})) {
      const isNamed = versionsOf(runner).some((version) => helpText(runner, version).includes(flag));
      // It works, and no help text names it.
      assert.ok(isNamed || (runner === 'claude-code' && flag === '--max-turns'), `${runner} ${flag}`);
    }
});

test.run();
