/** Reads everything that an audit examines, once: the installed runners with their hooks, and the results of doctor and lint. */

import { realpathSync } from 'node:fs';
import { ASSUMED_RUNNER } from '../call/tool-call.js';
import { realPath } from '../disk/real-path.js';
import { defaultUserDirectory } from '../disk/user-directory.js';
import { atMoment } from '../enforce/enforce.js';
import { type OwnHook, type OwnPrograms, ownHook } from '../install/own-hook.js';
import { type FoundFiles, findFiles } from '../lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../lint/run.js';
import { Moment } from '../project/surroundings.js';
import { hookCommandLine } from '../runner/hook/command-line.js';
import type { Runner } from '../runner/hook/runner.js';
import { lint } from '../runner/lint/linter.js';
import { CLIENT, installedHooks } from './claude-code/settings.js';
import type { DoctorResult } from './doctor/found/check.js';
import { type DoctorSubject, doctorSubject, type ExaminedRunner } from './doctor/found/subject.js';
import { foundHooks } from './doctor/found-hooks.js';
import { checks } from './doctor/registry.js';
import { type BlockingHook, examineInstalledHooks, type InstalledHooks } from './hooks/installed-hooks.js';
import { claudeProtocol, ownProtocol } from './hooks/protocol.js';
import { readMachine } from './isolation/machine.js';
import { analyseLog } from './log/analyse.js';
import { placeIn } from './model/digest.js';
import { inherited } from './model/inherited.js';
import { whyUnread } from './model/unread.js';
import { lintOwn, NOTHING_OWN } from './own/lint.js';
import type { ScratchState } from './scratch/state.js';
import type { ChecklistControl } from './subject/checklist.js';
import { permissionTable } from './subject/judge-permissions.js';
import type { AuditOptions } from './subject/options.js';
import type { AuditSubject, LintedProject } from './subject/subject.js';

const PATIENCE = 10_000;
/**
 * Checks whose problems mean that a runner does not ask the hook: the runner is too old, did not trust the hook, has hooks
 * disabled, or cannot start them.
 */
const KEEPS_FROM_RUNNING: ReadonlySet<string> = new Set(['client', 'trust', 'switches', 'agents', 'variables']);

/** Runs the doctor checks that the controls name, and lint if one of them names a rule. */
export async function auditSubject(
  options: AuditOptions,
  entries: readonly ChecklistControl[],
  state: ScratchState,
): Promise<AuditSubject> {
  const { home, environment } = options;
  // What an audit says, it says of one moment.
  const workspace = atMoment(options.workspace, new Moment());
  const { project } = workspace.surroundings;
  const places = { home, project, machine: options.machine ?? '', environment };
  const own = options.own === null ? null : withRealPaths(options.own);
  const doctor = doctorSubject({
    runners: options.runners,
    places,
    platform: process.platform,
    userDirectory: defaultUserDirectory(environment, home),
    stateDirectory: options.stateDirectory,
    managedDirectory: '/etc/policy',
    own,
    now: options.now(),
    patience: options.patience ?? PATIENCE,
  });
  const examined = doctor.examined.length > 0 ? doctor.examined : assumed(doctor);
  const results = await checkResults({ ...doctor, examined, runners: examined.map(({ runner }) => runner.id) }, entries);
  const runners = examined.map((one) => ({
    runner: one.runner,
    client: one.client,
    isInstalled: one.hooks.some(({ blocks }) => blocks),
    hooks: hooksInForce(options, own, one, state, idleReason(one, results)),
  }));
  return {
    workspace,
    project,
    places,
    machine: () => readMachine(places.machine, process.platform, environment),
    log: analyseLog(workspace, options.stateDirectory, options.transcripts ?? null),
    transcripts: options.transcripts ?? null,
    stateDirectory: options.stateDirectory,
    probeState: state.directory,
    now: options.now(),
    runners,
    permissions: permissionTable({ workspace, project, home, runners: runners.map(({ runner }) => runner.id) }),
    checks: results,
    ...(entries.some(({ claims }) => claims.some((claim) => claim.lint !== undefined))
      ? {
          linted: linted(project, options.patches ?? true, options.found),
          own: lintOwn(
            examined.map(({ runner }) => runner),
            places,
          ),
        }
      : { linted: { findings: [], files: [], unread: [], found: null }, own: NOTHING_OWN }),
  };
}

/** Examines Claude Code as if it had been named. */
function assumed(doctor: DoctorSubject): readonly ExaminedRunner[] {
  // It says what would have to be installed.
  return doctorSubject({ ...doctor, runners: [ASSUMED_RUNNER] }).examined;
}

/** Returns the results of the checks that claims rest on or that tell whether a hook runs. None of these checks leaves a trace. */
async function checkResults(subject: DoctorSubject, entries: readonly ChecklistControl[]): Promise<readonly DoctorResult[]> {
  const wanted = new Set([
    ...KEEPS_FROM_RUNNING,
    ...entries.flatMap(({ claims }) => claims.flatMap((claim) => claim.doctor ?? [])),
  ]);
  const results: DoctorResult[] = [];
  for (const { id, examine } of checks)
    if (wanted.has(id)) for (const said of await examine(subject)) results.push({ check: id, ...said });
  return results;
}

/** Ignores comments that disable lint rules: the audit is about the very people who wrote them. */
function linted(project: string, patches: boolean, found: FoundFiles = findFiles(project)): LintedProject {
  const { unabridged } = lint(found, { ...DEFAULT_OPTIONS, comments: false });
  // An unreadable file has a finding that states this.
  const suspects = new Set(unabridged.map(({ location }) => location.file));
  return {
    findings: unabridged,
    unread: [
      ...found.files.flatMap((source) => {
        const why = suspects.has(source.path) ? whyUnread(source) : null;
        return why === null ? [] : [`${source.path}: ${why}`];
      }),
      ...found.incomplete.map(({ path, message }) => `${path === '' ? 'The project' : path}: ${message}`),
    ],
    found: patches ? found : null,
    files: found.files.flatMap(({ path }) => {
      const place = placeIn(project, path, 1);
      return place === null ? [] : [{ file: path, digest: place.digest }];
    }),
  };
}

/** Why the runner does not ask a hook that is in its settings; null when no reason is known. */
function idleReason({ runner }: ExaminedRunner, results: readonly DoctorResult[]): string | null {
  const problem = results.find(
    ({ check, runner: about, level }) => KEEPS_FROM_RUNNING.has(check) && about === runner.id && level === 'problem',
  );
  return problem === undefined ? null : problem.message;
}

/** Returns the hooks in the runner's settings, and the means to ask them. */
function hooksInForce(
  options: AuditOptions,
  own: OwnPrograms | null,
  one: ExaminedRunner,
  state: ScratchState,
  idle: string | null,
): InstalledHooks {
  const { workspace, home, environment, settings, managedDirectory } = options;
  const { project } = workspace.surroundings;
  const { runner } = one;
  const path = environment.PATH ?? '';
  const isClaude = runner.id === CLIENT;
  const known = (command: string) => (own === null ? null : ownHook(command, own, path, runner.id));
  const found = isClaude
    ? installedHooks({ project, home, managedDirectory: managedDirectory ?? '/etc/claude-code', extra: settings })
    : foundHooks(one, project);
  return examineInstalledHooks({
    protocol: isClaude ? claudeProtocol : ownProtocol(runner),
    project,
    files: found.files,
    hooks: found.hooks.map((hook) => ({ ...hook, whyNotBlocking: hook.whyNotBlocking ?? idle })),
    ownHook: known,
    idle,
    program: own === null ? null : ownProgram(own, options, runner, known),
    // How other runners treat the answer of a hook that is not ours was not measured.
    start: options.probes,
    startAny: options.runHooks && isClaude,
    state,
    environment: inherited(environment, ['SystemRoot', 'XDG_CONFIG_HOME']),
    patience: options.patience ?? PATIENCE,
  });
}

/** A folder that does not exist contains no copy. */
export function withRealPaths({ node, command, hook, versions = [] }: OwnPrograms): OwnPrograms {
  return {
    node: realpathSync(node),
    command: realpathSync(command),
    hook: realpathSync(hook),
    versions: versions.flatMap((folder) => realPath(folder) ?? []),
  };
}

/** Our program as it would be installed, for tests that do not need the runner's settings. */
function ownProgram(
  { node, hook }: OwnPrograms,
  { workspace, home, stateDirectory, environment }: AuditOptions,
  runner: Runner,
  known: (command: string) => OwnHook | null,
): BlockingHook | null {
  const command = hookCommandLine({
    runner: runner.id,
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
