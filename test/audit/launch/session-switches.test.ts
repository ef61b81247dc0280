/** Which settings keep the hook of a session from running: those of an administrator, also where they hold no hooks of their own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionSwitchedOff } from '../../../src/audit/launch/session-switches.js';
import { launch as claudeCodeLauncher } from '../../../src/runner/claude-code/launch.js';
import type { Runner } from '../../../src/runner/hook/runner.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { scratch } from '../../cli/spawned.js';

const MANAGED = 'machine/etc/claude-code/managed-settings.json';
const OFF = '{"disableAllHooks": true}';

/** What is said in a world with these files beside the settings that `policy run` writes. */
function said(files: Readonly<Record<string, string>>, name = 'claude-code'): string | null {
  const settings = claudeCodeLauncher.settings?.('/usr/bin/policy hook claude-code', null, null) ?? '';
  const top = scratch({ 'state/session.json': settings, 'home/x': '', 'project/x': '', 'machine/x': '' });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), text);
  }
  const places = { home: join(top, 'home'), project: join(top, 'project'), machine: join(top, 'machine'), environment: {} };
  return sessionSwitchedOff(runnerNamed(name) as Runner, join(top, 'state/session.json'), places);
}

test('what an administrator has switched off is off, with hooks beside it or without', () => {
  const hooks = '"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}';
  for (const [file, text] of [
    [MANAGED, OFF],
    [MANAGED, '{"allowManagedHooksOnly": true}'],
    [MANAGED, `{"allowManagedHooksOnly": true, ${hooks}}`],
    ['machine/etc/claude-code/managed-settings.d/10-hooks.json', OFF],
  ] as const)
    assert.match(said({ [file]: text }) ?? '', / is set in /, `${file}: ${text}`);
});

test('what person and project say is outranked by the settings of the session', () => {
  for (const file of ['home/.claude/settings.json', 'project/.claude/settings.json', 'project/.claude/settings.local.json'])
    assert.is(said({ [file]: OFF }), null, file);
  assert.is(said({}), null);
  assert.is(said({ [MANAGED]: '{"disableAllHooks": false}' }), null);
});

test('only Claude Code reads these files', () => assert.is(said({ [MANAGED]: OFF }, 'qwen-code'), null));

test.run();
