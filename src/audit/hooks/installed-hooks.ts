/** The installed hooks between the runner and its tools, and their answers to synthetic calls. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleQuoted } from '../../call/quote.js';
import type { OwnHook } from '../../install/own-hook.js';
import type { SyntheticCall } from '../claude-code/payload.js';
import type { InstalledHook, SettingsFile } from '../claude-code/settings.js';
import { excerptOf } from '../model/digest.js';
import type { EvidenceDraft } from '../model/examined.js';
import type { HookOutcome, ProbeEvidence } from '../model/report.js';
import type { ScratchState } from '../scratch/state.js';
import type { HookProtocol } from './protocol.js';
import { startHook } from './start-hook.js';

/** An installed hook that can block, and whether it is ours. */
export interface BlockingHook {
  readonly hook: InstalledHook;
  readonly own: OwnHook | null;
  /** The hook may be started: it is ours, or the user permits it (`--run-hooks`). */
  readonly probed: boolean;
}

export interface Probe {
  readonly id: string;
  readonly call: SyntheticCall;
  readonly expected: ProbeEvidence['expected'];
  /** The part to break on purpose, never outside scratch folders: the hook has to block the call in spite of it. */
  readonly broken?: BrokenPart;
}

/** A policy that is not YAML, a state directory that is a file, and a truncated payload. */
export const BROKEN_PARTS = ['policy', 'state', 'payload'] as const;
export type BrokenPart = (typeof BROKEN_PARTS)[number];

export interface ProbeResult {
  /** The outcome of all hooks together: any of them can block. */
  readonly outcome: HookOutcome;
  readonly evidence: readonly EvidenceDraft<ProbeEvidence>[];
}

export interface InstalledHooks {
  readonly files: readonly SettingsFile[];
  /** Hooks that were found but do not run before every call. */
  readonly others: readonly InstalledHook[];
  readonly blocking: readonly BlockingHook[];
  /**
   * Asks every hook that may be started; null if there is none. Once a hook fails to answer in time, no further probe is sent,
   * and the result of that probe is returned for all later ones.
   */
  readonly probe: (probe: Probe) => Promise<ProbeResult | null>;
  /** Why no probe returned an answer. */
  readonly whyNotAsked: string;
  /** Whether this runner's form of the call is known, so that a hook can be asked about the call. */
  readonly knows: (call: SyntheticCall) => boolean;
  /** The number of running subagents that the hook recorded in the last race. */
  readonly recorded: () => number;
  /** Asks our own hook about simultaneous calls: the installed hook if there is one, otherwise our program itself. */
  readonly race: (probes: readonly Probe[]) => Promise<Race | null>;
  /** Asks our own installed hook about consecutive calls, with no memory of other calls; null if the hook cannot be asked. */
  readonly inOrder: (probes: readonly Probe[]) => Promise<readonly EvidenceDraft<ProbeEvidence>[] | null>;
}

export interface Race {
  /** False: no hook of ours is in force, so our program was started as it would be installed. */
  readonly installed: boolean;
  /** In the order of the probes. */
  readonly evidence: readonly EvidenceDraft<ProbeEvidence>[];
}

export interface InstalledHooksOptions {
  readonly protocol: HookProtocol;
  readonly project: string;
  readonly files: readonly SettingsFile[];
  readonly hooks: readonly InstalledHook[];
  readonly ownHook: (command: string) => OwnHook | null;
  /** Why the runner does not ask a hook that is in its settings; null if no reason is known. */
  readonly idle: string | null;
  /** Our program, in case none of the hooks is ours; null if its installation is incomplete. */
  readonly program: BlockingHook | null;
  /** False: no hook is started at all. */
  readonly start: boolean;
  readonly startAny: boolean;
  readonly state: ScratchState;
  /** The few variables that the hook inherits, without secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The maximum number of milliseconds for a probe, whatever the settings allow. */
  readonly patience: number;
}

/** Enforcement cannot be shown unless a hook is started. */
export const NO_HOOK = 'No hook could be started; --run-hooks also starts hooks that are not ours.';
/** The beginning of a sentence about an installed hook that does not run; installing the hook again would change nothing. */
export const HOOK_OFF = 'The installed hook does not run: ';
const NO_PROBES = 'No hook was tested (--no-probes).';

/** From the strictest to the loosest: the strictest answer of several hooks is the result. */
const STRICTNESS: readonly HookOutcome[] = ['blocked', 'deferred', 'asked', 'allowed', 'no-objection', 'failed-open'];

/** Why our own hook does not run although correctly installed; null if none is installed, one runs, or no reason is known. */
function whyOff({ hooks, ownHook, idle }: InstalledHooksOptions): string | null {
  const ours = hooks.filter(({ command, args }) => command !== null && args === null && ownHook(command) !== null);
  if (ours.length === 0 || ours.some(({ whyNotBlocking }) => whyNotBlocking === null)) return null;
  const switched = ours.find(({ whyNotBlocking }) => whyNotBlocking?.includes(' is set in ') === true)?.whyNotBlocking;
  const why = switched ?? idle;
  return why === null ? null : `${HOOK_OFF}${excerptOf(why)}.`;
}

/** Examines the hooks that a project's runner asks before each call. */
export function examineInstalledHooks(options: InstalledHooksOptions): InstalledHooks {
  const { hooks, files, protocol, project } = options;
  const knows = (call: SyntheticCall) => protocol.payload(call, project) !== null;
  const blocking = hooks.filter(({ whyNotBlocking }) => whyNotBlocking === null).map((hook) => blockingHook(hook, options));
  const started = blocking.filter(({ probed }) => probed && options.start);
  let unanswered: ProbeResult | null = null;
  let recorded = 0;
  /** Identical calls are sent only once, however many claims rest on the answer. */
  const asked = new Map<string, Promise<readonly EvidenceDraft<ProbeEvidence>[]>>();
  const answers = (probe: Probe) => {
    const { toolUseId: _, ...call } = probe.call;
    const key = JSON.stringify([call, probe.broken]);
    const known = asked.get(key) ?? Promise.all(started.map((one) => ask(one, probe, options)));
    asked.set(key, known);
    return known;
  };
  return {
    files,
    others: hooks.filter(({ whyNotBlocking }) => whyNotBlocking !== null),
    blocking,
    probe: async (probe) => {
      if (started.length === 0 || !knows(probe.call)) return null;
      if (unanswered !== null) return unanswered;
      const evidence = (await answers(probe)).map((piece) => ({ ...piece, probe: probe.id, expected: probe.expected }));
      const outcome = STRICTNESS.find((one) => evidence.some((piece) => piece.outcome === one)) ?? 'failed-open';
      const supports = holds(outcome, probe.expected);
      const result = { outcome, evidence: evidence.map((piece) => ({ ...piece, supports })) };
      if (evidence.some(({ timedOut }) => timedOut)) unanswered = result;
      return result;
    },
    whyNotAsked: options.start ? (whyOff(options) ?? NO_HOOK) : NO_PROBES,
    knows,
    recorded: () => recorded,
    race: async (probes) => {
      const installed = blocking.find(({ own }) => own !== null) ?? null;
      const raced = installed ?? options.program;
      if (raced === null || !options.start || !probes.every(({ call }) => knows(call))) return null;
      const evidence = await Promise.all(probes.map((probe) => ask(raced, probe, options)));
      recorded = options.state.forgetRuns();
      return { installed: installed !== null, evidence };
    },
    inOrder: async (probes) => {
      const installed = blocking.find(({ own }) => own !== null);
      if (installed === undefined || !options.start || !probes.every(({ call }) => knows(call))) return null;
      const evidence: EvidenceDraft<ProbeEvidence>[] = [];
      for (const probe of probes) evidence.push(await ask(installed, probe, options));
      options.state.forgetRuns();
      return evidence;
    },
  };
}

function blockingHook(hook: InstalledHook, { ownHook, startAny }: InstalledHooksOptions): BlockingHook {
  const own = hook.command === null || hook.args !== null ? null : ownHook(hook.command);
  return { hook, own, probed: hook.command !== null && (own !== null || startAny) };
}

/** Whether the outcome is as expected. A call that passes because the hook failed is no sign of a working hook. */
function holds(outcome: HookOutcome, expected: ProbeEvidence['expected']): boolean {
  if (expected === 'blocked') return outcome === 'blocked';
  if (expected === 'blocked or asked') return outcome === 'blocked' || outcome === 'asked';
  return outcome === 'no-objection' || outcome === 'allowed' || outcome === 'asked';
}

async function ask(
  { hook, own }: BlockingHook,
  probe: Probe,
  options: InstalledHooksOptions,
): Promise<EvidenceDraft<ProbeEvidence>> {
  const { project, state, environment, protocol } = options;
  const command = hook.command ?? '';
  const folders = probe.broken === undefined ? { base: state.base, project } : brokenFolders(probe.broken, state, project);
  const whole = protocol.payload(probe.call, folders.project) ?? '';
  const payload = probe.broken === 'payload' ? whole.slice(0, whole.length / 2) : whole;
  const run = await startHook({
    command: withState(command, own, `${folders.base}/policy`),
    args: hook.args,
    cwd: folders.project,
    environment: { ...environment, ...protocol.variables(folders.project), XDG_STATE_HOME: folders.base },
    input: payload,
    deadline: Math.min(hook.timeout * 1000, options.patience),
  });
  const { outcome, why } = protocol.outcome(run, hook.failsClosed);
  return {
    kind: 'probe',
    runner: protocol.runner,
    probe: probe.id,
    supports: holds(outcome, probe.expected),
    shows: `${sentenceOf(probe)}: ${outcomeWords[outcome]}, because the hook ${why}.`,
    place: hook.place,
    command: excerptOf(command, 2_000),
    payload: payload.replaceAll(state.base, '<scratch>'),
    expected: probe.expected,
    outcome,
    why,
    exitCode: run.timedOut ? null : run.exitCode,
    signal: run.timedOut ? null : run.signal,
    timedOut: run.timedOut,
    stdout: output(run.stdout, state),
    stderr: output(run.stderr, state),
    milliseconds: run.milliseconds,
  };
}

/** Creates folders in which one part is broken and the rest is normal. */
function brokenFolders(
  part: BrokenPart,
  state: ScratchState,
  project: string,
): { readonly base: string; readonly project: string } {
  if (part === 'payload') return { base: state.base, project };
  const folder = join(state.base, `broken-${part}`);
  mkdirSync(folder, { recursive: true });
  if (part === 'policy') {
    writeFileSync(join(folder, 'policy.yaml'), 'version: 1\nallow: [\n');
    return { base: state.base, project: folder };
  }
  writeFileSync(join(folder, 'policy'), 'not a directory\n');
  return { base: folder, project };
}

/** Describes the call for a reader. */
function sentenceOf({ call, broken }: Probe): string {
  const { command, file_path: path } = call.input;
  const what = typeof command === 'string' ? `\`${command}\`` : `${call.tool} ${typeof path === 'string' ? path : ''}`.trim();
  const mode = call.permissionMode === undefined ? '' : ` in mode ${call.permissionMode}`;
  const how = broken === undefined ? '' : `, with a broken ${broken}`;
  return excerptOf(`${what}${mode}${how}`);
}

const outcomeWords: Readonly<Record<HookOutcome, string>> = {
  blocked: 'the call is blocked',
  asked: 'the person is asked',
  deferred: 'the call is put off',
  allowed: 'the call runs',
  'no-objection': 'the call goes on to the runner’s own rules',
  'failed-open': 'the call goes on as if there were no hook',
};

/** Returns the command line with the scratch state directory in place of the installed one. */
function withState(command: string, own: OwnHook | null, directory: string): string {
  const written = own?.stateDirectory;
  if (written === null || written === undefined) return command;
  return command.slice(0, written.span.start) + singleQuoted(directory) + command.slice(written.span.end);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/**
 * Returns a hook's output without ids of records in the scratch log, which cannot be looked up, and without paths of scratch
 * folders, which are deleted after the audit.
 */
function output(text: string, state: ScratchState): string {
  return excerptOf(text.trimEnd(), 2_000)
    .replaceAll(ID, '<id>')
    .replaceAll(state.directory, '<state>')
    .replaceAll(state.base, '<scratch>');
}
