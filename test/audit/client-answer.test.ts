// The client's own answer, from settings files to the decision: the recorded tables of Claude Code 2.1.329, row by row.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientAnswer } from '../../src/audit/claude-code/client-answer.js';
import { type PermissionRules, permissionRules } from '../../src/audit/claude-code/permission-rules.js';
import type { SettingsPlaces } from '../../src/audit/claude-code/settings.js';
import type { ToolCall } from '../../src/call/tool-call.js';
import { scratch } from '../cli/spawned.js';
import { CWD, HOME, type RecordedRow, recordedFiles, recordedForms, recordedTables } from '../lint/claude-rules/recorded.js';

const test = suite('the answer of Claude Code by its own rules');
const FILE = join(scratch({}), 'settings.json');
const ELSEWHERE: SettingsPlaces = { project: '/nowhere', home: '/nowhere', managedDirectory: '/nowhere', extra: [] };

/** The rules of one settings file with these lists. */
function settings(permissions: object): PermissionRules {
  writeFileSync(FILE, JSON.stringify({ permissions }));
  return permissionRules(ELSEWHERE, [FILE]);
}

const decisionOf = (rules: PermissionRules, call: ToolCall) => clientAnswer(rules, call, { cwd: CWD, home: HOME }).decision;

/** Rows that are read otherwise than the client reads them, each with its reason: none. At most 5 % of a table may stand here. */
const READ_OTHERWISE: Readonly<Record<string, string>> = {};

function differences(rows: readonly RecordedRow[]): { readonly other: string[]; readonly looser: string[] } {
  const known = new Map<string, PermissionRules>();
  const other: string[] = [];
  const looser: string[] = [];
  for (const { effect, rule, call, label, matches } of rows) {
    const key = `${effect} ${rule}`;
    const rules = known.get(key) ?? settings({ [effect]: [rule] });
    known.set(key, rules);
    const decided = decisionOf(rules, call) === effect;
    if (decided === matches) continue;
    other.push(`${key} | ${label}`);
    if (decided === (effect === 'allow')) looser.push(`${key} | ${label}`);
  }
  return { other, looser };
}

for (const [name, rows] of Object.entries(recordedTables))
  test(`${name}: ${rows.length} rows`, () => {
    const { other, looser } = differences(rows);
    assert.equal(looser, [], 'none is read looser');
    assert.equal(
      other.filter((row) => READ_OTHERWISE[row] === undefined),
      [],
    );
    assert.ok(other.length <= rows.length * 0.05);
  });

test('spellings of a command: none is allowed that the client asks about, none passes that it denies', () => {
  const allowing = settings({ allow: ['Bash(zz:*)'] });
  const denying = settings({ allow: ['Bash'], deny: ['Bash(zz:*)'] });
  const looser = recordedForms.flatMap(({ command, call, allowRule, denyRule }) => [
    ...(decisionOf(allowing, call) === 'allow' && allowRule !== 'allow' ? [`allow: ${command}`] : []),
    ...(decisionOf(denying, call) !== 'deny' && denyRule === 'deny' ? [`deny: ${command}`] : []),
  ]);
  assert.equal(looser, []);
  // What the client takes for harmless by itself (`ls; zz a`), and what it does not look into under deny (`eval zz`).
  const stricter = recordedForms.filter(
    ({ call, allowRule, denyRule }) =>
      (decisionOf(allowing, call) === 'allow') !== (allowRule === 'allow') ||
      (decisionOf(denying, call) === 'deny') !== (denyRule === 'deny'),
  );
  assert.ok(recordedForms.length > 120 && stricter.length <= 21, `${stricter.length} of ${recordedForms.length}`);
});

test('files that commands of a shell read and change: as denied as by the client, and no other', () => {
  const rules = {
    Read: settings({ allow: ['Bash', 'Read', 'Write'], deny: ['Read(.env)', 'Read(secrets/**)'] }),
    Edit: settings({ allow: ['Bash', 'Read', 'Write'], deny: ['Edit(.env)'] }),
  };
  const other = recordedFiles.filter(({ tool, call, denied }) => (decisionOf(rules[tool], call) === 'deny') !== denied);
  assert.equal(
    other.map(({ tool, text, denied }) => `${tool}: ${text} ${denied ? 'is denied there' : 'runs there'}`),
    [],
  );
});

const bash = (command: string, headless = false): ToolCall => ({
  tool: 'Bash',
  input: { command },
  cwd: CWD,
  headless,
  shell: 'bash',
  runner: 'claude-code',
});

test('modes, headless runs, and what is not known', () => {
  assert.is(decisionOf(settings({}), bash('npm test')), 'ask');
  assert.is(decisionOf(settings({ defaultMode: 'dontAsk' }), bash('npm test')), 'deny');
  assert.is(decisionOf(settings({ defaultMode: 'bypassPermissions' }), bash('npm test')), 'allow');
  assert.is(decisionOf(settings({ defaultMode: 'bypassPermissions', ask: ['Bash(npm:*)'] }), bash('npm test')), 'ask');
  assert.is(decisionOf(settings({}), bash('npm test', true)), 'deny');
  const unknown: ToolCall = { ...bash(''), tool: 'LSP', input: {} };
  assert.is(decisionOf(settings({ allow: ['LSP'], deny: ['LSP(x)'] }), unknown), 'ask');
});

test('every file that the client reads, and none that it leaves out', () => {
  const root = scratch({});
  const places = { project: join(root, 'project'), home: join(root, 'home'), managedDirectory: join(root, 'managed'), extra: [] };
  const write = (path: string, content: object) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
  };
  write('project/.claude/settings.json', { permissions: { allow: ['Bash(a:*)'], deny: ['Bash(b:*)'] } });
  write('home/.claude/settings.json', { permissions: { allow: ['Bash(c:*)'] } });
  const before = permissionRules(places, []);
  assert.equal(
    before.files.map(({ scope, rules }) => [scope, rules]),
    [
      ['project', 2],
      ['user', 1],
    ],
  );
  assert.is(decisionOf(before, bash('c x')), 'allow');
  assert.match(clientAnswer(before, bash('a x'), { cwd: CWD, home: HOME }).message, /if the person trusts the folder/);
  write('project/.claude/settings.json', { permissions: { deny: ['Bash(b:*)'], defaultMode: 'allowEdits' } });
  const lost = permissionRules(places, []);
  assert.is(decisionOf(lost, bash('b x')), 'ask', 'a file that the client ignores denies nothing');
  assert.match(lost.files[0]?.ignored ?? '', /defaultMode/);
  write('managed/managed-settings.json', { allowManagedPermissionRulesOnly: true, permissions: { ask: ['Bash(a:*)'] } });
  const managed = permissionRules(places, []);
  assert.is(decisionOf(managed, bash('c x')), 'ask', 'only the rules of the machine count');
});

test.run();
