// Files of a project that act past the hook, as `policy run` looks at them before it starts a client: refused, noted, or left out.
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pastTheHook, switchedOffBelow, unjudged } from '../../../src/audit/launch/around.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { openWorkspace } from '../../../src/project/workspace.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { world } from '../doctor/doctor-world.js';

const test = suite('launch/around');

const POLICY = 'version: 1\npreset: safe\ndeny: ["Bash(make *)"]\n';
const DEEP = `{ "x": ${'['.repeat(150)}${']'.repeat(150)} }`;
const hook = (event: string, command: string) =>
  JSON.stringify({ hooks: { [event]: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } });
const lsp = (command: string) => JSON.stringify({ lsp: { x: { command: [command, 'evil'], extensions: ['.md'] } } });
const server = (command: string) => JSON.stringify({ mcp: { serverCommand: `${command} evil` } });

/** [client, file of the project, its text, what the run with a goal makes of it] */
const rows: readonly (readonly [
  runner: RunnerId,
  file: string,
  text: string,
  becomes: 'past the hook' | 'denied' | 'noted' | 'nothing',
])[] = [
  ['copilot-cli', '.claude/settings.json', hook('PreToolUse', './x'), 'past the hook'],
  ['copilot-cli', '.claude/settings.local.json', hook('PreToolUse', './x'), 'past the hook'],
  ['copilot-cli', '.claude/settings.local.json', hook('SessionStart', 'make evil'), 'denied'],
  ['copilot-cli', '.claude/settings.json', hook('Stop', 'npm run evil'), 'noted'],
  ['copilot-cli', '.claude/settings.json', DEEP, 'past the hook'],
  ['claude-code', '.claude/settings.json', DEEP, 'past the hook'],
  ['claude-code', '.claude/settings.local.json', DEEP, 'past the hook'],
  ['qwen-code', '.qwen/settings.json', DEEP, 'past the hook'],
  ['gemini-cli', '.gemini/settings.json', DEEP, 'past the hook'],
  ['codex', '.codex/hooks.json', DEEP, 'past the hook'],
  ['codex', '.codex/config.toml', `x = ${'['.repeat(150)}${']'.repeat(150)}\n`, 'past the hook'],
  ['gemini-cli', '.env', 'GEMINI_CLI_HOME=./fakehome\n', 'past the hook'],
  ['gemini-cli', '.env', 'GEMINI_API_KEY=x\n', 'nothing'],
  ['opencode', '.opencode/tool/x.ts', 'export default {}\n', 'past the hook'],
  ['opencode', '.opencode/tools/x.js', 'export default {}\n', 'past the hook'],
  ['opencode', '.opencode/tools/README.md', 'x\n', 'nothing'],
  ['opencode', 'opencode.json', lsp('make'), 'denied'],
  ['opencode', '.opencode/opencode.json', lsp('make'), 'denied'],
  ['opencode', 'opencode.json', lsp('evil-server'), 'noted'],
  ['gemini-cli', '.gemini/settings.json', server('make'), 'denied'],
  ['gemini-cli', '.gemini/settings.json', server('npx'), 'noted'],
  ['qwen-code', '.qwen/settings.json', server('make'), 'denied'],
  ['qwen-code', '.qwen/settings.json', server('npx'), 'noted'],
];

for (const [id, file, text, becomes] of rows)
  test(`${id}: ${file} ${text.slice(0, 60)} is ${becomes}`, () => {
    const here = world('none');
    here.write('.config/policy/policy.yaml', POLICY);
    here.write(`project/${file}`, text);
    const { home, project, machine } = here;
    const environment = { HOME: home, PATH: '/usr/bin:/bin' };
    const places = { home, project, machine, environment };
    const opened = openWorkspace({ cwd: project, project, home, platform: process.platform, environment });
    const runner = runnerNamed(id);
    if (!opened.ok || runner === undefined) throw new Error('the world is broken');
    const past = pastTheHook(runner, places, opened.workspace, project);
    const { denied, noted } = unjudged(runner, places, opened.workspace, project, { headless: true, reach: 'full' });
    const found = past.length > 0 ? 'past the hook' : denied.length > 0 ? 'denied' : noted.length > 0 ? 'noted' : 'nothing';
    assert.is(found, becomes);
  });

/** [client, file of a folder below the project, its text, how often hooks are off] */
const BELOW: readonly (readonly [runner: RunnerId, file: string, text: string, times: number])[] = [
  ['gemini-cli', '.gemini/settings.json', '{"hooksConfig":{"enabled":false}}', 1],
  ['gemini-cli', '.gemini/settings.json', '{"hooksConfig":{"disabled":["policy"]}}', 1],
  ['gemini-cli', '.gemini/settings.json', '{"hooksConfig":{"enabled":true}}', 0],
  ['codex', '.codex/config.toml', '[features]\nhooks = false\n', 1],
  ['qwen-code', '.qwen/settings.json', '{"disableAllHooks":true}', 1],
  ['copilot-cli', '.github/copilot/settings.json', '{"disableAllHooks":true}', 0],
];

for (const [id, file, text, times] of BELOW)
  test(`${id}: ${file} below the project says ${text.trim()}`, () => {
    const here = world('none');
    const { home, project, machine } = here;
    const places = { home, project, machine, environment: { HOME: home, PATH: '/usr/bin:/bin' } };
    const runner = runnerNamed(id);
    if (runner === undefined) throw new Error('no such runner');
    here.write(`project/a/${file}`, text);
    const found = (cwd: string) => switchedOffBelow(runner, places, join(project, cwd)).map(({ message, fix }) => [message, fix]);
    for (const cwd of ['a', 'a/b']) {
      assert.is(found(cwd).length, times, cwd);
      for (const [message = '', fix = ''] of found(cwd)) {
        assert.ok(message.startsWith(`${id} runs no hook: `) && message.endsWith(`is set in ${project}/a/${file}`), message);
        assert.match(fix, /^take \S+ out of /);
      }
    }
    assert.equal([...found('.'), ...found('b')], [], 'the doctor looks there, and nobody does');
  });

test.run();
