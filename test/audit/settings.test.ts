// Which hooks are in force: the settings files as Claude Code reads them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installedHooks } from '../../src/audit/claude-code/settings.js';
import { scratch } from '../cli/spawned.js';

const GROUP = { matcher: '*', hooks: [{ type: 'command', command: 'h' }] };
const hooks = (group: unknown, more = {}) => JSON.stringify({ hooks: { PreToolUse: [group] }, ...more });
const handler = (more: Readonly<Record<string, unknown>>) =>
  hooks({ matcher: '*', hooks: [{ type: 'command', command: 'h', ...more }] });

/** Files by place; what the hook of the project's settings is said to be: gating, not gating, or not there. */
type Row = readonly [what: string, files: Readonly<Record<string, string>>, is: 'gates' | 'gates not' | 'nothing'];
const PROJECT = 'project/.claude/settings.json';
const LOCAL = 'project/.claude/settings.local.json';
const USER = 'home/.claude/settings.json';
const MANAGED = 'managed/managed-settings.json';

const rows: readonly Row[] = [
  ['no files', {}, 'nothing'],
  ['a hook for every tool', { [PROJECT]: hooks(GROUP) }, 'gates'],
  ['an empty matcher', { [PROJECT]: hooks({ ...GROUP, matcher: '' }) }, 'gates'],
  ['no matcher', { [PROJECT]: hooks({ hooks: GROUP.hooks }) }, 'gates'],
  ['.* as matcher', { [PROJECT]: hooks({ ...GROUP, matcher: '.*' }) }, 'gates'],
  ['a matcher of two tools', { [PROJECT]: hooks({ ...GROUP, matcher: 'Bash|Write' }) }, 'gates not'],
  ['a matcher that takes forever', { [PROJECT]: hooks({ ...GROUP, matcher: '(a+)+$' }) }, 'gates not'],
  ['if', { [PROJECT]: handler({ if: 'Bash(rm *)' }) }, 'gates not'],
  ['async', { [PROJECT]: handler({ async: true }) }, 'gates not'],
  ['once', { [PROJECT]: handler({ once: true }) }, 'gates not'],
  ['another type', { [PROJECT]: hooks({ matcher: '*', hooks: [{ type: 'http', url: 'http://127.0.0.1/' }] }) }, 'gates not'],
  ['another event', { [PROJECT]: JSON.stringify({ hooks: { PostToolUse: [GROUP] } }) }, 'nothing'],
  ['an unknown event beside it', { [PROJECT]: JSON.stringify({ hooks: { PreToolUse: [GROUP], Nonsense: [] } }) }, 'gates'],
  ['in the local settings', { [LOCAL]: hooks(GROUP) }, 'gates'],
  ['in the user settings', { [USER]: hooks(GROUP) }, 'gates'],
  ['in the managed settings', { [MANAGED]: hooks(GROUP) }, 'gates'],
  ['in a managed drop-in', { 'managed/managed-settings.d/10-policy.json': hooks(GROUP) }, 'gates'],
  ['disabled in its own file', { [PROJECT]: hooks(GROUP, { disableAllHooks: true }) }, 'gates not'],
  ['disabled in the local settings', { [PROJECT]: hooks(GROUP), [LOCAL]: '{"disableAllHooks":true}' }, 'gates not'],
  ['user hook disabled by the project', { [USER]: hooks(GROUP), [PROJECT]: '{"disableAllHooks":true}' }, 'gates not'],
  [
    'disabled by the user, enabled by the project',
    { [PROJECT]: hooks(GROUP, { disableAllHooks: false }), [USER]: '{"disableAllHooks":true}' },
    'gates',
  ],
  [
    'managed hooks survive a project that disables all',
    { [MANAGED]: hooks(GROUP), [PROJECT]: '{"disableAllHooks":true}' },
    'gates',
  ],
  ['managed settings that disable all', { [MANAGED]: hooks(GROUP, { disableAllHooks: true }) }, 'gates not'],
  ['only managed hooks are allowed', { [MANAGED]: '{"allowManagedHooksOnly":true}', [PROJECT]: hooks(GROUP) }, 'gates not'],
  ['a comment', { [PROJECT]: `// hooks\n${hooks(GROUP)}` }, 'nothing'],
  ['a trailing comma', { [PROJECT]: hooks(GROUP).replace(/\}$/, ',}') }, 'nothing'],
  ['a byte order mark', { [PROJECT]: `\ufeff${hooks(GROUP)}` }, 'gates'],
  ['hooks as a list', { [PROJECT]: '{"hooks":[]}' }, 'nothing'],
  ['an unknown top-level key', { [PROJECT]: hooks(GROUP, { nonsense: 1 }) }, 'gates'],
  ['deny is no list', { [PROJECT]: hooks(GROUP, { permissions: { deny: 'Bash' } }) }, 'nothing'],
  ['an unknown mode', { [PROJECT]: hooks(GROUP, { permissions: { defaultMode: 'yolo' } }) }, 'nothing'],
  ['model is a number', { [PROJECT]: hooks(GROUP, { model: 5 }) }, 'nothing'],
  ['a hook without command', { [PROJECT]: hooks({ matcher: '*', hooks: [{ type: 'command' }] }) }, 'nothing'],
  ['an unknown type', { [PROJECT]: handler({ type: 'shell' }) }, 'nothing'],
  ['timeout as text', { [PROJECT]: handler({ timeout: '30' }) }, 'nothing'],
  ['timeout 0', { [PROJECT]: handler({ timeout: 0 }) }, 'nothing'],
  ['a matcher that is no text', { [PROJECT]: hooks({ ...GROUP, matcher: 1 }) }, 'nothing'],
  ['flat hooks', { [PROJECT]: hooks({ matcher: '*', type: 'command', command: 'h' }) }, 'nothing'],
  ['onFailure deny', { [PROJECT]: handler({ onFailure: 'deny' }) }, 'nothing'],
  ['onFailure block', { [PROJECT]: handler({ onFailure: 'block' }) }, 'gates'],
];

for (const [what, files, is] of rows)
  test(`${what}: ${is}`, () => {
    const place = scratch(files);
    const found = installedHooks({
      project: `${place}/project`,
      home: `${place}/home`,
      managedDirectory: `${place}/managed`,
      extra: [],
    });
    const [first] = found.hooks;
    assert.is(first === undefined ? 'nothing' : first.whyNotBlocking === null ? 'gates' : 'gates not', is);
  });

test('a settings file given on the command line counts, and its place is named', () => {
  const place = scratch({ 'extra.json': JSON.stringify({ hooks: { PreToolUse: [GROUP] } }, null, 2) });
  const { hooks: found } = installedHooks({
    project: `${place}/p`,
    home: `${place}/h`,
    managedDirectory: `${place}/m`,
    extra: [`${place}/extra.json`],
  });
  assert.is(found[0]?.place.file, `${place}/extra.json`);
  assert.is(found[0]?.place.line, 9);
});

test.run();
