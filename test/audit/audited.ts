// A project that passes its audit, in scratch folders, and the audit of it; tests change one thing at a time.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import type { AuditReport, Status } from '../../src/audit/report.js';
import { audit } from '../../src/audit/run.js';
import type { OwnPrograms } from '../../src/enforce/install/own-hook.js';
import { openWorkspace } from '../../src/enforce/project/workspace.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { hookCommandLine } from '../../src/runner/command-line.js';
import { CLEAN_REPOSITORY, scratch } from '../cli/spawned.js';

/** The programs that ship, as `npm run build` made them. */
const OWN: OwnPrograms = { node: process.execPath, command: resolve('bin/policy.js'), hook: resolve('dist/hook.cjs') };

export const POLICY = 'version: 1\npreset: safe\nsecurity:\n  disable_bypass_permissions: true\n';
export const REVIEWER =
  '---\nname: code-reviewer\ndescription: Reads a change and says what could break.\ntools: Read, Grep, Glob\n---\n\nRead the diff.\n';

/** Settings with one PreToolUse hook. */
export function settingsWith(command: string, more: Readonly<Record<string, unknown>> = {}, matcher = '*'): string {
  const hook = { type: 'command', command, timeout: 30, ...more };
  return `${JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } }, null, 2)}\n`;
}

/** What `policy hook claude-code --print-command --deadline 20` prints. */
export function hookCommand({ project, home }: Pick<Audited, 'project' | 'home'>): string {
  const line = hookCommandLine({
    runner: 'claude-code',
    platform: process.platform,
    node: realpathSync(OWN.node),
    hook: OWN.hook,
    home,
    project,
    configDirectory: join(home, '.config', 'policy'),
    stateDirectory: join(home, '.local', 'state', 'policy'),
    shell: null,
    // A busy machine is no finding.
    deadline: 20,
  });
  if (line === null) throw new Error('there is no hook for this platform');
  return line;
}

export interface Audited {
  readonly project: string;
  readonly home: string;
  readonly write: (file: string, text: string) => void;
  /** Writes the user's own policy. */
  readonly configure: (text: string) => void;
  readonly audit: (options?: { readonly runHooks?: boolean; readonly patience?: number }) => Promise<AuditReport>;
}

/** A project with a locked policy, one agent with a list, and our hook for every tool. */
export function auditedProject(): Audited {
  const project = realpathSync(scratch(CLEAN_REPOSITORY));
  const home = realpathSync(scratch({}));
  const environment = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir() };
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  write('policy.yaml', POLICY);
  write('.claude/agents/code-reviewer.md', REVIEWER);
  write('.claude/settings.json', settingsWith(hookCommand({ project, home })));
  return {
    project,
    home,
    write,
    configure: (text) => {
      mkdirSync(join(home, '.config', 'policy'), { recursive: true });
      writeFileSync(join(home, '.config', 'policy', 'policy.yaml'), text);
    },
    audit: async ({ runHooks = false, patience = 20_000 } = {}) => {
      const opened = openWorkspace({ cwd: project, home, platform: process.platform, environment, withAgents: true });
      if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'));
      const report = await audit({
        workspace: opened.workspace,
        runner: 'claude-code',
        home,
        environment,
        stateDirectory: join(home, '.local', 'state', 'policy'),
        settings: [],
        managedDirectory: join(home, 'managed'),
        own: OWN,
        runHooks,
        patience,
        toolVersion: 'test',
        now: Date.now,
      });
      assert.ok(
        validateAuditReport(report),
        JSON.stringify(validateAuditReport.errors?.map(({ message, instancePath }) => `${instancePath} ${message}`)),
      );
      return report;
    },
  };
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
