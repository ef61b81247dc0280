/**
 * One run of `policy run`: waits for its turn, binds the runner's calls to agent and preset, starts the runner under supervision,
 * reads its output, ends it when its time or token budget is spent, and keeps a record of all this.
 */
import { StringDecoder } from 'node:string_decoder';
import { describeTool } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import { ownDirectory } from '../../log/files/directory.js';
import type { DecisionRecord } from '../../log/record/record.js';
import type { PresetName } from '../../policy/policy.js';
import type { FreedRun } from '../../run/admission.js';
import {
  type LaunchedRun,
  launchedDirectory,
  launchedRuns,
  RUN_FAMILY,
  removeLaunched,
  runMark,
  writeLaunched,
} from '../../run/launched.js';
import { spanText } from '../../run/moment.js';
import { identityOf, type ProcessIdentity, processTable } from '../../run/process-identity.js';
import type { LaunchPlan } from '../../runner/launch/launcher.js';
import { streamFormatOf } from '../../runner/launched.js';
import {
  type FinalEvent,
  GOAL_REFUSED,
  LOGIN_NEEDED,
  runEventLine,
  type StreamEvent,
  type TokenUsage,
} from '../../runner/stream/stream-event.js';
import { streamReader } from '../../runner/stream/stream-reader.js';
import { createOrchestrator, OrchestrationError, type QueueOptions, UnexplainedEnd } from '../agents/orchestrator.js';
import { decisionsOf, hasDecision } from './run-decisions.js';
import {
  eventAppender,
  type Outcome,
  pruneSessions,
  type SessionFolder,
  type SessionRecord,
  sessionFolder,
  writeSession,
} from './session-record.js';
import { type ProgramEnd, type Supervised, supervise } from './supervise.js';

export interface Launch {
  /** The name of the run: that of the agent, or of the preset. */
  readonly name: string;
  readonly agent: string | null;
  readonly preset: PresetName | null;
  readonly runner: RunnerId;
  readonly model: string | null;
  readonly goal: string | null;
  /** Real path. */
  readonly project: string;
  readonly cwd: string;
  readonly stateDirectory: string;
  /** Absolute path of the runner's program. */
  readonly program: string;
  readonly plan: LaunchPlan;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isInteractive: boolean;
  /** `sequential.maxConcurrent` */
  readonly maxConcurrent: number;
  /** Milliseconds for one attempt; `deadlineMs` covers the run with all its attempts (null: no limit). */
  readonly timeoutMs: number;
  readonly deadlineMs: number | null;
  readonly retries: number;
  readonly budgetTokens: number | null;
  readonly queue: QueueOptions | null;
  /** Maximum number of records of ended runs that are kept for a project. */
  readonly keep: number;
}

/** Receives the events of a run. */
export interface LaunchWatcher {
  /** The run's turn has come. */
  readonly begins: (uri: string, freed: readonly FreedRun[]) => void;
  /** The runner's output is read on once the promise resolves. */
  readonly event: (event: StreamEvent) => Promise<void>;
  /** A sentence about the run that a person has to see. */
  readonly note: (sentence: string) => void;
  /** A line that the runner wrote to standard error. */
  readonly errorLine: (line: string) => Promise<void>;
}

/** Why a run may not continue. `tell` reports it as at the start of a run, and returns the exit code. */
export interface Refusal {
  readonly problem: string;
  readonly tell: () => Promise<number>;
}

/** Thrown when the prerequisites of a run were checked again, after a wait or a failed attempt, and no longer allow it to continue. */
export class RefusedAgain extends Error {
  override readonly name = 'RefusedAgain';

  constructor(readonly refusal: Refusal) {
    super(refusal.problem);
  }
}

/** Checks the prerequisites of a run again: project, policy and hook may have changed. */
export type LaunchAgain = () => Promise<Launch | Refusal>;

/** How a run ended; `record` is null when it never began. */
export interface LaunchEnd {
  readonly outcome: Outcome;
  readonly error: OrchestrationError | null;
  readonly record: SessionRecord | null;
  /** The first few calls that were denied; in `refused`, those that the policy allowed and the runner did not run. */
  readonly denied: readonly DecisionRecord[];
  readonly refused: readonly DecisionRecord[];
}

const LONGEST_REASON = 300;

/** Tools that change files or run commands, by their canonical names and by their names in Codex's events. */
const CHANGES_SOMETHING: ReadonlySet<string> = new Set(['Bash', 'Write', 'Edit', 'command_execution', 'file_change']);

/** Why this process ends an attempt. */
type Stop = 'interrupted' | 'deadline' | 'budget' | 'unjudged';

/**
 * Carries out a run. Throws RunError or LogError when its record cannot be kept; OrchestrationError when its turn does not come,
 * because others run (`CONCURRENT_EXECUTION`) or its wait was interrupted (`INTERRUPTED`); RefusedAgain when it may not continue.
 * Returns every other end.
 * @param again called when its turn has come after a wait, and before each further attempt
 * @param interrupt aborted by Ctrl-C
 */
export async function launch(
  wanted: Launch,
  again: LaunchAgain,
  watcher: LaunchWatcher,
  interrupt: AbortSignal,
): Promise<LaunchEnd> {
  const run = new Running(wanted, again, watcher, interrupt);
  return await run.toEnd();
}

class Running {
  #wanted: Launch;
  readonly #again: LaunchAgain;
  readonly #watcher: LaunchWatcher;
  readonly #interrupt: AbortSignal;
  readonly #table = processTable(process.platform);
  #folder: SessionFolder | null = null;
  #record: SessionRecord | null = null;
  #keepEvents: (lines: string) => void = () => {};
  #attempts = 0;
  /** Number of calls that were carried out, according to the runner. */
  #calls = 0;
  #session: string | null = null;
  #usageBefore: TokenUsage | null = null;
  #usage: TokenUsage | null = null;
  #final: FinalEvent | null = null;
  #stopped: Stop | null = null;
  #child: Supervised | null = null;
  #launched: LaunchedRun | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #denied: readonly DecisionRecord[] = [];
  #refused: readonly DecisionRecord[] = [];
  /** Ids of calls that were not carried out, according to the runner. */
  readonly #stoppedCalls = new Set<string>();
  /** True once a decision of the hook about a call of the run was found, or if that cannot be determined. */
  #isJudged = false;

  constructor(wanted: Launch, again: LaunchAgain, watcher: LaunchWatcher, interrupt: AbortSignal) {
    this.#wanted = wanted;
    this.#again = again;
    this.#watcher = watcher;
    this.#interrupt = interrupt;
  }

  async toEnd(): Promise<LaunchEnd> {
    const { name, project, stateDirectory, maxConcurrent, timeoutMs, retries, queue, isInteractive } = this.#wanted;
    const turns = createOrchestrator({ project, stateDirectory, session: RUN_FAMILY, maxConcurrent });
    const onInterrupt = () => this.#stop('interrupted');
    this.#interrupt.addEventListener('abort', onInterrupt);
    let error: OrchestrationError | null = null;
    let refused: RefusedAgain | null = null;
    try {
      await turns.execute(
        { name },
        null,
        {
          timeoutMs: isInteractive ? Number.MAX_SAFE_INTEGER : timeoutMs,
          maxRetries: isInteractive ? 0 : retries,
          warn: (message, why) => this.#failed(message, why),
          ...(queue !== null && { queue: { ...queue, interrupt: this.#interrupt } }),
          admitted: (id, freed) => this.#begin(id, freed),
          recheck: () => this.#recheck(),
          awaitsEnd: true,
        },
        (_, signal) => this.#attempt(signal),
      );
    } catch (problem) {
      if (problem instanceof RefusedAgain) refused = problem;
      // Without a turn there was no run.
      else if (problem instanceof OrchestrationError && this.#folder !== null) error = problem;
      else throw problem;
    } finally {
      clearTimeout(this.#deadline);
      this.#interrupt.removeEventListener('abort', onInterrupt);
      if (this.#launched !== null) removeLaunched(stateDirectory, this.#launched);
    }
    if (refused !== null) {
      this.#finish('refused', refused.message);
      throw refused;
    }
    const outcome = this.#outcome(error);
    const record = this.#finish(outcome, error?.message ?? null);
    return { outcome, error, record, denied: this.#denied, refused: this.#refused };
  }

  /** Reports a failed attempt; the reason may be the runner's last message, of any length. */
  #failed(message: string, why: string): void {
    const [reason = ''] = why.trim().split('\n');
    this.#watcher.note(`attempt ${this.#attempts} failed: ${reason.slice(0, LONGEST_REASON)}`);
    this.#watcher.note(message);
  }

  async #recheck(): Promise<void> {
    // A run that was stopped ends with its next attempt.
    if (this.#stopped !== null) return;
    const found = await this.#again();
    if ('problem' in found) throw new RefusedAgain(found);
    this.#wanted = found;
  }

  #begin(id: string, freed: readonly FreedRun[]): void {
    const { name, agent, preset, runner, model, project, goal, stateDirectory, deadlineMs } = this.#wanted;
    // Removes the records of runs that were killed; this run's own record does not exist yet.
    launchedRuns(stateDirectory, this.#table);
    ownDirectory(launchedDirectory(stateDirectory));
    const now = new Date();
    this.#folder = sessionFolder(stateDirectory, name, now);
    const { uri } = this.#folder;
    this.#record = {
      ...{ version: 1, id, uri, agent, preset, runner, model, project, goal },
      ...{
        parentSessionId: null,
        session: null,
        state: 'running',
        holder: this.#holder(),
        outcome: null,
        problem: null,
        attempts: 0,
      },
      ...{
        startedAt: now.toISOString(),
        endedAt: null,
        usage: null,
        decisions: null,
        summary: null,
        artifacts: [`${uri}/events.jsonl`],
      },
    };
    writeSession(this.#folder, this.#record);
    this.#keepEvents = eventAppender(this.#folder, (message) => this.#watcher.note(message));
    if (deadlineMs !== null) this.#deadline = setTimeout(() => this.#stop('deadline'), deadlineMs);
    this.#watcher.begins(uri, freed);
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { program, plan, environment, cwd, isInteractive, name, stateDirectory } = this.#wanted;
    this.#attempts += 1;
    this.#final = null;
    this.#usageBefore = this.#usage;
    const child = await this.#spawned({
      ...{ file: program, arguments: plan.arguments, cwd, isInteractive },
      environment: { ...environment, ...plan.environment },
      mark: runMark(stateDirectory, this.#record?.id ?? ''),
    });
    const onAbort = () => this.#end('its time');
    signal.addEventListener('abort', onAbort);
    try {
      this.#child = child;
      if (this.#stopped !== null || this.#interrupt.aborted || signal.aborted) child.stop();
      const reading = this.#read(child);
      child.begin();
      const end = await child.ended;
      reading(end);
      this.#judge(end, name);
    } finally {
      this.#child = null;
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Starts the program without letting it begin: the hooks have to know first whose calls these are. */
  async #spawned(program: Parameters<typeof supervise>[0]): Promise<Supervised> {
    const { agent, model, runner, preset, project, name, stateDirectory, isInteractive } = this.#wanted;
    let child: Supervised;
    try {
      child = await supervise(program);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new OrchestrationError('EXECUTION_FAILED', `${name} could not be started: ${why}`, name);
    }
    if (this.#launched !== null) removeLaunched(stateDirectory, this.#launched);
    const id = this.#record?.id ?? '';
    this.#launched = {
      version: 1,
      id,
      agent,
      model,
      runner,
      preset,
      project,
      holder: this.#holder(),
      child: child.identity,
      headless: !isInteractive,
      // With a budget of zero, even the first call is denied.
      spent: this.#wanted.budgetTokens === 0 ? 'its tokens: 0 of 0' : null,
    };
    try {
      writeLaunched(stateDirectory, this.#launched);
    } catch (error) {
      child.stop();
      throw error;
    }
    return child;
  }

  #holder(): ProcessIdentity {
    return identityOf(process.pid, this.#table) ?? { pid: process.pid, began: '', where: this.#table.where };
  }

  /** Reads both channels; call the returned function when the program has ended. */
  #read({ read }: Supervised): (end: ProgramEnd) => void {
    const format = streamFormatOf(this.#wanted.runner);
    const reader = read === null || format === undefined ? null : streamReader(format);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    read?.({
      output: (chunk) => this.#heard(reader?.push(chunk) ?? []),
      errors: (chunk) => {
        const lines = (rest + decoder.write(chunk)).split('\n');
        // An unfinished line is cut: no one reads a megabyte of it.
        rest = (lines.pop() ?? '').slice(0, 8_192);
        return Promise.all(lines.map((line) => this.#watcher.errorLine(line)));
      },
    });
    return (end) => {
      if (rest !== '') void this.#watcher.errorLine(rest);
      if (reader !== null) void this.#heard(reader.end(end));
    };
  }

  /** Resolves when the watcher can take more events. */
  #heard(events: readonly StreamEvent[]): Promise<unknown> {
    this.#keepEvents(events.map((event) => `${runEventLine(event)}\n`).join(''));
    for (const event of events) {
      if (event.kind === 'started' && event.session !== null) this.#session = event.session;
      if (event.kind === 'usage') this.#spend(event.usage);
      if (event.kind === 'tool' && event.phase === 'completed') {
        this.#calls += 1;
        if (!this.#isJudged) this.#requireJudgement(event.tool);
      }
      if (event.kind === 'final') {
        this.#final = event;
        for (const id of event.refused ?? []) this.#stoppedCalls.add(id);
        if (event.usage !== null) this.#spend(event.usage);
      }
    }
    return Promise.all(events.map((event) => this.#watcher.event(event)));
  }

  /**
   * A hook records its decision before the call is carried out. If a command has run or a file was changed and there is no
   * decision of the run, the hook does not see the calls, for whatever reason, so the run is ended.
   */
  #requireJudgement(tool: string): void {
    const { runner, stateDirectory } = this.#wanted;
    if (!CHANGES_SOMETHING.has(describeTool(tool, runner).canonical ?? tool) || this.#record === null) return;
    this.#isJudged = hasDecision(stateDirectory, this.#record);
    if (!this.#isJudged) this.#stop('unjudged', 'its turn, since the hook judges none of its calls');
  }

  /** Adds the usage of this attempt, which the runner reports from zero, to that of earlier attempts. */
  #spend(usage: TokenUsage): void {
    this.#usage = this.#usageBefore === null ? usage : sumOf(this.#usageBefore, usage);
    const { budgetTokens } = this.#wanted;
    const used = this.#usage.input + this.#usage.output;
    if (budgetTokens === null || used < budgetTokens || this.#final !== null) return;
    this.#stop('budget', `its tokens: ${used} of ${budgetTokens}`);
  }

  /** @param spent why further calls are denied until the runner has ended */
  #stop(why: Stop, spent = why === 'deadline' ? 'its time' : 'its time (it was interrupted)'): void {
    if (this.#stopped !== null) return;
    this.#stopped = why;
    this.#end(spent);
  }

  /** Marks the run as spent before asking the runner to end, since it may continue for a while with unfinished work. */
  #end(spent: string): void {
    if (this.#launched !== null) {
      this.#launched = { ...this.#launched, spent };
      try {
        writeLaunched(this.#wanted.stateDirectory, this.#launched);
      } catch {
        // The runner is ended anyway.
      }
    }
    this.#child?.stop();
  }

  /** Throws the error that ends the attempt; only a failure of the runner itself is retried. */
  #judge(end: ProgramEnd, name: string): void {
    if (this.#stopped === 'interrupted')
      throw new OrchestrationError('INTERRUPTED', `${name} was interrupted${this.#whyInterrupted()}`, name);
    if (this.#stopped === 'deadline')
      throw new OrchestrationError(
        'TIMEOUT',
        `${name} took longer than its deadline of ${spanText(this.#wanted.deadlineMs ?? 0)}`,
        name,
      );
    if (this.#stopped === 'unjudged') {
      const { runner } = this.#wanted;
      const message = `${name} was ended: ${runner} ran a call, but the hook judged none; \`policy doctor ${runner}\` checks the hook`;
      throw new OrchestrationError('EXECUTION_FAILED', message, name);
    }
    if (this.#stopped === 'budget')
      throw new OrchestrationError('BUDGET_EXCEEDED', `${name} has used its ${this.#wanted.budgetTokens} tokens`, name);
    const { isInteractive, program } = this.#wanted;
    if (end.code === 126 || end.code === 127) {
      const message = `${name} could not be started: ${program} is not a program that can run here (exit code ${end.code})`;
      throw new OrchestrationError('EXECUTION_FAILED', message, name);
    }
    if (isInteractive ? end.code === 0 : this.#final?.outcome === 'completed' && end.code === 0) return;
    // A message about completed work is not the reason for the failure.
    const why = this.#final?.outcome === 'completed' ? null : this.#final?.message;
    if (why?.startsWith(GOAL_REFUSED) || LOGIN_NEEDED.test(why ?? ''))
      throw new OrchestrationError('EXECUTION_FAILED', `${name} failed: ${why}`, name);
    const message = why ?? `the runner ended with ${end.signal ?? `exit code ${end.code}`}`;
    // Nothing here sent that signal.
    throw end.signal === null ? new Error(message) : new UnexplainedEnd(message);
  }

  /** Returns the reason given to the abort signal, as the rest of a sentence. */
  #whyInterrupted(): string {
    const { reason } = this.#interrupt as { readonly reason: unknown };
    return typeof reason === 'string' ? `: ${reason}` : '';
  }

  #outcome(error: OrchestrationError | null): Outcome {
    switch (error?.code) {
      case undefined:
        return 'completed';
      case 'TIMEOUT':
        return 'timeout';
      case 'INTERRUPTED':
        return 'interrupted';
      case 'BUDGET_EXCEEDED':
        return 'budget';
      default:
        return 'failed';
    }
  }

  #finish(outcome: Outcome, problem: string | null): SessionRecord | null {
    if (this.#folder === null || this.#record === null) return null;
    const { project, stateDirectory, keep } = this.#wanted;
    const { uri } = this.#folder;
    const summary = this.#final?.message ?? null;
    const known = decisionsOf(this.#wanted.stateDirectory, this.#record, this.#stoppedCalls);
    this.#denied = known.denied;
    this.#refused = known.refused;
    const decisions = known.counts;
    if (this.#calls > 0 && decisions !== null && decisions.allow + decisions.ask + decisions.deny === 0)
      this.#watcher.note(
        `the runner reports ${this.#calls === 1 ? 'a call' : `${this.#calls} calls`}, but the hook judged none; \`policy doctor ${this.#wanted.runner}\` checks the hook`,
      );
    this.#record = {
      ...this.#record,
      ...{ session: this.#session, state: 'ended', outcome, problem, attempts: this.#attempts },
      ...{ endedAt: new Date().toISOString(), usage: this.#usage, decisions, summary },
      artifacts: [`${uri}/events.jsonl`, ...(summary === null ? [] : [`${uri}/summary.md`])],
    };
    writeSession(this.#folder, this.#record);
    pruneSessions(stateDirectory, project, keep);
    return this.#record;
  }
}

function sumOf(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    output: one.output + other.output,
  };
}
