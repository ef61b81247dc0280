/** `policy run`: starts an agent in a coding-agent program, under the policy. */
import { OrchestrationError } from '../../enforce/agents/orchestrator.js';
import { WriteError } from '../../enforce/files/replace.js';
import {
  type Launch,
  type LaunchAgain,
  type LaunchEnd,
  type LaunchWatcher,
  launch,
  type Refusal,
  RefusedAgain,
} from '../../enforce/launch/launch.js';
import type { Outcome } from '../../enforce/launch/session-record.js';
import { appendRecord } from '../../log/append.js';
import { LogError } from '../../log/log-error.js';
import { type DecisionRecord, eventRecordOf } from '../../log/record/record.js';
import { newRecordId } from '../../log/record/record-id.js';
import { PRESETS } from '../../policy/policy.js';
import { escapeJson } from '../../report/escape.js';
import { endText, eventText, launchPlanText, startLine } from '../../report/launch.js';
import { OBSERVE_NOT_IN_RUNS } from '../../report/observe.js';
import { RUN_FAMILY } from '../../run/launched.js';
import { spanText, timestampOf } from '../../run/moment.js';
import { concurrentExecution, overlapWarning } from '../../run/overlap.js';
import { processTable } from '../../run/process-identity.js';
import { RunError } from '../../run/run-error.js';
import { liveAgents } from '../../run/running-agents.js';
import { LAUNCHED_RUNNERS } from '../../runner/launch/registry.js';
import { runEventLine } from '../../runner/stream/stream-event.js';
import { type Arguments, switchFlag, textFlag } from '../arguments.js';
import type { CommandHelp, Declarations } from '../command.js';
import { UsageError } from '../exit.js';
import { meantByWords, UNGOVERNED } from '../launch/advice.js';
import { AgentProblem, isAgentHere } from '../launch/agent.js';
import { type Advise, adviceFor } from '../launch/denied.js';
import { onceOnly } from '../launch/once-only.js';
import { refuseWrongOut, writeOut } from '../launch/out.js';
import {
  prepareLaunch,
  RefusedByPolicy,
  type RunSurroundings,
  refusedLaunch,
  refuseForbidden,
  type Subject,
  subjectOf,
  withTrial,
} from '../launch/prepare.js';
import { tellOnce } from '../launch/tell-once.js';
import { placesOf, refuseInsideRunner } from '../launch/where.js';
import { openSilently, POLICY_FILES } from '../open.js';
import { ENDED_BY_CLOSED_PIPE, finishUnread, print, textOptions, warn, warned } from '../terminal.js';
import { version } from '../version.js';
import { type RunPlaces, stateDirectoryOf } from './agents/runs.js';

/** How a run ends. 3 is for wrong usage, as everywhere; 124 and 130 are what `timeout` and a shell report. */
const RUN_EXIT: Readonly<Record<Outcome, number>> = {
  completed: 0,
  failed: 1,
  refused: 2,
  budget: 2,
  timeout: 124,
  interrupted: 130,
};

export const usage = `$0 run AGENT --goal TEXT [--runner RUNNER] [OPTIONS] [-- WORDS for the runner...]
$0 run --preset PRESET --goal TEXT [--runner RUNNER] [OPTIONS]
$0 run AGENT [--runner RUNNER]

Starts an agent in a coding-agent program, with exactly the permissions of its definition, of the preset and of the policy. The hook
judges every call of the run; a runner whose hook does not work is not started. One run at a time works in a project: another is refused,
or waits for its turn with --queue. A failed attempt is tried again, one that takes too long is ended with everything that it started.
Without --goal, in a terminal, you work with the agent yourself, under the same permissions.

The run prints what the agent says and does, and one line at its end: outcome, time, tokens, and how its calls were decided. Its record
is kept: \`policy status ID --log\`. An agent written for another runner is started in any of them: its instructions become part of the
goal. Flags that the installed runner does not know are left out or replaced, and a note says so.`;

const BUDGET = 'Limits:';
const POLICY = 'The policy:';

export function options(program: Declarations): Declarations {
  return (
    program
      .positional('agent', { describe: 'The agent, in any spelling; `policy agents list` names them' })
      .positional('words', {
        array: true,
        describe: 'Behind `--`: more flags for the runner, those that are known to leave the hook in place',
      })
      .option('goal', {
        type: 'string',
        value: 'TEXT',
        verbatim: true,
        describe: 'What it is to do; - reads it from standard input',
      })
      .option('runner', {
        type: 'string',
        choices: LAUNCHED_RUNNERS,
        default: "that of the agent's definition",
        describe: 'The coding-agent program',
      })
      .option('model', {
        type: 'string',
        value: 'MODEL',
        default: "that of the agent, else the runner's own",
        describe: 'The model',
      })
      .option('scope', {
        type: 'string',
        value: 'DIR',
        default: 'the project',
        describe: 'The directory of the project that it works in',
      })
      .option('out', { type: 'string', value: 'FILE', describe: 'Also write its last message to this file' })
      .option('program', { type: 'string', value: 'FILE', describe: "Start this program in the place of the runner's on PATH" })
      // No further policy: the hook judges the calls, and knows what is on disk and the preset of the run.
      .option('preset', { type: 'string', choices: PRESETS, describe: 'Start from a preset', group: POLICY })
      .option('cwd', {
        type: 'string',
        value: 'DIR',
        default: 'here',
        describe: 'A directory of the project',
        group: POLICY,
      })
      .option('dry-run', { type: 'boolean', describe: 'Print the command line, and start nothing' })
      .option('json', { type: 'boolean', describe: 'Print one JSON object per event (schemas/run-event.schema.json)' })
      .option('timeout', {
        type: 'string',
        value: 'TIME',
        default: '300s',
        describe: 'An attempt that takes longer is ended, and not tried again',
        group: BUDGET,
      })
      .option('retries', {
        type: 'string',
        value: 'N',
        default: '2',
        describe: 'How often a failed attempt is tried again',
        group: BUDGET,
      })
      .option('deadline', {
        type: 'string',
        value: 'TIME',
        describe: 'The run, with all its attempts, is ended after this time',
        group: BUDGET,
      })
      .option('budget', {
        type: 'string',
        value: 'TOKENS',
        describe: 'Once so many tokens are used, further calls are denied and the run is ended',
        group: BUDGET,
      })
      .option('queue', {
        type: 'boolean',
        describe: 'Wait until other runs have ended, in the order of the requests',
        group: BUDGET,
      })
      .option('queue-timeout', {
        type: 'string',
        value: 'TIME',
        default: '24h',
        describe: 'Wait no longer than this',
        group: BUDGET,
      })
      .option('keep', {
        type: 'string',
        value: 'N',
        default: '100',
        describe: 'Keep the records of so many ended runs of this project',
        group: BUDGET,
      })
      .option('state-dir', { type: 'string', value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory' })
  );
}

/** The exit code; see RUN_EXIT. Throws UsageError before anything was started. */
export async function run(args: Arguments): Promise<number> {
  if (!switchFlag(args, 'dry-run')) refuseInsideRunner('policy run');
  const { name, extra } = wordsOf(args);
  const places = placesOf(args);
  refuseWrongOut(args, places.project);
  const stateDirectory = stateDirectoryOf(args);
  const json = switchFlag(args, 'json');
  try {
    refuseOverlap(args, name, { project: places.project, stateDirectory });
    const { wanted, subject, isGoverned } = await readyLaunch(args, name, extra, { places, stateDirectory });
    if (switchFlag(args, 'dry-run')) return await showPlan(wanted, json);
    const again = () => launchAgain(args, name, extra);
    const advise: Advise = async (denied) => adviceFor(args, denied);
    return await runLaunch(args, wanted, again, subject, { places, stateDirectory, isGoverned, advise });
  } catch (error) {
    return await tellProblem(error, json, { project: places.project, stateDirectory });
  }
}

/** What is to be started, once nothing stands in its way. Throws what `tellProblem` tells. */
async function readyLaunch(
  args: Arguments,
  name: string | undefined,
  extra: readonly string[],
  { places, stateDirectory }: Pick<RunSurroundings, 'places' | 'stateDirectory'>,
): Promise<{ readonly wanted: Launch; readonly subject: Subject; readonly isGoverned: boolean }> {
  const workspace = openSilently({ ...args, runner: undefined }, true);
  if (workspace.policy.mode === 'observe') tellOnce(OBSERVE_NOT_IN_RUNS);
  const subject = subjectOf(args, name, workspace);
  refuseForbidden(subject, places, workspace);
  const hook = withTrial(places, workspace);
  const wanted = await prepareLaunch(args, subject, extra, { places, stateDirectory, workspace }, hook);
  for (const note of wanted.plan.notes) tellOnce(`note: ${note}`);
  for (const { code, message } of workspace.notes)
    if (code === 'trust/untrusted' || code === 'trust/changed') tellOnce(`note: ${message}`);
  const isGoverned = workspace.policy.sources.length > 0 || subject.preset !== null || wanted.isInteractive;
  if (!isGoverned) tellOnce(UNGOVERNED);
  return { wanted, subject, isGoverned };
}

/** What is to be started as it stands now, after a wait or a failed attempt. */
export async function launchAgain(
  args: Arguments,
  name: string | undefined,
  extra: readonly string[],
): Promise<Launch | Refusal> {
  const places = placesOf(args);
  const stateDirectory = stateDirectoryOf(args);
  try {
    return (await readyLaunch(args, name, extra, { places, stateDirectory })).wanted;
  } catch (error) {
    const known = problemOf(error);
    if (known === null) throw error;
    const tell = () => tellProblem(error, switchFlag(args, 'json'), { project: places.project, stateDirectory });
    return { problem: known.message, tell };
  }
}

/** The agent, and what stands behind `--`. */
function wordsOf(args: Arguments): { readonly name: string | undefined; readonly extra: readonly string[] } {
  const extra = wordsBehindDashes(process.argv);
  const given = [textFlag(args, 'agent'), ...(Array.isArray(args.words) ? args.words.map(String) : [])].filter(
    (word) => word !== undefined,
  );
  if (extra.at(-1) === '--') throw new UsageError('The words for the runner must not end with --');
  const before = given.slice(0, given.length - extra.length);
  if (before.length > 1)
    throw new UsageError(
      `One agent at a time, not ${before.length}; a goal goes behind --goal, words for the runner behind --`,
      ...(textFlag(args, 'goal') === undefined ? [`  fix: ${meantByWords(before, (word) => isAgentHere(args, word))}`] : []),
    );
  return { name: before[0], extra };
}

/** What stands behind the `--` that is no goal. */
function wordsBehindDashes(words: readonly string[]): readonly string[] {
  const dashes = words.findIndex((word, at) => at > 2 && word === '--' && words[at - 1] !== '--goal');
  return dashes < 0 ? [] : words.slice(dashes + 1);
}

/** Before any definition is read: while another run goes on, none of them matters. Throws OrchestrationError. */
function refuseOverlap(args: Arguments, name: string | undefined, places: RunPlaces): void {
  if (switchFlag(args, 'dry-run') || switchFlag(args, 'queue')) return;
  const now = timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
  const table = () => processTable(process.platform);
  const running = liveAgents(places.stateDirectory, places.project, RUN_FAMILY, now, table);
  const [first] = running;
  if (first === undefined) return;
  const { maxConcurrent, mode } = openSilently({ ...args, runner: undefined }, false).policy.sequential;
  if (mode === 'queue' || running.length < maxConcurrent) return;
  const requested = name ?? `preset ${textFlag(args, 'preset')}`;
  throw new OrchestrationError('CONCURRENT_EXECUTION', concurrentExecution(first.agent, requested), requested, first.agent);
}

async function showPlan(wanted: Launch, json: boolean): Promise<number> {
  const { program, plan, cwd, isInteractive, runner, preset, agent, model } = wanted;
  const shown = {
    ...{ runner, agent, preset, model, program, cwd, isInteractive },
    ...{ arguments: plan.arguments, environment: Object.keys(plan.environment), notes: plan.notes },
  };
  if (json) await print(`${escapeJson(JSON.stringify({ version: 1, ...shown }))}\n`);
  else await print(launchPlanText(shown));
  return 0;
}

interface RunAround extends Pick<RunSurroundings, 'places' | 'stateDirectory'> {
  readonly isGoverned: boolean;
  readonly advise: Advise;
}

/** Runs what is ready to be run; the exit code. */
export async function runLaunch(
  args: Arguments,
  wanted: Launch,
  again: LaunchAgain,
  subject: Subject,
  { stateDirectory, places, isGoverned, advise }: RunAround,
): Promise<number> {
  const json = switchFlag(args, 'json');
  const log = eventLog({ stateDirectory, project: places.project }, wanted);
  const interrupt = new AbortController();
  let isUnread = false;
  finishUnread(() => {
    isUnread = true;
    interrupt.abort('nobody reads what it prints any more');
  });
  const onSignal = (signal: NodeJS.Signals) => {
    // A person who works with the runner interrupts the runner: both get the signal from the terminal.
    if (hasBegun && wanted.isInteractive && signal === 'SIGINT') return;
    if (!hasBegun) return interrupt.abort(signal);
    warn(`${subject.name} is being ended (${signal}); its turn is given back`);
    interrupt.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const heedSignals = onceOnly(() => {
    for (const signal of signals) process.on(signal, onSignal);
  });
  // What is said and logged of the start waits until the runner has been let go, and comes before all else.
  let begun = () => {};
  let hasBegun = false;
  const watcher: LaunchWatcher = {
    begins: (uri, freed) => {
      hasBegun = true;
      heedSignals();
      begun = onceOnly(() => {
        for (const { run, why } of freed) {
          const message = `The run of ${run.agent} was struck off the record of running agents: ${why}.`;
          warn(`note: ${message}`);
          log('lock.stale', 'warning', message);
        }
        log('run.started', 'info', `${subject.name} started in ${wanted.runner} (${uri}).`);
        void print(
          json
            ? runLine({ kind: 'run', name: wanted.name, runner: wanted.runner, model: wanted.model, uri })
            : `${startLine(wanted.name, wanted.model)}\n`,
        );
      });
      setImmediate(begun);
    },
    event: (event) => {
      begun();
      return print(json ? `${escapeJson(runEventLine(event))}\n` : eventText(event, textOptions().color));
    },
    note: (sentence) => {
      begun();
      warn(`note: ${sentence}`);
      log('run.note', 'warning', sentence);
    },
    errorLine: (line) => {
      begun();
      return warned(line);
    },
  };
  let end: LaunchEnd;
  if (wanted.queue !== null) heedSignals();
  try {
    end = await launch(wanted, again, watcher, interrupt.signal);
  } catch (error) {
    if (isUnread && !hasBegun) return ENDED_BY_CLOSED_PIPE;
    if (!(error instanceof RefusedAgain)) throw error;
    const [why = ''] = error.message.split('\n');
    if (hasBegun) log('run.ended', 'warning', `${subject.name} ended: ${why.replace(/\.$/, '')}.`);
    return await error.refusal.tell();
  } finally {
    begun();
  }
  for (const signal of signals) process.off(signal, onSignal);
  if (end.outcome === 'budget') log('budget.exceeded', 'warning', `${end.error?.message ?? subject.name}.`);
  log(
    'run.ended',
    end.outcome === 'completed' ? 'info' : 'warning',
    `${subject.name} ended: ${(end.error?.message ?? end.outcome).replace(/\.$/, '')}.`,
  );
  const isAsked = (record: DecisionRecord) => record.reasons.includes('ask/nobody');
  const asked = json ? [] : end.denied.filter(isAsked);
  // How the run ended is told also where the program that would advise was damaged meanwhile.
  const advice = asked.length === 0 ? [] : await advise(asked).catch(() => []);
  await tellEnd(end, new Map(asked.map((record, at) => [record, advice[at] ?? null])), json);
  if (!isGoverned && (end.record?.decisions?.deny ?? 0) > 0) warn(UNGOVERNED);
  if (end.outcome === 'timeout' && wanted.deadlineMs === null) warn('note: --timeout TIME gives each attempt more time');
  const isWritten = end.record?.summary == null || writeOut(args, end.record.summary, places.project);
  if (isUnread) return ENDED_BY_CLOSED_PIPE;
  return isWritten || end.outcome !== 'completed' ? RUN_EXIT[end.outcome] : RUN_EXIT.failed;
}

/** @param asked what was denied only because nobody could be asked, with what would allow it */
async function tellEnd(
  { outcome, error, record, denied }: LaunchEnd,
  asked: ReadonlyMap<DecisionRecord, string | null>,
  json: boolean,
): Promise<void> {
  const milliseconds = record === null ? 0 : Date.parse(record.endedAt ?? record.startedAt) - Date.parse(record.startedAt);
  const shown = {
    ...{ outcome, problem: error?.message ?? null, milliseconds, attempts: record?.attempts ?? 0 },
    ...{ usage: record?.usage ?? null, decisions: record?.decisions ?? null, uri: record?.uri ?? null },
  };
  // The session that started the run goes on, whatever became of it.
  if (json)
    await print(runLine({ kind: 'end', code: error?.code ?? null, exitCode: RUN_EXIT[outcome], resumed: true, ...shown }));
  else await print(endText({ ...shown, denied, asked }));
}

function runLine(fields: object): string {
  return `${escapeJson(JSON.stringify({ version: 1, ...fields }))}\n`;
}

type Log = (event: string, severity: 'info' | 'warning', message: string) => void;

/** Appends to the decision log; a run does not fail for that, its calls do. */
function eventLog({ project, stateDirectory }: RunPlaces, { runner, agent, model, cwd }: Partial<Launch>): Log {
  return (event, severity, message) => {
    const time = Date.now();
    const origin = { id: newRecordId(time), time, session: null, model: model ?? null, project, version: version() };
    const who = { ...(runner !== undefined && { runner }), ...(agent && { agent }), cwd: cwd ?? project };
    try {
      appendRecord(stateDirectory, eventRecordOf({ event, severity, message }, origin, who));
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      warn(`note: ${error.message}`);
    }
  };
}

/** What keeps a run from starting, with a stable code; the exit code. What is none of this is thrown on. */
export async function tellProblem(error: unknown, json: boolean, places: RunPlaces): Promise<number> {
  const known = problemOf(error);
  if (known === null) throw error;
  const { code, outcome, message, exitCode } = known;
  if (error instanceof OrchestrationError && error.runningAgent !== null) {
    const warning = overlapWarning(error.runningAgent, error.requestedAgent);
    warn(warning);
    eventLog(places, {})('run.overlap', 'warning', warning);
  }
  if (json) {
    const concurrent =
      error instanceof OrchestrationError ? { runningAgent: error.runningAgent, requestedAgent: error.requestedAgent } : {};
    await print(runLine({ kind: 'end', code, outcome, exitCode, resumed: true, problem: message, ...concurrent }));
  }
  // The name is the person's word, and may hold anything.
  if (error instanceof AgentProblem) {
    warn(message);
    if (error.hint !== null) warn(`note: ${error.hint}`);
  } else for (const line of message.split('\n')) warn(line);
  if (error instanceof OrchestrationError && error.waitedMs !== null)
    warn(`note: it waited ${spanText(error.waitedMs)} for its turn; --queue-timeout TIME lets it wait longer`);
  return exitCode;
}

interface KnownProblem {
  readonly code: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly exitCode: number;
}

function problemOf(error: unknown): KnownProblem | null {
  if (error instanceof OrchestrationError && error.code === 'INTERRUPTED')
    return { code: error.code, outcome: 'interrupted', message: error.message, exitCode: RUN_EXIT.interrupted };
  if (error instanceof AgentProblem || error instanceof OrchestrationError)
    return { code: error.code, outcome: 'failed', message: error.message, exitCode: RUN_EXIT.failed };
  if (error instanceof RefusedByPolicy)
    return { code: 'REFUSED_BY_POLICY', outcome: 'refused', message: error.message, exitCode: RUN_EXIT.refused };
  const refused = refusedLaunch(error);
  if (refused !== null) return { code: 'NOT_STARTED', outcome: 'refused', message: refused, exitCode: 3 };
  if (error instanceof UsageError)
    return { code: 'NOT_STARTED', outcome: 'refused', message: error.lines.join('\n'), exitCode: 3 };
  if (error instanceof RunError || error instanceof LogError || error instanceof WriteError)
    return { code: 'EXECUTION_FAILED', outcome: 'failed', message: error.message, exitCode: RUN_EXIT.failed };
  return null;
}

export const help: CommandHelp = {
  exitCodes: [
    [0, 'the agent has done its work'],
    [1, 'it failed, could not be started, or another one runs'],
    [2, 'the policy does not let it start, or its tokens are spent'],
    [3, 'wrong usage, a mistake in a file, or a hook that does not work'],
    [124, 'it took too long'],
    [130, 'it was interrupted'],
    [141, 'nobody reads its output any more'],
  ],
  files: [
    ...POLICY_FILES,
    ['.claude/agents, .codex/agents, .opencode/agents …', 'The definitions, as `policy agents list` prints them'],
    ['$XDG_STATE_HOME/policy/agents', 'Written: the records of runs (without XDG_STATE_HOME: ~/.local/state)'],
    ['$XDG_STATE_HOME/policy/runs', 'Written: who runs'],
  ],
  examples: [
    {
      says: 'The command line of a run; here with a program that knows none of the flags, so that notes say what is left out',
      line: 'policy run code-reviewer --runner codex --goal "Review the last change." --program /bin/echo --dry-run 2>/dev/null',
      exit: 0,
      prints: ['Would start code-reviewer in codex:', '…', 'Nothing was started (--dry-run).'],
    },
    {
      says: 'An agent that is not there',
      line: 'policy run nobody --goal "Say hello." 2>&1',
      exit: 1,
      prints: ['Unknown subagent: nobody', 'note: `policy agents list` names those that are found'],
    },
  ],
};
