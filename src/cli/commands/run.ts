/** `policy run`: starts an agent in a runner, under the policy. */
import { quoted } from '../../call/quote.js';
import { OrchestrationError } from '../../enforce/agents/orchestrator.js';
import type { Launch, Refusal } from '../../enforce/launch/launch.js';
import { launchPlanText } from '../../report/launch.js';
import { escapeText, jsonLine } from '../../report/printing/escape.js';
import { OBSERVE_NOT_IN_RUNS } from '../../report/printing/observe.js';
import { RUN_FAMILY } from '../../run/launched.js';
import { timestampOf } from '../../run/moment.js';
import { concurrentExecution } from '../../run/overlap.js';
import { processTable } from '../../run/process-identity.js';
import { liveRuns } from '../../run/running-agents.js';
import type { RunPlaces } from '../agents/runs.js';
import { meantByWords, UNGOVERNED } from '../launch/advice.js';
import { isAgentHere } from '../launch/agent.js';
import { refuseWrongOut } from '../launch/out.js';
import { prepareLaunch, type RunSurroundings, refuseForbidden, type Subject, subjectOf } from '../launch/prepare.js';
import { runLaunch } from '../launch/run-launch.js';
import { problemOf, tellProblem } from '../launch/tell.js';
import { openSilently } from '../place/open.js';
import { placesOf, refuseInsideRunner, stateDirectoryOf } from '../place/where.js';
import { UsageError } from '../terminal/exit.js';
import { print, tellOnce } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';

export { takes } from '../launch/options.js';

/** Returns the exit code; see RUN_EXIT. Throws UsageError before anything was started. */
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
    return await runLaunch(args, wanted, again, subject, { places, stateDirectory, isGoverned });
  } catch (error) {
    return await tellProblem(error, json, { project: places.project, stateDirectory });
  }
}

/** Prepares the run, once nothing prevents it. Throws the errors that `tellProblem` reports. */
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
  const wanted = await prepareLaunch(args, subject, extra, { places, stateDirectory, workspace });
  for (const note of wanted.plan.notes) tellOnce(`note: ${note}`);
  for (const { code, message } of workspace.notes)
    if (code === 'trust/untrusted' || code === 'trust/changed') tellOnce(`note: ${message}`);
  const isGoverned = workspace.policy.sources.length > 0 || subject.preset !== null || wanted.isInteractive;
  if (!isGoverned) tellOnce(UNGOVERNED);
  return { wanted, subject, isGoverned };
}

/** Prepares the run again from the current state, after a wait or a failed attempt. */
async function launchAgain(args: Arguments, name: string | undefined, extra: readonly string[]): Promise<Launch | Refusal> {
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

/** Returns the agent, and the words after `--`. */
function wordsOf(args: Arguments): { readonly name: string | undefined; readonly extra: readonly string[] } {
  const extra = wordsBehindDashes(process.argv);
  const given = [textFlag(args, 'agent'), ...(Array.isArray(args.words) ? args.words.map(String) : [])].filter(
    (word) => word !== undefined,
  );
  if (extra.at(-1) === '--') throw new UsageError('The arguments for the runner must not end with --');
  const before = given.slice(0, given.length - extra.length);
  if (before.length > 1)
    throw new UsageError(
      `One agent at a time, not ${before.length}; put the goal after --goal, and arguments for the runner after --`,
      ...(textFlag(args, 'goal') === undefined ? [`  fix: ${meantByWords(before, (word) => isAgentHere(args, word))}`] : []),
    );
  return { name: before[0], extra };
}

/** Returns the words after the first `--` that is not the value of --goal. */
function wordsBehindDashes(words: readonly string[]): readonly string[] {
  const dashes = words.findIndex((word, at) => at > 2 && word === '--' && words[at - 1] !== '--goal');
  return dashes < 0 ? [] : words.slice(dashes + 1);
}

/** Checked before any definition is read, since none of them matters while another run is in progress. Throws OrchestrationError. */
function refuseOverlap(args: Arguments, name: string | undefined, places: RunPlaces): void {
  if (switchFlag(args, 'dry-run') || switchFlag(args, 'queue')) return;
  const now = timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
  const table = () => processTable(process.platform);
  const runs = liveRuns(places.stateDirectory, places.project, RUN_FAMILY, now, table);
  const running = runs.filter(({ state }) => state === 'running');
  const [first] = running;
  if (first === undefined) return;
  const { maxConcurrent, mode } = openSilently({ ...args, runner: undefined }, false).policy.sequential;
  if (mode === 'queue' || running.length < maxConcurrent) return;
  const requested = name ?? `preset ${textFlag(args, 'preset')}`;
  throw new OrchestrationError('CONCURRENT_EXECUTION', concurrentExecution(first.agent, requested), requested, first.agent);
}

/** Returns a word as bash and zsh read it back, also one with characters that cannot be printed. */
function pasted(word: string): string {
  return escapeText(word) === word ? quoted(word) : `$'${escapeText(word.replace(/[\\']/g, '\\$&'))}'`;
}

async function showPlan(wanted: Launch, json: boolean): Promise<number> {
  const { program, plan, cwd, isInteractive, runner, preset, agent, model, environment } = wanted;
  const shown = {
    ...{ runner, agent, preset, model, program, cwd, isInteractive },
    ...{ arguments: plan.arguments, environment: Object.keys(plan.environment), notes: plan.notes },
    inherited: Object.keys(environment).sort(),
  };
  if (json) await print(jsonLine({ version: 1, ...shown }));
  else await print(launchPlanText({ ...shown, line: [program, ...plan.arguments].map(pasted).join(' ') }));
  return 0;
}
