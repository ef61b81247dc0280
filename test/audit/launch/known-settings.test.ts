import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unknownSettings } from '../../../src/audit/launch/known-settings.js';
import type { InstallPlaces } from '../../../src/enforce/install/target.js';
import { data, dataNames } from '../../../src/generated/data.js';
import { runnerNamed } from '../../../src/runner/registry.js';
import type { Runner } from '../../../src/runner/runner.js';

const KINDS = new Set(['any', 'text', 'texts', 'number', 'switch', 'list']);

function found(runner: string, path: string, text: string): readonly string[] {
  const project = mkdtempSync(join(tmpdir(), 'policy-known-settings-'));
  try {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const places = { project, home: join(project, 'home') } as InstallPlaces;
    return unknownSettings(runnerNamed(runner) as Runner, places).map(({ message }) => message.replace(`${project}/`, ''));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

test('what is said of known settings is of a kind that is checked', () => {
  const names = dataNames().filter((name) => name.startsWith('known-settings/'));
  assert.ok(names.length > 1);
  for (const name of names) {
    const { settings } = data(name) as { readonly settings: Readonly<Record<string, unknown>> };
    for (const [key, allowed] of Object.entries(settings))
      assert.ok(Array.isArray(allowed) || KINDS.has(String(allowed)), `${name}: ${key}`);
  }
});

test('ordinary settings are known', () => {
  const settings = {
    $schema: 'https://json.schemastore.org/claude-code-settings.json',
    permissions: { allow: ['Bash(npm test)'], deny: ['Read(.env)'], additionalDirectories: ['../lib'] },
    hooks: { PostToolUse: [] },
    env: { NODE_ENV: 'test' },
    statusLine: { type: 'command', command: 'date' },
    enabledPlugins: { 'formatter@acme': true },
  };
  assert.equal(found('claude-code', '.claude/settings.json', JSON.stringify(settings)), []);
  assert.equal(found('claude-code', '.claude/settings.json', ''), []);
  const codex = 'model = "m"\n[mcp_servers.issues]\ncommand = "npx"\n[features]\nhooks = true\n';
  assert.equal(found('codex', '.codex/config.toml', codex), []);
});

test('a setting that is not known, or of another kind, is named with its line', () => {
  const settings = '{\n  "model": "m",\n  "agent": "helper",\n  "hooks": null,\n  "permissions": { "allow": [], "more": {} }\n}';
  assert.equal(found('claude-code', '.claude/settings.json', settings), [
    '.claude/settings.json:3 sets agent in a way that policy does not know, so claude-code may act past the hook',
    '.claude/settings.json:4 sets hooks in a way that policy does not know, so claude-code may act past the hook',
    '.claude/settings.json:5 sets permissions.more in a way that policy does not know, so claude-code may act past the hook',
  ]);
  assert.match(
    found('claude-code', '.claude/settings.json', '[]')[0] ?? '',
    /settings\.json:1 holds something other than settings/,
  );
  assert.match(found('claude-code', '.claude/settings.json', '{"model": "m", "model": "n"}')[0] ?? '', /cannot be read/);
  assert.match(found('codex', '.codex/config.toml', 'x = ')[0] ?? '', /cannot be read/);
});

test.run();
