// Each thing that opens the gate, taken alone, changes the status of exactly one control, and says which claim fell.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/report.js';
import { auditAsMarkdown } from '../../src/report/audit/markdown.js';
import { type Audited, auditedProject, claims, hookCommand, POLICY, REVIEWER, settingsWith, statuses } from './audited.js';

const SETTINGS = '.claude/settings.json';
const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

interface Flip {
  readonly what: string;
  readonly change: (project: Audited) => void;
  readonly runHooks?: boolean;
  readonly control: string;
  readonly to: string;
  /** The claims that no longer hold. */
  readonly unmet: readonly string[];
}

const replaced =
  (command: string, more = {}, matcher?: string) =>
  (project: Audited) =>
    project.write(SETTINGS, settingsWith(command, more, matcher));

const flips: readonly Flip[] = [
  {
    what: 'the hook removed from the settings',
    change: ({ write }) => write(SETTINGS, '{}\n'),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  { what: 'the hook replaced by exit 0', change: replaced('exit 0'), control: 'RM-4', to: 'partial', unmet: ['gate'] },
  {
    what: 'exit 0, started',
    change: replaced('exit 0'),
    runHooks: true,
    control: 'RM-4',
    to: 'partial',
    unmet: ['denies', 'outside'],
  },
  { what: 'the hook replaced by sleep 60', change: replaced('sleep 60'), control: 'RM-4', to: 'partial', unmet: ['gate'] },
  {
    what: 'sleep 60, started',
    change: replaced('sleep 60', { timeout: 0.3 }),
    runHooks: true,
    control: 'RM-4',
    to: 'partial',
    unmet: ['denies'],
  },
  {
    what: 'the hook replaced by a JSON allow',
    change: replaced(`echo '${ALLOW}'`),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  {
    what: 'a JSON allow, started',
    change: replaced(`echo '${ALLOW}'`),
    runHooks: true,
    control: 'RM-4',
    to: 'partial',
    unmet: ['denies', 'outside'],
  },
  {
    what: 'a hook that blocks everything, started',
    change: replaced('exit 2'),
    runHooks: true,
    control: 'RM-4',
    to: 'partial',
    unmet: ['passes'],
  },
  {
    what: 'a hook of the project that answers for the person',
    change: (project) => {
      const { hooks } = JSON.parse(settingsWith(hookCommand(project))) as { hooks: object };
      const answering = [{ hooks: [{ type: 'command', command: './yes.sh' }] }];
      project.write(SETTINGS, JSON.stringify({ hooks: { ...hooks, PermissionRequest: answering } }));
    },
    control: 'RM-4',
    to: 'partial',
    unmet: ['surroundings'],
  },
  {
    what: 'local settings that start in bypass mode',
    change: ({ write }) => write('.claude/settings.local.json', '{ "permissions": { "defaultMode": "bypassPermissions" } }'),
    control: 'RM-4',
    to: 'partial',
    unmet: ['surroundings'],
  },
  {
    what: 'a credential in the list of MCP servers',
    change: ({ write }) =>
      write(
        '.mcp.json',
        `{ "mcpServers": { "x": { "command": "x", "env": { "GITHUB_TOKEN": "ghp_${'Zq8Lw2Rk5Tn7'.repeat(3)}" } } } }`,
      ),
    control: 'RM-4',
    to: 'partial',
    unmet: ['surroundings'],
  },
  {
    what: 'our hook for one tool only',
    change: (project) => replaced(hookCommand(project), {}, 'Bash')(project),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  {
    what: 'our hook beside the call (async)',
    change: (project) => replaced(hookCommand(project), { async: true })(project),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  {
    what: 'all hooks disabled in the local settings',
    change: ({ write }) => write('.claude/settings.local.json', '{"disableAllHooks": true}\n'),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  {
    what: 'settings with a mistake, which the runner ignores whole',
    change: (project) => replaced(hookCommand(project), { onFailure: 'deny' })(project),
    control: 'RM-4',
    to: 'partial',
    unmet: ['gate'],
  },
  {
    what: 'the bypass lock disabled',
    change: ({ write }) => write('policy.yaml', POLICY.replace('true', 'false')),
    control: 'RM-4',
    to: 'partial',
    unmet: ['lock'],
  },
  {
    what: 'the allowlist of an agent removed',
    change: ({ write }) => write('.claude/agents/code-reviewer.md', REVIEWER.replace(/tools: .*\n/, '')),
    control: 'RM-4',
    to: 'partial',
    unmet: ['allowlists'],
  },
  {
    what: 'the limit of one subagent at a time lifted',
    change: ({ configure }) => configure('version: 1\nsequential: { maxConcurrent: 8 }\n'),
    control: 'RM-1',
    to: 'missing',
    unmet: ['limit', 'refuses'],
  },
];

const notInForce = (report: AuditReport) => report.controls.flatMap(({ id, notInForce: why }) => (why === null ? [] : [id]));
const intact = await auditedProject().audit();

test('a project with lock, lists and our hook: one agent at a time and allowlists are enforced, the rest is not claimed', () => {
  assert.equal(statuses(intact), {
    'RM-1': 'implemented',
    'RM-2': 'unknown',
    'RM-3': 'unknown',
    'RM-4': 'implemented',
    'RM-5': 'unknown',
  });
  assert.equal(claims(intact, 'RM-1', 'met'), ['limit', 'refuses']);
  assert.equal(notInForce(intact), []);
});

for (const { what, change, runHooks = false, control, to, unmet } of flips)
  test(`${what}: ${control} becomes ${to}, nothing else changes`, async () => {
    const project = auditedProject();
    change(project);
    const report = await project.audit({ runHooks });
    assert.equal(statuses(report), { ...statuses(intact), [control]: to });
    assert.equal(claims(report, control, 'unmet'), unmet);
    const isOpen = unmet.includes('gate') || runHooks;
    assert.equal(notInForce(report), isOpen ? ['RM-1'] : [], 'a lock that nothing asks protects nobody');
  });

for (const [file, text] of [
  ['.gemini/agents/a-first.md', '---\nname: a-first\ndescription: d\ntools: [read_file]\n---\nRead.\n'],
  ['.qwen/agents/a-first.md', '---\nname: a-first\ndescription: d\ntools: [read_file]\n---\nRead.\n'],
  [
    '.codex/agents/a-first.toml',
    'name = "a-first"\ndescription = "d"\ndeveloper_instructions = "Read."\nsandbox_mode = "read-only"\n',
  ],
] as const)
  test(`${file}, an agent of another runner, is not asked of this one's hook`, async () => {
    const project = auditedProject();
    project.write(file, text);
    const report = await project.audit();
    const payloads = report.controls.flatMap(({ evidence }) =>
      evidence.flatMap((one) => (one.kind === 'probe' ? [one.payload] : [])),
    );
    assert.not.ok(payloads.some((payload) => payload.includes('a-first')));
    assert.equal(
      claims(report, 'RM-4', 'met').filter((id) => id === 'denies' || id === 'gate'),
      ['gate', 'denies'],
    );
  });

test('a lock that nothing asks is not called protection', async () => {
  const project = auditedProject();
  project.write(SETTINGS, '{}\n');
  const report = await project.audit();
  const lock = report.controls.find(({ id }) => id === 'RM-1');
  assert.equal(
    [lock?.status, lock?.mitigationLevel, lock?.action],
    ['implemented', 'Low', 'Install the hook: `policy install claude-code`.'],
  );
  assert.match(report.sentence, /^NOT CONFIRMED: 5 of 5 controls are not shown to be implemented and in force, 3 of them/);
  assert.match(auditAsMarkdown(report), /\| Concurrent Execution \| ⚠️ Not in force \| Low \|/);
  assert.match(auditAsMarkdown(report), /IMPLEMENTED, NOT IN FORCE\*\*\n\nNo hook of ours is in force here/);
  assert.ok(report.findings.some(({ control, severity }) => control === 'RM-1' && severity === 'warning'));
  assert.ok((report.score.percent ?? 100) < (intact.score.percent ?? 0) / 2, 'worth nothing');
});

test.run();
