// The commands beside `check`: presets, agents, tools, overlays.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { CLEAN_REPOSITORY, policy, policyEach, scratch } from './spawned.js';

const test = suite('commands');
const repository = scratch({
  ...CLEAN_REPOSITORY,
  '.agent/agents/search-only.md': SEARCH_ONLY,
  '.codex/agents/code-reviewer.md':
    '---\nname: code-reviewer\ndescription: Reviews staged Git changes for issues\ntools: [git, cargo, npm]\n---\n\nBody.\n',
  '.codex/agents/broken.md': '---\nname: broken\ntools: [git]\n---\n\nBody.\n',
  'policy.yaml': [
    'version: 1',
    'custom_tools:',
    '  - name: codex_custom:probe',
    '    tier: dangerous',
    "    review: { by: ann, date: '2026-01-31', reason: read only }",
    '',
  ].join('\n'),
});
const ask = (...args: readonly string[]) => policy(args, { cwd: repository });

test('preset expand safe begins with the 17 entries of the original list (R093)', () => {
  const { stdout, status } = ask('preset', 'expand', 'safe');
  assert.is(status, 0);
  const lines = stdout.trimEnd().split('\n');
  assert.ok(lines.length > 17);
  assert.is(lines[0], 'git status*');
  assert.is(lines[16], 'gh auth status*');
});

test('preset expand readOnly has no shell at all (R082)', () => {
  assert.is(ask('preset', 'expand', 'readOnly').stdout, '');
  assert.match(ask('preset', 'expand', 'readOnly', '--tools').stdout, /^Read/m);
});

const mapped: readonly (readonly [args: readonly string[], stdout: string])[] = [
  [['map', 'readOnly', '--runner', 'codex'], 'codex exec --json --sandbox read-only -c approval_policy=never\n'],
  [['map', 'safe', '--runner', 'codex'], 'codex exec --json --sandbox danger-full-access -c approval_policy=never\n'],
  [['map', 'safe', '--sandboxed'], 'codex exec --json --sandbox workspace-write -c approval_policy=never\n'],
  [['infer', '["Bash"]'], 'all\n'],
  [['infer', '["Read","Edit"]'], 'safe\n'],
  [['infer', '["Read","TodoWrite"]'], 'readOnly\n'],
];
const maps = policyEach(mapped.map(([args]) => ({ args: ['preset', ...args], cwd: repository })));
for (const [index, [args, stdout]] of mapped.entries())
  test(`preset ${args.join(' ')}`, () => {
    assert.is(maps[index]?.stdout, stdout);
  });

test('an unsandboxed mapping warns (R084)', () => {
  assert.match(ask('preset', 'map', 'safe').stderr, /preset\/unsandboxed/);
  assert.is(ask('preset', 'map', 'readOnly').stderr, '');
});

test('preset resolve fills field by field, the explicit one first (R091, R092)', () => {
  const { stdout } = ask('preset', 'resolve', 'safe', '--json', '--sandbox', 'read-only', '--global-defaults', '{"model":"m"}');
  assert.equal(JSON.parse(stdout), {
    sandbox: { value: 'read-only', source: 'explicit' },
    approvalPolicy: { value: 'never', source: 'derived' },
    model: { value: 'm', source: 'globalDefaults' },
    fullAuto: false,
  });
});

const refused: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['preset', 'expnad', 'safe'], /list, expand/],
  [['preset', 'expand', 'sure'], /readOnly, inspect, safe, develop, all/],
  [['preset', 'map', 'safe', '--runner', 'emacs'], /codex/],
  [['preset', 'infer', 'Bash'], /not JSON/],
  [['preset', 'infer', '{}'], /list of tools/],
  [['preset', 'resolve', '--repo-defaults', '{"sandbox":"none"}'], /workspace-write/],
  [['preset', 'resolve', '--repo-defaults', '{"sandbax":"none"}'], /unknown key/],
  [['tools', 'list', '--tier', 'mild'], /moderate/],
  [['agents', 'show'], /Name the agent/],
  [['agents', 'show', 'ghost'], /^No subagent named 'ghost'\. Run `policy agents list`\.$/m],
  [['agents', 'show', 'broken'], /^Subagent 'broken' invalid: missing description field\.$/m],
  [['overlay', 'write'], /Name the agent/],
  [['overlay', 'write', '--agent', 'code-reviewer'], /declares no permissions/],
];
const refusals = policyEach(refused.map(([args]) => ({ args, cwd: repository })));
for (const [index, [args, says]] of refused.entries())
  test(`exit 3: policy ${args.join(' ')}`, () => {
    const answer = refusals[index];
    assert.is(answer?.status, 3, answer?.stdout);
    assert.match(answer?.stderr ?? '', says);
    assert.not.match(answer?.stderr ?? '', /^\s+at |internal error/m);
  });

test('agents list in the words of the original (R044), with what cannot be used on stderr (R144)', () => {
  const { stdout, stderr } = ask('agents', 'list');
  assert.match(
    stdout,
    /^Available subagents:\n(?:.*\n)*- code-reviewer: Reviews staged Git changes for issues\n {2}Tools: \[git, cargo, npm\]\n {2}Source: \.codex\/agents\/code-reviewer\.md\n/,
  );
  assert.not.match(stdout, /broken/);
  assert.match(stderr, /\.codex\/agents\/broken\.md:\d+:\d+: /);
  assert.match(ask('agents', 'list', '--invalid').stdout, /- broken/);
});

test('agents show finds an agent in any spelling (R145)', () => {
  const { stdout, status } = ask('agents', 'show', 'Code Reviewer');
  assert.is(status, 0);
  assert.match(stdout, /^code-reviewer\n/);
});

test('tools list shows tiers, and the custom tools of the policy with their review (R248)', () => {
  const { stdout } = ask('tools', 'list', '--tier', 'dangerous', '--trust-project');
  assert.match(stdout, /^Bash +dangerous/m);
  assert.match(stdout, /^codex_custom:probe +dangerous +custom, reviewed by ann on 2026-01-31:\s+read/m);
  assert.not.match(stdout, /^Read /m);
  const safe = JSON.parse(ask('tools', 'list', '--tier', 'safe', '--json').stdout) as readonly { readonly tier: string }[];
  assert.ok(safe.length > 0 && safe.every(({ tier }) => tier === 'safe'));
});

test('overlay write makes a new file of our own, and the overlay decides as the agent does (R196, R201)', () => {
  const [path = '', digest = ''] = ask('overlay', 'write', '--agent', 'search-only').stdout.split('\n');
  try {
    assert.match(path, /policy-perms-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.toml$/);
    assert.is(statSync(path).mode & 0o777, 0o600);
    assert.is(digest, `sha256 ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
    assert.is(ask('check', '--permissions-overlay', path, 'Bash', 'rm x').status, 1);
    assert.is(ask('check', '--permissions-overlay', path, 'FileRead', 'src/a.ts').status, 0);
    assert.is(ask('check', '--permissions-overlay', path, 'Write', 'src/a.ts').status, 1);
    assert.is(ask('check', '--permissions-overlay', path, '--overlay-mode', 'replace', 'FileRead', 'src/a.ts').status, 0);
  } finally {
    rmSync(path, { force: true });
  }
});

test('a locked policy refuses an overlay that replaces, in the words of the requirement (R199)', () => {
  const locked = scratch({
    ...CLEAN_REPOSITORY,
    'policy.yaml': 'version: 1\ndeny: [Read(src/**)]\nsecurity: { disable_bypass_permissions: true }\n',
    'open.toml': '[permissions]\ndefault_mode = "allow"\n',
  });
  const answer = policy(['check', '--permissions-overlay', 'open.toml', '--overlay-mode', 'replace', 'Read', 'src/a.ts'], {
    cwd: locked,
  });
  assert.is(answer.status, 1, answer.stdout);
  assert.match(answer.stderr, /--permissions-overlay ignored: security\.disable_bypass_permissions is set/);
});

test.run();
