/** What stands between the runner and a tool: the installed hooks, and what they answer to calls that nobody made. */

import type { OwnHook } from '../enforce/install/own-hook.js';
import { outcomeOf } from './claude-code/outcome.js';
import { hookVariables, preToolUse, type SyntheticCall } from './claude-code/payload.js';
import type { InstalledHook, SettingsFile } from './claude-code/settings.js';
import { excerptOf } from './digest.js';
import type { Piece } from './examined.js';
import type { HookOutcome, ProbeEvidence } from './report.js';
import type { ScratchState } from './scratch-state.js';
import { startHook } from './start-hook.js';

/** An installed hook that can block, and whether it is ours. */
export interface BlockingHook {
  readonly hook: InstalledHook;
  readonly own: OwnHook | null;
  /** It may be started: it is ours, or a person said so. */
  readonly probed: boolean;
}

export interface Probe {
  readonly id: string;
  readonly call: SyntheticCall;
  readonly expected: ProbeEvidence['expected'];
}

export interface ProbeResult {
  /** Of all hooks together: any of them can block. */
  readonly outcome: HookOutcome;
  readonly evidence: readonly Piece<ProbeEvidence>[];
}

export interface InstalledHooks {
  readonly files: readonly SettingsFile[];
  /** Hooks that were found but do not stand before every call. */
  readonly others: readonly InstalledHook[];
  readonly gating: readonly BlockingHook[];
  /**
   * Asks every hook that may be started; null when there is none. A hook that once gave no answer is not waited for again: the
   * earlier probe is the evidence then.
   */
  readonly probe: (probe: Probe) => Promise<ProbeResult | null>;
  /** Asks our own hook about calls that are made at the same moment: the installed one, else our program itself. */
  readonly race: (probes: readonly Probe[]) => Promise<Race | null>;
}

export interface Race {
  /** False: no hook of ours is in force, so that our program was started as it would be installed. */
  readonly installed: boolean;
  /** In the order of the probes. */
  readonly evidence: readonly Piece<ProbeEvidence>[];
}

export interface InstalledHooksOptions {
  readonly project: string;
  readonly files: readonly SettingsFile[];
  readonly hooks: readonly InstalledHook[];
  readonly ownHook: (command: string) => OwnHook | null;
  /** Our program, should none of the hooks be it; null when it is not installed whole. */
  readonly program: BlockingHook | null;
  readonly startAny: boolean;
  readonly state: ScratchState;
  /** The variables that the hook inherits; few, and no secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds that a probe may take, whatever the settings say. */
  readonly patience: number;
}

/** From the strictest to the loosest: how the answers of several hooks are put together. */
const STRICTNESS: readonly HookOutcome[] = ['blocked', 'deferred', 'asked', 'allowed', 'no-objection', 'failed-open'];

/** The hooks that a project's runner asks before each call. */
export function examineInstalledHooks(options: InstalledHooksOptions): InstalledHooks {
  const { hooks, files } = options;
  const gating = hooks.filter(({ whyNotBlocking }) => whyNotBlocking === null).map((hook) => gatingHook(hook, options));
  const started = gating.filter(({ probed }) => probed);
  let unanswered: ProbeResult | null = null;
  return {
    files,
    others: hooks.filter(({ whyNotBlocking }) => whyNotBlocking !== null),
    gating,
    probe: async (probe) => {
      if (started.length === 0) return null;
      if (unanswered !== null) return unanswered;
      const evidence = await Promise.all(started.map((one) => ask(one, probe, options)));
      const outcome = STRICTNESS.find((one) => evidence.some((piece) => piece.outcome === one)) ?? 'failed-open';
      const supports = holds(outcome, probe.expected);
      const result = { outcome, evidence: evidence.map((piece) => ({ ...piece, supports })) };
      if (evidence.some(({ timedOut }) => timedOut)) unanswered = result;
      return result;
    },
    race: async (probes) => {
      const installed = gating.find(({ own }) => own !== null) ?? null;
      const raced = installed ?? options.program;
      if (raced === null) return null;
      return { installed: installed !== null, evidence: await Promise.all(probes.map((probe) => ask(raced, probe, options))) };
    },
  };
}

function gatingHook(hook: InstalledHook, { ownHook, startAny }: InstalledHooksOptions): BlockingHook {
  const own = hook.command === null || hook.args !== null ? null : ownHook(hook.command);
  return { hook, own, probed: hook.command !== null && (own !== null || startAny) };
}

/** A hook that failed did not let anything pass on purpose, so that it is no sign of a working one. */
function holds(outcome: HookOutcome, expected: ProbeEvidence['expected']): boolean {
  if (expected === 'blocked') return outcome === 'blocked';
  return outcome === 'no-objection' || outcome === 'allowed' || outcome === 'asked';
}

async function ask({ hook, own }: BlockingHook, probe: Probe, options: InstalledHooksOptions): Promise<Piece<ProbeEvidence>> {
  const { project, state, environment } = options;
  const command = hook.command ?? '';
  const payload = preToolUse(probe.call, project);
  const run = await startHook({
    command: withState(command, own, state.directory),
    args: hook.args,
    cwd: project,
    environment: { ...environment, ...hookVariables(project), XDG_STATE_HOME: state.base },
    input: payload,
    deadline: Math.min(hook.timeout * 1000, options.patience),
  });
  const { outcome, why } = outcomeOf(run, hook.failsClosed);
  return {
    kind: 'probe',
    probe: probe.id,
    supports: holds(outcome, probe.expected),
    shows: `${probe.id}: ${outcomeWords[outcome]}, because the hook ${why}.`,
    place: hook.place,
    command: excerptOf(command, 2_000),
    payload,
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

const outcomeWords: Readonly<Record<HookOutcome, string>> = {
  blocked: 'the call is blocked',
  asked: 'the person is asked',
  deferred: 'the call is put off',
  allowed: 'the call runs',
  'no-objection': 'the call goes on to the runner’s own rules',
  'failed-open': 'the call goes on as if there were no hook',
};

/** The command line with the scratch state directory in the place of the installed one. */
function withState(command: string, own: OwnHook | null, directory: string): string {
  const written = own?.stateDirectory;
  if (written === null || written === undefined) return command;
  const quoted = `'${directory.replaceAll("'", "'\\''")}'`;
  return command.slice(0, written.span.start) + quoted + command.slice(written.span.end);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** What a hook printed: ids of the scratch log lead nowhere, and its folder is gone when somebody reads this. */
function output(text: string, state: ScratchState): string {
  return excerptOf(text.trimEnd(), 2_000).replaceAll(ID, '<id>').replaceAll(state.directory, '<state>');
}
