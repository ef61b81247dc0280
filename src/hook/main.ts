/**
 * The hook process: reads a payload from standard input and writes the runner's own form of an answer. Every failure is a denial
 * with one line that says what to do. Nothing large may be imported here: bench/hook.mjs measures the cost of a call.
 */

import { isAbsolute } from 'node:path';
import type { Shell, ToolCall } from '../call/tool-call.js';
import { UNSEEN_ENVIRONMENT } from '../decide/guards/environment.js';
import { realPath } from '../disk/real-path.js';
import { defaultUserDirectory } from '../disk/user-directory.js';
import { forgetSessions, recordAgentEvent } from '../enforce/agents/runs.js';
import { type Environment, exportedEnvironment, parentEnvironment } from '../enforce/facts/seen-environment.js';
import { enforceLive, enforceTyped, type LiveContext, type LiveDecision, logResult } from '../enforce/live.js';
import { logFailure } from '../enforce/log-failure.js';
import { openPolicy, type PreparePolicy } from '../enforce/snapshot/open.js';
import type { PolicyPlaces, PreparedPolicy } from '../enforce/snapshot/prepared-policy.js';
import { BUILD, VERSION } from '../generated/build.js';
import { defaultStateDirectory } from '../log/files/directory.js';
import { LogError } from '../log/files/log-error.js';
import { coverSecrets, maskDecision } from '../log/record/mask-decision.js';
import { isSealDue } from '../log/tree/seal-due.js';
import { isDamagedProgram } from '../policy/read/damaged-program.js';
import { unreadable } from '../project/packages.js';
import { policyFolder } from '../project/policy-folder.js';
import { projectOf } from '../project/project.js';
import { recallProject, rememberProject, type SessionKey } from '../project/session-project.js';
import { escapeText } from '../report/printing/escape.js';
import { launchedRun, RUN_MARK } from '../run/launched.js';
import { processTable } from '../run/process-identity.js';
import { RunError } from '../run/run-error.js';
import type { AgentMessage } from '../runner/hook/agent-event.js';
import { byExitCode, denial, type HookEvent, type HookOutput, type SessionBegin, shellOf } from '../runner/hook/runner.js';
import { isAnswerAlone } from '../runner/hook/stdout-failures.js';
import { runnerNamed } from '../runner/runners.js';
import { failureLine, hookLine } from './hook-line.js';
import { type HookOptions, hookOptions } from './options.js';

/** What the process supplies to the hook; tests supply substitutes. */
export interface HookProcess {
  /** The words after `policy hook`. */
  readonly words: readonly string[];
  /** Returns all of standard input; throws if it cannot be read or is too long. */
  readonly input: () => string;
  readonly environment: Environment;
  /** The home directory if the environment names none. */
  readonly home: () => string;
  readonly parent: number;
  /** True if the process that started this one has ended: an installed line then denies, whatever the answer is. */
  readonly isUnheard: () => boolean;
  readonly platform: NodeJS.Platform;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly microseconds: () => number;
  /** Prepares a policy when there is no snapshot, and stores one. */
  readonly compile: PreparePolicy;
  /** Seals the decision log of a state directory; takes a bounded time. */
  readonly seal: (stateDirectory: string) => void;
}

/** Runs the hook once; never throws. */
export function runHook(process: HookProcess): HookOutput {
  const [runner = ''] = process.words;
  try {
    const options = hookOptions(process.words);
    const output = typeof options === 'string' ? options : answerTo(options, process);
    return typeof output === 'string' ? failure(output, runner) : output;
  } catch (error) {
    return failure(whyFailed(error), runner);
  }
}

function whyFailed(error: unknown): string {
  const isKnown = error instanceof LogError || error instanceof RunError || isDamagedProgram(error);
  return isKnown ? error.message : whatFailed(error);
}

/** A plain Error describes a problem with a file or a system call; any other class is a bug in this program. */
function whatFailed(error: unknown): string {
  if (error instanceof Error && error.constructor === Error)
    return `${error.message}; if that is in order, install the hook again (\`policy doctor\` shows the line)`;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `the hook failed (internal/error: ${what}); ${TELL_A_PERSON}, or \`policy check\` on the same call`;
}

/** Appended to a sentence about something that only a person can repair. */
export const TELL_A_PERSON = 'a person finds out more with `policy doctor`';

/** A denial because the call could not be judged, in the runner's own form if that is known. */
export function failure(why: string, runner: string): HookOutput {
  const message = failureLine(why);
  try {
    const answer = runnerNamed(runner)?.answer({ effect: 'deny', grant: false, message, notice: null });
    return answer === undefined ? denial(message) : byExitCode(answer);
  } catch {
    // The part of this program that knows the runner cannot be loaded.
    return denial(message);
  }
}

const NO_OBJECTION: HookOutput = { stdout: '', stderr: '', exitCode: 0 };

const UNHEARD = "the hook's watcher was stopped, and this call with it; try again";

/** The last millisecond of the year 9999, the latest time that a record can contain. */
const LAST_TIME = 253_402_300_799_999;

/** Returns the answer, or a sentence why the call could not be judged. */
function answerTo(options: HookOptions, process: HookProcess): HookOutput | string {
  const time = process.now();
  if (!(time >= 0 && time <= LAST_TIME)) return "this machine's clock is wrong, so that nothing can be logged; set it";
  const event = readEvent(options, process);
  if (event.kind === 'unreadable') {
    const why = `the payload on standard input ${event.why}; is this hook installed for another runner? (\`policy doctor\` tells)`;
    return logged(why, options, process, null);
  }
  if (event.kind === 'other') {
    if (event.begins) return sessionBegun(event.begins, options, process);
    return event.agents ? agentsHeard(event.agents, options, process) : NO_OBJECTION;
  }
  if (event.kind === 'typed-skill') return typedSkill(options, process, event);
  if (event.kind === 'after-call') return judged(options, process, event);
  try {
    const output = judged(options, process, event);
    return typeof output === 'string' ? logged(output, options, process, event) : output;
  } catch (error) {
    // A log that cannot be written cannot record its own failure either.
    if (!(error instanceof LogError)) logged(whyFailed(error), options, process, event);
    throw error;
  }
}

/** Logs why a call is denied without judgement, if possible, and returns the reason. */
function logged(
  why: string,
  options: HookOptions,
  { environment, home, now }: HookProcess,
  event: (HookEvent & { kind: 'before-call' }) | null,
): string {
  const from = environment.HOME || home();
  if (options.stateDirectory === null && !isAbsolute(from)) return why;
  logFailure(why, {
    stateDirectory: options.stateDirectory ?? defaultStateDirectory(environment, from),
    runner: options.runner.id,
    project: options.project,
    cwd: event?.call.cwd ?? null,
    session: event?.session ?? null,
    agent: event?.call.agent ?? null,
    time: now(),
    version: VERSION,
  });
  return why;
}

/** Answers a skill that a person typed; failures use the runner's form for typed skills. */
function typedSkill(options: HookOptions, process: HookProcess, event: HookEvent & { kind: 'typed-skill' }): HookOutput {
  const refuse = (why: string) => byExitCode(options.runner.refuseTyped?.(failureLine(why)) ?? denial(failureLine(why)));
  try {
    const output = judged(options, process, event);
    return typeof output === 'string' ? refuse(output) : output;
  } catch (error) {
    return refuse(whyFailed(error));
  }
}

/**
 * Whether the process that started this one has ended, possibly before this one could check: an installed line's hook is never a
 * direct child of process 1.
 */
function isLeftAlone({ environment }: HookOptions, { parent, isUnheard }: HookProcess): boolean {
  return isUnheard() || (environment === 'parent' && parent <= 1);
}

type Judged = HookEvent & { kind: 'before-call' | 'after-call' | 'typed-skill' };

function judged(options: HookOptions, process: HookProcess, event: Judged): HookOutput | string {
  const { places: found, begins } = placesOf(options, process, event);
  const environment = environmentOf(options, process);
  const mark = UNSEEN_ENVIRONMENT in environment ? null : environment[RUN_MARK];
  const table = () => processTable(process.platform);
  const launched = launchedRun(found.stateDirectory, found.project, process.parent, mark, table);
  // The search for a run begins at the parent process. If that has ended, the run is not found, and its call would be judged and
  // logged as belonging to none.
  if (launched === null && event.kind !== 'after-call' && isLeftAlone(options, process)) return UNHEARD;
  const places = launched === null ? found : { ...found, run: { preset: launched.preset } };
  const openIn = (folder: string) =>
    openPolicy({ places: { ...places, folder }, environment, build: BUILD, now: process.now, compile: process.compile });
  const opened = openIn(places.folder);
  if (!opened.ok) {
    const [first] = opened.problems;
    const where =
      first === undefined ? '' : ` ${first.source.file}:${first.source.line}:${first.source.column}: ${first.message}`;
    return `the policy cannot be used:${where.replace(/\.$/, '')}; let a person repair it and check with \`policy doctor\``;
  }
  if (begins !== null && rememberProject(begins, places.project, process.now()) !== places.project)
    return 'another call of this session was made in another project at the same moment; try again';
  const context: LiveContext = {
    stateDirectory: places.stateDirectory,
    version: VERSION,
    time: process.now(),
    microseconds: process.microseconds,
    isUnheard: process.isUnheard,
    launched,
    // Files held open are closed when this process ends.
    packagePolicy: (folder) => {
      const below = openIn(folder);
      return below.ok ? below.prepared.compiled : unreadable(opened.prepared.compiled, folder);
    },
  };
  try {
    if (event.kind === 'after-call') return afterCall(opened.prepared, event, context);
    const output =
      event.kind === 'typed-skill'
        ? beforeSkill(opened.prepared, event, options, context)
        : beforeCall(opened.prepared, event, options, context);
    const isAlone = options.isProved && !(UNSEEN_ENVIRONMENT in environment) && isAnswerAlone(environment);
    return isAlone ? output : byExitCode(output);
  } finally {
    opened.close();
  }
}

type Told = Pick<LiveDecision, 'id' | 'decision' | 'model' | 'remedy'>;

/** The message to the agent and the person, without secrets; single commands are omitted because they may be long. */
function lineFor({ id, decision, model, remedy }: Told, { input }: ToolCall): string {
  return hookLine(maskDecision({ ...decision, commands: [] }, input), id, remedy && coverSecrets(remedy), model);
}

function readEvent({ runner, shell }: { runner: HookOptions['runner']; shell: Shell }, process: HookProcess): HookEvent {
  let text: string;
  try {
    text = process.input();
  } catch (error) {
    return { kind: 'unreadable', why: `cannot be read (${error instanceof Error ? error.message : error})` };
  }
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', why: text.trim() === '' ? 'is empty' : 'is not valid JSON' };
  }
  return runner.parse(payload, shellOf(runner, shell, process.platform === 'win32'));
}

function beforeCall(
  prepared: PreparedPolicy,
  event: HookEvent & { kind: 'before-call' },
  { runner }: HookOptions,
  context: LiveContext,
): HookOutput {
  const live = enforceLive(prepared, event.call, event, context);
  const { decision, told, observed, grant, warning } = live;
  const message = lineFor(live, event.call);
  const notice = observed && decision.decision !== 'allow' ? `OBSERVE MODE, nothing is blocked: ${message}` : warning;
  const effect = told === 'ask' && event.answered ? 'allow' : told;
  return runner.answer({ effect, grant, message, notice: notice && escapeText(notice) });
}

/** An ask is already answered, since the person typed the name. In a run with a goal nobody did, and it is a denial. */
function beforeSkill(
  prepared: PreparedPolicy,
  event: HookEvent & { kind: 'typed-skill' },
  { runner }: HookOptions,
  context: LiveContext,
): HookOutput {
  const denied = enforceTyped(prepared, event.call, event, context);
  if (denied === null || denied.observed) return NO_OBJECTION;
  const message = lineFor(denied, event.call);
  return runner.refuseTyped?.(message) ?? denial(message);
}

function afterCall(prepared: PreparedPolicy, event: HookEvent & { kind: 'after-call' }, context: LiveContext): HookOutput {
  const { result, message, microseconds, started = { id: null, background: false } } = event;
  logResult(prepared, event.call, event, { result, message, microseconds, started }, context);
  return NO_OBJECTION;
}

/** Records news about subagents. There is nothing to deny here: a failure to record keeps later agents from starting. */
function agentsHeard({ event, cwd, ...said }: AgentMessage, options: HookOptions, process: HookProcess): HookOutput {
  try {
    const { places } = placesOf(options, process, { call: { cwd }, session: said.session });
    const { now, microseconds } = process;
    const { stateDirectory, project, runner } = places;
    recordAgentEvent({ event, cwd }, { stateDirectory, project, runner, news: said, now, microseconds }, VERSION);
    const isRest = event.kind === 'session-ended' || (event.kind === 'turn-ended' && isSealDue(stateDirectory, now()));
    if (!isRest) return NO_OBJECTION;
    forgetSessions(stateDirectory, now());
    return sealLog(stateDirectory, process);
  } catch (error) {
    return warnOnly('write down what a subagent did', error);
  }
}

/** Fixes the project of a session. An error here also occurs at the session's first call and denies that. */
function sessionBegun({ session, cwd }: SessionBegin, options: HookOptions, process: HookProcess): HookOutput {
  try {
    const { places, begins } = placesOf(options, process, { call: { cwd }, session });
    if (begins !== null) rememberProject(begins, places.project, process.now());
    return NO_OBJECTION;
  } catch (error) {
    return warnOnly('write down where a session works', error);
  }
}

/** Seals the log. Anything that cannot be sealed now is sealed next time; `policy doctor` shows how old it is. */
function sealLog(stateDirectory: string, { seal }: HookProcess): HookOutput {
  try {
    seal(stateDirectory);
    return NO_OBJECTION;
  } catch (error) {
    return warnOnly('seal the decision log', error);
  }
}

/**
 * Warns without denying, as nothing is decided here: some runners would take a denial, for a subagent that has ended, as an
 * instruction to continue.
 */
function warnOnly(what: string, error: unknown): HookOutput {
  const why = error instanceof Error ? error.message : String(error);
  return { ...NO_OBJECTION, stderr: `${escapeText(`policy could not ${what}: ${why}`)}\n` };
}

interface AboutCall {
  readonly call: { readonly cwd: string };
  readonly session: string | null;
  readonly workspace?: string | null;
}

interface FoundPlaces {
  readonly places: PolicyPlaces;
  /** The session whose project is to be remembered from this call on. */
  readonly begins: SessionKey | null;
}

/** The directories in use: from the installed command line, otherwise from the environment. */
function placesOf(options: HookOptions, process: HookProcess, { call, session, workspace }: AboutCall): FoundPlaces {
  const { environment, platform } = process;
  const home = environment.HOME || process.home();
  if (!isAbsolute(home)) throw new Error('HOME is not an absolute path');
  const stateDirectory = options.stateDirectory ?? defaultStateDirectory(environment, home);
  const start = realPath(call.cwd) ?? call.cwd;
  const runner = options.runner.id;
  const key = options.project === null && session !== null ? { stateDirectory, runner, session } : null;
  const known = options.project ?? (key && recallProject(key));
  // A model that chooses the directory of a call must not be able to choose the project with it.
  const project = known ?? projectOf(workspace ? (realPath(workspace) ?? workspace) : start);
  const places: PolicyPlaces = {
    project,
    folder: policyFolder(project, start),
    home,
    platform,
    runner,
    userDirectory: options.configDirectory ?? defaultUserDirectory(environment, home),
    managedDirectory: options.managedDirectory ?? '/etc/policy',
    stateDirectory,
    run: null,
  };
  return { places, begins: known === null ? key : null };
}

function environmentOf({ environment: whose }: HookOptions, { environment, parent }: HookProcess): Environment {
  if (whose === 'parent') return parentEnvironment(parent);
  return whose === 'variable' ? exportedEnvironment(environment.POLICY_ENVIRONMENT) : environment;
}
