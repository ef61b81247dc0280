// A project that passes its audit, in scratch folders, and the audit of it; tests change one thing at a time.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { preToolUse } from '../../src/audit/claude-code/payload.js';
import type { AuditReport, Status } from '../../src/audit/model/report.js';
import { audit } from '../../src/audit/run.js';
import { CHECKLISTS } from '../../src/audit/subject/checklist.js';
import type { AuditOptions } from '../../src/audit/subject/options.js';
import type { Verification } from '../../src/audit/verify/verification.js';
import { verifyReport } from '../../src/audit/verify/verify.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import type { OwnPrograms } from '../../src/install/own-hook.js';
import { openWorkspace } from '../../src/project/workspace.js';
import { CLEAN_REPOSITORY, policy, scratch } from '../cli/spawned.js';
import { withHooksHere } from '../hook/answered-here.js';

/** Where `policy install --project` puts the hook of Claude Code. */
export const SETTINGS = '.claude/settings.local.json';

/** The programs that ship, as `npm run build` made them. */
const OWN: OwnPrograms = { node: process.execPath, command: resolve('bin/policy.js'), hook: resolve('dist/hook.cjs') };

export const POLICY =
  'version: 1\npreset: safe\nsecurity:\n  disable_bypass_permissions: true\nbudget: { calls: 2000 }\nisolation: container\n';
export const REVIEWER =
  '---\nname: code-reviewer\ndescription: Reads a change and says what could break.\ntools: Read, Grep, Glob\n---\n\nRead the diff.\n';

/** Settings with one PreToolUse hook. */
export function settingsWith(command: string, more: Readonly<Record<string, unknown>> = {}, matcher = '*'): string {
  const hook = { type: 'command', command, timeout: 30, ...more };
  return `${JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } }, null, 2)}\n`;
}

export interface Audited {
  readonly project: string;
  readonly home: string;
  /** The command line of the installed hook. */
  readonly command: string;
  readonly write: (file: string, text: string) => void;
  /** Replaces the user's own policy, which is POLICY. */
  readonly configure: (text: string) => void;
  /** Gives the coding agent another version. */
  readonly client: (version: string) => void;
  readonly audit: (options?: Partial<AuditOptions>) => Promise<AuditReport>;
  /** The same, with hooks that are processes. */
  readonly auditStarted: (options?: Partial<AuditOptions>) => Promise<AuditReport>;
  /** Whether what a report says still holds. */
  readonly verify: (report: AuditReport, options?: Partial<AuditOptions>) => Promise<Verification>;
}

/** A folder for PATH with a program of this name that belongs to a package of a new version; nothing starts it. */
export function clientFolder(name: string): string {
  const folder = scratch({ 'package.json': `{ "name": "@vendor/${name}", "version": "2.1.400" }\n`, [name]: '' });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** The state directory of a person whose log has one sealed record, and who installed the hook in a project. */
export function newSealedState(): string {
  return stateOf(sealed());
}

interface Sealed {
  readonly project: string;
  readonly home: string;
}

/** A person whose log has one sealed record, and who installed the hook in a project. */
function sealed(): Sealed {
  const home = realpathSync(scratch({}));
  const project = realpathSync(scratch(CLEAN_REPOSITORY));
  // A busy machine is no finding.
  const install = ['install', 'claude-code', '--project', '--deadline', '20', '--yes'];
  const { status, stderr } = policy(install, { cwd: project, env: { HOME: home } });
  assert.is(status, 0, stderr);
  const command = commandIn(readFileSync(join(project, SETTINGS), 'utf8'));
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const call = { tool: 'Bash', input: { command: 'git status' }, toolUseId: 't' };
  const asked = spawnSync('sh', ['-c', command], { cwd: project, env, input: preToolUse(call, project), encoding: 'utf8' });
  assert.is(asked.status, 0, asked.stderr);
  const done = policy(['log', 'seal', '--yes'], { cwd: project, env: { HOME: home } });
  assert.is(done.status, 0, done.stderr);
  return { project, home };
}

function stateOf({ home }: Pick<Sealed, 'home'>): string {
  return join(home, '.local', 'state', 'policy');
}

/** The command line of the hook of Claude Code in these settings. */
function commandIn(settings: string): string {
  const { hooks } = JSON.parse(settings) as { hooks: { PreToolUse: { hooks: { command: string }[] }[] } };
  return hooks.PreToolUse[0]?.hooks[0]?.command ?? '';
}

/** The one whose installation every other project has: installing writes the whole program each time. */
const first = sealed();
const firstSettings = readFileSync(join(first.project, SETTINGS), 'utf8');
const versions = join(first.home, '.local', 'share', 'policy', 'versions');

/** What `policy install` writes into the settings of another project, where the program is already in its place. */
function settingsOf({ project, home }: Sealed): string {
  const placed = firstSettings
    .split(versions)
    .map((part) => part.replaceAll(first.project, project).replaceAll(first.home, home));
  return placed.join(versions);
}

/** A project with a locked policy, one agent with a list, our hook for every tool, and a sealed log, in a container. */
export function auditedProject(): Audited {
  const project = realpathSync(scratch(CLEAN_REPOSITORY));
  const home = realpathSync(scratch({}));
  const bin = clientFolder('claude');
  const machine = scratch({ '.dockerenv': '' });
  const environment = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: home, TMPDIR: tmpdir() };
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  write('.claude/agents/code-reviewer.md', REVIEWER);
  const configure = (text: string) => {
    mkdirSync(join(home, '.config', 'policy'), { recursive: true });
    writeFileSync(join(home, '.config', 'policy', 'policy.yaml'), text);
  };
  configure(POLICY);
  cpSync(stateOf(first), stateOf({ home }), { recursive: true });
  const settings = settingsOf({ project, home });
  write(SETTINGS, settings);
  const command = commandIn(settings);
  const auditOptions = (): AuditOptions => {
    const opened = openWorkspace({ cwd: project, home, platform: process.platform, environment, withAgents: true });
    if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'));
    return {
      workspace: opened.workspace,
      checklists: CHECKLISTS,
      runners: ['claude-code'],
      home,
      environment,
      stateDirectory: stateOf({ home }),
      settings: [],
      managedDirectory: join(home, 'managed'),
      machine,
      own: { ...OWN, versions: [versions] },
      probes: true,
      runHooks: false,
      patience: 20_000,
      toolVersion: 'test',
      now: Date.now,
    };
  };
  return {
    project,
    home,
    command,
    write,
    configure,
    client: (version) => writeFileSync(join(bin, 'package.json'), `{ "name": "@vendor/claude", "version": "${version}" }\n`),
    auditStarted: (options = {}) => audit({ ...auditOptions(), ...options }),
    audit: async (options = {}) => {
      const report = await withHooksHere(() => audit({ ...auditOptions(), ...options }));
      assert.ok(
        validateAuditReport(report),
        JSON.stringify(validateAuditReport.errors?.map(({ message, instancePath }) => `${instancePath} ${message}`)),
      );
      return report;
    },
    verify: (report, options = {}) =>
      withHooksHere(() =>
        verifyReport({ file: 'audit.json', text: JSON.stringify(report), report }, { ...auditOptions(), ...options }),
      ),
  };
}

/** One letter of a record that is sealed. */
export function tamper({ home }: Pick<Audited, 'home'>): void {
  const folder = join(home, '.local/state/policy/log');
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace('git status', 'git statuz'));
  }
}

/** The status of every control. */
export function statuses({ controls }: AuditReport): Readonly<Record<string, Status>> {
  return Object.fromEntries(controls.map(({ id, status }) => [id, status]));
}

/** The ids of the claims of a control that came out so. */
export function claims({ controls }: AuditReport, control: string, verdict: string): readonly string[] {
  const found = controls.find(({ id }) => id === control)?.claims ?? [];
  return found.filter((claim) => claim.verdict === verdict).map(({ id }) => id);
}
