/** `policy audit` as a story: look at what is installed, examine each control, compute what follows from the evidence. */
import { realpathSync } from 'node:fs';
import { realPath } from '../enforce/facts/real-path.js';
import { type OwnHook, type OwnPrograms, ownHook } from '../enforce/install/own-hook.js';
import { defaultUserDirectory } from '../enforce/project/user-directory.js';
import type { Workspace } from '../enforce/project/workspace.js';
import { hookCommandLine } from '../runner/command-line.js';
import { riskMitigation } from './checklist.js';
import { installedHooks } from './claude-code/settings.js';
import { placeIn } from './digest.js';
import { type BlockingHook, examineInstalledHooks, type InstalledHooks } from './installed-hooks.js';
import { controls } from './registry.js';
import type { AuditReport, ControlResult } from './report.js';
import { controlResult, findingsOf, recommendationsOf, verdictOf } from './score.js';
import { scratchState } from './scratch-state.js';

export interface AuditOptions {
  /** The policy with its agents, open in the project. */
  readonly workspace: Workspace;
  readonly runner: 'claude-code';
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stateDirectory: string;
  /** Settings files that the runner is started with (`--settings`). */
  readonly settings: readonly string[];
  readonly managedDirectory?: string;
  /** Which programs are ours; null when they are not installed whole. */
  readonly own: OwnPrograms | null;
  /** A person said that hooks which are not ours may be started. */
  readonly runHooks: boolean;
  /** Milliseconds that a probe may take, whatever the settings say. */
  readonly patience?: number;
  readonly toolVersion: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const PATIENCE = 10_000;

/** Audits a project. Starts hooks, so that it takes seconds; leaves no trace in the decision log. */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const started = options.now();
  const checklist = riskMitigation();
  const state = scratchState(options.stateDirectory);
  try {
    const { project } = options.workspace.surroundings;
    const subject = {
      workspace: options.workspace,
      project,
      places: { home: options.home, project, machine: '', environment: options.environment },
      hooks: hooksInForce(options, state),
    };
    const results: ControlResult[] = [];
    for (const entry of checklist.controls) {
      const examined = await controls.get(entry.id)?.examine(subject, entry);
      results.push(controlResult(entry, examined ?? new Map()));
    }
    const findings = findingsOf(results);
    return {
      version: 1,
      checklist: { id: checklist.id, title: checklist.title },
      meta: {
        tool: 'policy',
        toolVersion: options.toolVersion,
        runner: options.runner,
        project: subject.project,
        generatedAt: new Date(started).toISOString(),
        milliseconds: options.now() - started,
        probes: options.runHooks ? 'any hook' : 'own hook only',
        policies: options.workspace.policy.sources,
        mode: options.workspace.policy.mode,
      },
      ...verdictOf(results),
      controls: results,
      rows: [...checklist.controls].sort((left, right) => left.row - right.row).map(({ id }) => id),
      findings,
      recommendations: recommendationsOf(findings),
      notes: summarizeNotes(options.workspace.notes),
    };
  } finally {
    state.remove();
  }
}

/** Of many notes of one kind the first, and how many more there are. */
function summarizeNotes(notes: Workspace['notes']): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { code, message } of notes) kinds.set(code, [...(kinds.get(code) ?? []), message]);
  return [...kinds.values()].map(([first = '', ...more]) =>
    more.length === 0 ? first : `${first} (${more.length} more of this kind)`,
  );
}

/** The hooks in the runner's settings, and the means to ask them. */
function hooksInForce(options: AuditOptions, state: ReturnType<typeof scratchState>): InstalledHooks {
  const { workspace, home, environment, settings, managedDirectory, own } = options;
  const { project } = workspace.surroundings;
  const path = environment.PATH ?? '';
  const programs = own === null ? null : withRealPaths(own);
  const known = (command: string) => (programs === null ? null : ownHook(command, programs, path));
  return examineInstalledHooks({
    project,
    ...installedHooks({ project, home, managedDirectory: managedDirectory ?? '/etc/claude-code', extra: settings }),
    ownHook: known,
    program: programs === null ? null : ownProgram(programs, options, known),
    startAny: options.runHooks,
    state,
    environment: inherited(environment),
    patience: options.patience ?? PATIENCE,
  });
}

/** A folder that does not exist holds no copy. */
export function withRealPaths({ node, command, hook, versions = [] }: OwnPrograms): OwnPrograms {
  return {
    node: realpathSync(node),
    command: realpathSync(command),
    hook: realpathSync(hook),
    versions: versions.flatMap((folder) => realPath(folder) ?? []),
  };
}

/** Our program as it would be installed, for what can be tried without the runner's settings. */
function ownProgram(
  { node, hook }: OwnPrograms,
  { workspace, home, stateDirectory, environment }: AuditOptions,
  known: (command: string) => OwnHook | null,
): BlockingHook | null {
  const command = hookCommandLine({
    runner: 'claude-code',
    platform: process.platform,
    node,
    hook,
    home,
    project: workspace.surroundings.project,
    configDirectory: defaultUserDirectory(environment, home),
    stateDirectory,
    shell: null,
  });
  const place = placeIn(workspace.surroundings.project, hook, 1);
  const own = command === null ? null : known(command);
  if (command === null || place === null || own === null) return null;
  const handler = { type: 'command', command, args: null, timeout: 30, failsClosed: true, line: 1, limit: null };
  return { hook: { ...handler, scope: 'user', place, whyNotBlocking: null }, own, probed: true };
}

/** What a hook needs to start and to find the user's policy. No tokens: a probe may start a stranger's program. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot', 'XDG_CONFIG_HOME'];

function inherited(environment: AuditOptions['environment']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
