// A sandbox that is switched on counts only where nothing that settings, profiles or variables say opens it.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ownSandbox } from '../../../src/audit/isolation/own-sandbox.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { CLEAN_REPOSITORY, scratch } from '../../cli/spawned.js';
import { type Audited, auditedProject, claims, POLICY } from '../audited.js';

/** What a person wrote, by the path below the home folder. */
const ON = {
  'claude-code': ['.claude/settings.json', '{ "sandbox": { "enabled": true, "failIfUnavailable": true } }\n'],
  codex: ['.codex/config.toml', 'sandbox_mode = "workspace-write"\n'],
  'gemini-cli': ['.gemini/settings.json', '{ "tools": { "sandbox": true } }\n'],
  'qwen-code': ['.qwen/settings.json', '{ "tools": { "sandbox": true } }\n'],
} as const;

type Sandboxed = keyof typeof ON & RunnerId;
type Case = readonly [runner: Sandboxed, file: string, text: string];

/** What an audit says of it. */
async function audited([runner, file, text]: Case, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const project = auditedProject();
  project.configure(POLICY.replace('isolation: container\n', ''));
  writeBoth(project, [runner, file, text]);
  const report = await project.audit({
    ...{ probes: false, checklists: ['agent-security'], runners: [runner] },
    ...(Object.keys(environment).length > 0 && { environment: { HOME: project.home, PATH: '/usr/bin:/bin', ...environment } }),
  });
  return ['met', 'unmet'].find((verdict) => claims(report, 'AS-7', verdict as 'met').includes('isolated')) ?? '';
}

/** What the audit would say of it, for the settings alone: of agents that may change things. */
function isolation(one: Case): string {
  const [project, home] = [realpathSync(scratch(CLEAN_REPOSITORY)), realpathSync(scratch({}))];
  writeBoth({ project, home }, one);
  const places = { project, home, machine: scratch({}), environment: { HOME: home, PATH: process.env.PATH } };
  const runner = runnerNamed(one[0]);
  const said = runner && ownSandbox(runner, places);
  return said?.isOn && said.open === null ? 'met' : 'unmet';
}

/** The settings of the person that switch the sandbox on, and the file of a case. */
function writeBoth({ project, home }: Pick<Audited, 'project' | 'home'>, [runner, file, text]: Case): void {
  const [path, on] = ON[runner];
  const other = file.startsWith('~/') ? join(home, file.slice(2)) : join(project, file);
  for (const [at, content] of [[join(home, path), on], ...(file === '' ? [] : [[other, text]])] as const) {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, content);
  }
}

/** As `policy install codex --sandbox` writes it. */
const PROFILE = 'default_permissions = "policy"\n[permissions.policy]\nextends = ":workspace"\n';
const TEAM = '.claude/settings.json';
const claude = (sandbox: object, file = TEAM): Case => ['claude-code', file, JSON.stringify({ sandbox })];
const excluding = (...excludedCommands: readonly string[]) => claude({ excludedCommands });

const holds: readonly Case[] = [
  ...(Object.keys(ON) as readonly Sandboxed[]).map((runner): Case => [runner, '', '']),
  excluding('ls -l'),
  claude({ autoAllowBashIfSandboxed: true, allowUnsandboxedCommands: false }),
  claude({ filesystem: { allowWrite: ['./build', '/tmp/x', '/tmp/y/**'], denyRead: ['~/.ssh'] } }),
  claude({ network: { allowedDomains: ['registry.npmjs.org', '*.example.com'] } }),
  ['claude-code', TEAM, '{ "permissions": { "allow": ["Edit(src/**)", "Edit(/docs/**)", "WebFetch(domain:example.com)"] } }'],
  ['codex', '.codex/config.toml', '[sandbox_workspace_write]\nwritable_roots = ["build"]\nnetwork_access = false\n'],
  ['codex', '.codex/config.toml', 'profile = "x"\n[profiles.x]\nsandbox_mode = "read-only"\n'],
  ['codex', '~/.codex/config.toml', PROFILE],
  ['codex', '~/.codex/config.toml', `${PROFILE}[permissions.policy.filesystem]\n"~/.ssh" = "deny"\n`],
  ['gemini-cli', '.env', 'GEMINI_SANDBOX=docker\nTOKEN=x\n'],
  ['qwen-code', '.qwen/.env', 'QWEN_SANDBOX=true\n'],
];

const opened: readonly Case[] = [
  ...[
    'bash -c *',
    'npm *',
    'find *',
    'docker *',
    'ba*',
    'sh ./*',
    '*',
    'node *',
    'bash:*',
    'env *',
    'docker',
    'git status && x',
  ].map((command) => excluding(command)),
  ...['/', '~', '~/', '//', '..', '/etc', '$HOME', '/**', '/*', '~/.ssh'].map((folder) =>
    claude({ filesystem: { allowWrite: [folder] } }),
  ),
  ...['*', '*.com', '**', '*.*'].map((domain) => claude({ network: { allowedDomains: [domain] } })),
  claude({ network: { allowAllUnixSockets: true } }),
  claude({ network: { allowUnixSockets: ['/var/run/docker.sock'] } }),
  claude({ enableWeakerNestedSandbox: true }),
  claude({ enableWeakerNetworkIsolation: true }),
  claude({ allowUnsandboxedCommands: true }),
  claude({ enabledPlatforms: ['plan9'] }),
  claude({ enabled: false }),
  claude({ enabled: false }, '.claude/settings.local.json'),
  claude({ filesystem: { disabled: true } }),
  claude({ aKeyOfTomorrow: true }),
  claude({ network: { aKeyOfTomorrow: 'x' } }),
  ['claude-code', TEAM, '{ "permissions": { "allow": ["Edit(//**)"] } }'],
  ['claude-code', TEAM, '{ "permissions": { "allow": ["WebFetch(domain:*)"] } }'],
  ['claude-code', TEAM, '{ "permissions": { "additionalDirectories": ["/etc"] } }'],
  ['codex', '.codex/config.toml', '[sandbox_workspace_write]\nwritable_roots = ["/"]\n'],
  ['codex', '~/.codex/config.toml', PROFILE.replace(':workspace', ':danger-full-access')],
  ['codex', '~/.codex/config.toml', PROFILE.replace('"policy"', '":danger-full-access"')],
  ['codex', '~/.codex/config.toml', `${PROFILE}[permissions.policy.filesystem]\n"/" = "write"\n`],
  ['codex', '~/.codex/config.toml', `${PROFILE}[permissions.policy.network]\nenabled = true\n`],
  ['codex', '~/.codex/config.toml', `sandbox_mode = "danger-full-access"\n${PROFILE}`],
  ['codex', '.codex/config.toml', '[sandbox_workspace_write]\nnetwork_access = true\n'],
  ['codex', '~/.codex/config.toml', 'sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nwritable_roots = ["~"]\n'],
  [
    'codex',
    '~/.codex/config.toml',
    'profile = "x"\nsandbox_mode = "workspace-write"\n[profiles.x]\nsandbox_mode = "danger-full-access"\n',
  ],
  ['codex', '~/.codex/config.toml', 'profile = "x"\nsandbox_mode = "workspace-write"\n'],
  ['gemini-cli', '.env', 'GEMINI_SANDBOX=false\n'],
  ['gemini-cli', '.gemini/.env', 'SANDBOX=1\n'],
  ['gemini-cli', '~/.gemini/.env', 'export SANDBOX="1"\n'],
  ['gemini-cli', '.env', 'SANDBOX_MOUNTS=/:/host:rw\n'],
  ['gemini-cli', '.gemini/settings.json', '{ "tools": { "sandboxAllowedPaths": ["/"] } }\n'],
  ['qwen-code', '.qwen/.env', 'QWEN_SANDBOX=false\n'],
  ['qwen-code', '.env', 'QWEN_SANDBOX=0\n'],
  ['qwen-code', '.qwen/settings.json', '{ "env": { "SANDBOX": "1" } }\n'],
];

for (const [cases, verdict] of [
  [holds, 'met'],
  [opened, 'unmet'],
] as const)
  for (const one of cases)
    test(`a sandbox of ${one[0]} (${verdict}): ${one[1]} ${one[2].trim()}`, async () => {
      assert.is(isolation(one), verdict);
      const isFirst = cases.find(([runner]) => runner === one[0]) === one;
      if (isFirst) assert.is(await audited(one), verdict);
    });

for (const [runner, name, value] of [
  ['gemini-cli', 'SANDBOX', 'x'],
  ['gemini-cli', 'GEMINI_SANDBOX', 'false'],
  ['qwen-code', 'QWEN_SANDBOX', 'false'],
] as const)
  test(`a sandbox of ${runner} with ${name}=${value} in the environment`, async () => {
    assert.is(await audited([runner, '', ''], { [name]: value }), 'unmet');
  });

test('a variable of the project that switches a sandbox off is named', async () => {
  const project = auditedProject();
  project.write('.env', 'GEMINI_SANDBOX=false\n');
  const report = await project.audit({ probes: false, checklists: ['agent-security'], runners: ['gemini-cli'] });
  assert.ok(claims(report, 'AS-3', 'unmet').includes('variables'));
  assert.ok(claims(report, 'AS-3', 'unmet').includes('surroundings'));
});

test.run();
