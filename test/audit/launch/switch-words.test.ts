/** Which settings are looked at more closely before a run relies on a hook that was tried. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mayBeSwitchedOff } from '../../../src/audit/launch/switch-words.js';
import type { InstallPlaces } from '../../../src/install/target.js';
import { runnerNamed } from '../../../src/runner/registry.js';
import type { Runner } from '../../../src/runner/runner.js';
import { scratch } from '../../cli/spawned.js';

function places(files: Readonly<Record<string, string>>, moved?: string): InstallPlaces {
  const top = scratch({ 'home/x': '', 'project/x': '', 'machine/x': '' });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  const environment = moved === undefined ? {} : { CLAUDE_CONFIG_DIR: join(top, moved) };
  return { home: join(top, 'home'), project: join(top, 'project'), machine: join(top, 'machine'), environment };
}

const claude = runnerNamed('claude-code') as Runner;

test('every file that may switch hooks off is looked at', () => {
  for (const file of [
    'machine/etc/claude-code/managed-settings.json',
    'machine/etc/claude-code/managed-settings.d/10-hooks.json',
    'home/.claude/settings.json',
    'project/.claude/settings.json',
    'project/.claude/settings.local.json',
  ])
    for (const text of [
      '{"disableAllHooks": true}',
      '{"allowManagedHooksOnly": true}',
      String.raw`{"disable\u0041llHooks": true}`,
    ])
      assert.ok(mayBeSwitchedOff(claude, places({ [file]: text })), `${file}: ${text}`);
  assert.ok(mayBeSwitchedOff(claude, places({ 'moved/settings.json': '{"disableAllHooks": true}' }, 'moved')));
});

test('a file that cannot be read counts as one that does', () => {
  const here = places({});
  mkdirSync(join(here.home, '.claude/settings.json'), { recursive: true });
  assert.ok(mayBeSwitchedOff(claude, here));
});

test('settings without these words, no settings, and other runners are left', () => {
  assert.not.ok(mayBeSwitchedOff(claude, places({})));
  assert.not.ok(mayBeSwitchedOff(claude, places({ 'home/.claude/settings.json': '{"hooks": {}, "model": "opus"}' })));
  const off = places({ 'home/.claude/settings.json': '{"disableAllHooks": true}' });
  assert.not.ok(mayBeSwitchedOff(runnerNamed('qwen-code') as Runner, off));
});

test.run();
