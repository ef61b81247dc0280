/** Turns the words of `policy run` into a run that can be started: agent, runner, command line and hook. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { programOnPath, programVersion } from '../../audit/doctor/found/client.js';
import { shellWord } from '../../audit/doctor/found/words.js';
import { pastTheHook, type RunKind, switchedOffBelow, unjudged, unknownOf } from '../../audit/launch/around.js';
import {
  type HookProblem,
  installedHookProblems,
  sessionHookProblems,
  type TrialOptions,
} from '../../audit/launch/hook-ready.js';
import { projectServers } from '../../audit/launch/project-servers.js';
import { isSandboxed } from '../../audit/surroundings/openings.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { isDirectory } from '../../disk/git/directory.js';
import { isInside } from '../../disk/inside.js';
import { realPath } from '../../disk/real-path.js';
import { OrchestrationError } from '../../enforce/agents/orchestrator.js';
import { enforceDry } from '../../enforce/enforce.js';
import { helpText } from '../../enforce/launch/help-text.js';
import type { Launch } from '../../enforce/launch/launch.js';
import type { KnownMachine } from '../../install/mcp/own-gateway.js';
import type { InstallPlaces } from '../../install/target.js';
import { LogError } from '../../log/files/log-error.js';
import { PRESETS, type PresetName } from '../../policy/policy.js';
import type { Workspace } from '../../project/workspace.js';
import type { Runner } from '../../runner/hook/runner.js';
import { type KnownFlags, knownFlags, type Launcher, type ProjectServers, planOf } from '../../runner/launch/launcher.js';
import { passedVariables } from '../../runner/launch/passed-variables.js';
import { isGoverned } from '../../runner/launch/project-servers.js';
import { LAUNCHED_RUNNERS, launcherOf } from '../../runner/launched.js';
import { runnerNamed } from '../../runner/runners.js';
import { machineHere } from '../place/own-programs.js';
import { UsageError } from '../terminal/exit.js';
import { tellOnce, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, countFlag, durationFlag, switchFlag, textFlag } from '../words/arguments.js';
import { runCommand } from './advice.js';
import { type ChosenAgent, chosenAgent, goalOf, initialPromptOf, launchedAgent, reachOf, refuseLongGoal } from './agent.js';
import { mentionsIn, RefusedByPolicy, refuseInstructions, refuseMentions, TOO_MANY, withInstructions } from './brought.js';
import { cleanRoomOf, hasCleanRoom, leftOutNote, type StartedClient } from './clean-room.js';
import { refuseFirstCommand, refuseOwnCommand } from './own-commands.js';
import { sessionSettings } from './session-hook.js';

const TIMEOUT_MS = 300_000;
const RETRIES = 2;
/** Milliseconds that a hook or a runner may take to answer. */
const PATIENCE = 15_000;
const KEEP = 100;
/** Maximum time in the queue, in milliseconds. */
const QUEUE_MS = 24 * 3_600_000;

export interface RunSurroundings {
  readonly places: InstallPlaces;
  readonly stateDirectory: string;
  readonly workspace: Workspace;
}

/** The agent or preset to start: its name, with its definition if it has one. */
export interface Subject {
  readonly name: string;
  readonly agent: ChosenAgent | null;
  readonly preset: PresetName | null;
}

/**
 * Prepares everything that a run needs. Starts nothing but the runner's help and a trial of the hook. Throws UsageError,
 * AgentProblem, LogError and WriteError.
 * @param extra the person's own words for the runner
 */
export async function prepareLaunch(
  args: Arguments,
  subject: Subject,
  extra: readonly string[],
  surroundings: RunSurroundings,
): Promise<Launch> {
  const { places, stateDirectory, workspace } = surroundings;
  const { agent, name, preset } = subject;
  const { isQueued, patienceMs, ...limits } = limitsOf(args);
  const launcher = launcherFor(args, agent, places);
  const runner = runnerOf(launcher.id);
  const program = programOf(args, runner, launcher, places, name);
  const goal = await goalOf(args);
  const isInteractive = goal === null;
  if (isInteractive) refuseWithoutTerminal(launcher, args);
  const model = modelFor(args, agent, launcher.id);
  const cwd = scopeOf(args, places);
  const reach = reachOf(workspace, agent);
  const environment = passedVariables(places.environment, launcher.variables, workspace.policy.run.environment);
  const help = () => knownFlags(helpOf(program, launcher, { stateDirectory, environment, name, isInteractive }));
  const knows = launcher.cleanRoom === undefined ? null : toldLater(help);
  const version = knows !== null && hasCleanRoom(launcher, knows) ? programVersion(runner, program, places, PATIENCE) : null;
  const client = { runner, launcher, version, cwd, isInteractive, takesSession: takesSession(runner, launcher) };
  const isJudged = version === null || switchFlag(args, 'project-settings');
  const withoutProject = isJudged ? null : cleanRoomOf(client, trialOptions(launcher, surroundings, preset));
  const isClean = withoutProject !== null;
  const servers = serversOf(launcher, agent, machineHere(places, stateDirectory), cwd, isClean, isInteractive);
  const run = { headless: !isInteractive, reach, servers };
  const around = { ...surroundings, preset, run, servers: isInteractive ? null : servers, isClean: withoutProject !== null };
  const settings = await readyHook(switchFlag(args, 'dry-run'), client, around);
  const isFound = withoutProject === null || launcher.cleanRoom?.untrusted === true;
  const request = {
    ...{ reach, model, settings, extra, environment, withoutProject, projectServers: servers },
    goal:
      withoutProject !== null && switchFlag(args, 'instructions')
        ? goalWithInstructions(goal, launcher, surroundings, cwd)
        : goal,
    agent: agent === null ? null : launchedAgent(agent, launcher.id, isFound),
    isSandboxed: isSandboxed(runner, places),
  };
  const planned = planOf(launcher, request, knows ?? help());
  const leftOut =
    withoutProject === null
      ? null
      : leftOutNote(client, places.project, withoutProject, servers !== null && launcher.cleanRoom?.takesServers === true);
  const plan = leftOut === null ? planned : { ...planned, notes: [leftOut, ...planned.notes] };
  if (agent !== null && request.agent?.isOwn && launcher.takesInitialPrompt === true) {
    const first = initialPromptOf(agent, places.project);
    refuseFirstCommand(first, agent.definition.name);
    refuseMentions(mentionsIn(first), launcher.program, cwd, workspace);
  }
  if (launcher.hasOwnCommands === true && goal !== null)
    refuseOwnCommand(goal, { project: places.project, home: places.home, cwd }, withoutProject !== null);
  if (plan.mentions === null) throw new UsageError(TOO_MANY);
  refuseMentions(plan.mentions, launcher.program, cwd, workspace);
  const isRead = withoutProject === null && !extra.some((word) => word === launcher.instructions.leftOutBy);
  if (isRead) refuseInstructions(launcher, places, workspace, cwd);
  const { maxConcurrent, mode } = workspace.policy.sequential;
  return {
    ...{ name, agent: agent?.definition.name ?? null, preset, runner: launcher.id, model, goal },
    ...{
      project: places.project,
      cwd,
      stateDirectory,
      program,
      plan,
      environment,
      isInteractive,
      maxConcurrent,
    },
    ...limits,
    queue: isQueued || mode === 'queue' ? { patienceMs, waiting: sayPosition(name) } : null,
  };
}

/** Returns the goal with the project's instructions. Throws UsageError and RefusedByPolicy. */
function goalWithInstructions(
  goal: string | null,
  launcher: Launcher,
  { places, workspace }: RunSurroundings,
  cwd: string,
): string {
  if (goal === null)
    throw new UsageError('--instructions needs a goal (--goal TEXT): at a terminal, tell the client which file to read');
  const whole = withInstructions(goal, launcher, places.project, cwd, workspace);
  refuseLongGoal(whole, "The goal, with the project's instructions,");
  return whole;
}

/** Returns the limits, which are checked before anything is started. Throws UsageError. */
function limitsOf(args: Arguments) {
  return {
    timeoutMs: durationFlag(args, 'timeout') ?? TIMEOUT_MS,
    deadlineMs: durationFlag(args, 'deadline') ?? null,
    retries: countFlag(args, 'retries', 0, 2) ?? RETRIES,
    budgetTokens: countFlag(args, 'budget', 0, 200_000) ?? null,
    keep: countFlag(args, 'keep', 1, 100) ?? KEEP,
    isQueued: switchFlag(args, 'queue'),
    patienceMs: durationFlag(args, 'queue-timeout') ?? QUEUE_MS,
  };
}

function sayPosition(name: string): (ahead: number) => void {
  return (ahead) => warn(`${name} waits for its turn: ${ahead === 0 ? 'next' : `${ahead} before it`}`);
}

/** A person who starts an agent has thereby answered an ask about its start; a denial still applies. Throws RefusedByPolicy. */
export function refuseForbidden({ agent }: Subject, places: InstallPlaces, workspace: Workspace): void {
  if (agent === null) return;
  const input = { subagent_type: agent.definition.name, description: '', prompt: '' };
  const call = { tool: 'Agent', input, cwd: places.project, headless: false, shell: 'union' } as const;
  const { decision, message, reasons } = enforceDry(workspace, call);
  // A preset without a tool to start agents restricts agents; here a person starts one.
  if (decision === 'deny' && !reasons.every(({ code }) => code.startsWith('preset/')))
    throw new RefusedByPolicy(`The policy does not let ${agent.definition.name} start: ${message}`);
}

/** @param isClean servers in the project's files have no effect, unless they are behind our gateway and a flag names their list */
function serversOf(
  launcher: Launcher,
  agent: ChosenAgent | null,
  machine: KnownMachine,
  cwd: string,
  isClean: boolean,
  isInteractive: boolean,
): ProjectServers | null {
  const { places } = machine;
  if (isClean && isInteractive) return null;
  const isOfProject = agent !== null && agent.runner === launcher.id && agent.definition.scope === 'project';
  const definition = isOfProject ? resolve(places.project, agent.definition.source.file) : null;
  const found = projectServers(launcher, places, cwd, definition, machine);
  // In an untrusted folder, agent definitions may still name servers.
  if (!isClean || launcher.cleanRoom?.untrusted === true) return found;
  return launcher.cleanRoom?.takesServers === true && found !== null && isGoverned(found) ? found : null;
}

/**
 * Returns the launcher named by `--runner`, else that of the runner for which the definition was written, else that of the only
 * runner on PATH.
 */
function launcherFor(args: Arguments, agent: ChosenAgent | null, places: InstallPlaces): Launcher {
  const said = choiceFlag(args, 'runner', RUNNERS) ?? agent?.runner;
  if (said !== undefined) {
    const launcher = launcherOf(said);
    if (launcher !== null) return launcher;
    throw new UsageError(`policy run cannot start ${said}; give --runner with one of ${LAUNCHED_RUNNERS.join(', ')}`);
  }
  const here = onPath(places);
  const [only, other] = here;
  if (only === undefined)
    throw new UsageError(
      `No coding agent on PATH can be started (${LAUNCHED_RUNNERS.join(', ')}); install one, or name its program`,
      `  fix: policy run --runner ${LAUNCHED_RUNNERS[0]} --program FILE ...`,
    );
  if (other !== undefined)
    throw new UsageError(`Several coding agents are installed: say which with --runner (${here.join(', ')})`);
  return launcherOf(only) as Launcher;
}

function onPath(places: InstallPlaces) {
  return LAUNCHED_RUNNERS.filter((id) => programOnPath(runnerOf(id), places) !== null);
}

function runnerOf(id: RunnerId): Runner {
  const runner = runnerNamed(id);
  if (runner === undefined) throw new UsageError(`${id} is no runner`);
  return runner;
}

/** Returns `--program FILE`, else the first program on PATH; that search skips folders of the project, which is not trusted. */
function programOf(args: Arguments, runner: Runner, launcher: Launcher, places: InstallPlaces, name: string): string {
  const said = textFlag(args, 'program');
  if (said === undefined) {
    const found = programOnPath(runner, places);
    if (found === null) {
      const others = onPath(places);
      throw new UsageError(
        `${launcher.program} is not on PATH; install it, or name it with --program FILE`,
        `  fix: policy run --runner ${others[0] ?? `${launcher.id} --program FILE`} ...`,
      );
    }
    return found.real;
  }
  const file = realPath(resolve(said));
  if (file === null) throw notStarted(name, `--program ${said} is not there`);
  if (!isFile(file)) throw notStarted(name, `--program ${said} is no file`);
  return file;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Returns the error for a program that cannot be started: a failed run, not wrong usage, so that a script that waits for the agent goes on.
 */
function notStarted(name: string, why: string): OrchestrationError {
  return new OrchestrationError('EXECUTION_FAILED', `${name} could not be started: ${why}`, name);
}

/** Returns null if the help cannot be read, so that other problems are reported first. */
function toldLater(help: () => KnownFlags): KnownFlags | null {
  try {
    return help();
  } catch (error) {
    if (error instanceof LogError || error instanceof OrchestrationError) return null;
    throw error;
  }
}

function helpOf(
  program: string,
  { help, personHelp = help }: Launcher,
  { stateDirectory, environment, name, isInteractive }: Pick<Launch, 'stateDirectory' | 'environment' | 'name' | 'isInteractive'>,
): string {
  try {
    return helpText(program, isInteractive ? personHelp : help, stateDirectory, environment);
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw notStarted(name, error instanceof Error ? error.message : String(error));
  }
}

/** Flags that depend on output that a runner prints only when it has a goal, or that would take the terminal away from the person. */
const WITH_GOAL = ['budget', 'timeout', 'retries', 'out'] as const;

function refuseWithoutTerminal(launcher: Launcher, args: Arguments): void {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new UsageError('Say what the agent should do: --goal TEXT, or --goal - for standard input');
  if (!launcher.isInteractive) throw new UsageError(`${launcher.id} can only be started with a goal: --goal TEXT`);
  for (const flag of WITH_GOAL)
    if (args[flag] !== undefined)
      throw new UsageError(`--${flag} needs a goal (--goal TEXT); --deadline TIME ends your work at a terminal, too`);
}

/** Returns the model; one that belongs to another runner is skipped. */
function modelFor(args: Arguments, agent: ChosenAgent | null, runner: RunnerId): string | null {
  const said = textFlag(args, 'model');
  if (said !== undefined) {
    if (!/^[A-Za-z0-9][\w.:/@+[\]-]*$/.test(said)) throw new UsageError(`--model ${JSON.stringify(said)} is not a model name`);
    return said;
  }
  const own = agent?.model ?? null;
  if (own === null || own === 'inherit') return null;
  if (agent?.runner === runner) {
    if (/^[A-Za-z0-9]/.test(own)) return own;
    tellOnce(`note: skipped model ${own}: it is not a model name; --model names another`);
    return null;
  }
  tellOnce(`note: skipped model ${own}: ${agent?.runner} knows it, ${runner} may not; --model names another`);
  return null;
}

/** Returns the working directory of the runner: the project, or `--scope DIR` in it. */
function scopeOf(args: Arguments, { project }: InstallPlaces): string {
  const said = textFlag(args, 'scope');
  if (said === undefined) return project;
  const path = resolve(textFlag(args, 'cwd') ?? '.', said);
  const scope = realPath(path);
  if (scope === null || !isDirectory(scope))
    throw new UsageError(`--scope ${said} is not a directory (${path}); it must be one in the project ${project}`);
  if (scope !== project && !isInside(scope, project))
    throw new UsageError(`--scope ${said} is outside the project ${project}`, `  fix: policy run --cwd ${shellWord(scope)} ...`);
  const repository = repositoryBetween(scope, project);
  if (repository !== null)
    throw new UsageError(
      `--scope ${said} is in a separate repository, ${repository}, whose policy would apply there instead of that of ${project}`,
      `  fix: policy run --cwd ${shellWord(repository)} ...`,
    );
  return scope;
}

/**
 * Returns the nearest folder with `.git` on the way from `scope` up to the project, without the project itself: runners would
 * treat it as their project.
 */
function repositoryBetween(scope: string, project: string): string | null {
  for (let at = scope; at !== project && at !== dirname(at); at = dirname(at))
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
  return null;
}

/** Returns the options for a trial of the hook, with the environment that the runner will get. */
function trialOptions(launcher: Launcher, { places, stateDirectory }: RunSurroundings, preset: PresetName | null): TrialOptions {
  const machine = machineHere(places, stateDirectory);
  const environment = { ...places.environment, ...launcher.keepsHooks };
  return { ...machine, places: { ...places, environment }, patience: PATIENCE, preset };
}

/**
 * Returns the settings file of this session that contains the hook; null if the hook is installed. Throws UsageError if the hook
 * does not stop a call.
 */
async function readyHook(
  dry: boolean,
  client: StartedClient,
  around: RunSurroundings &
    Pick<Launch, 'preset'> & { readonly run: RunKind; readonly servers: ProjectServers | null; readonly isClean: boolean },
): Promise<string | null> {
  const { runner, launcher, version, cwd, takesSession: isOfSession } = client;
  const { places, stateDirectory, workspace, preset, run, servers, isClean } = around;
  const options = { ...trialOptions(launcher, around, preset), withoutProject: isClean };
  const { own, userDirectory } = options;
  if (own === null) throw new UsageError('This copy of the program is not built: run `npm run build` first');
  const session = isOfSession
    ? sessionSettings(launcher, own, { places, userDirectory, stateDirectory, servers, version })
    : null;
  const isJudged = !isClean || launcher.cleanRoom?.isPartial === true;
  const { denied, noted } = !isJudged ? { denied: [], noted: [] } : unjudged(runner, places, workspace, cwd, run);
  const ofProject = isJudged ? projectProblems(client, around) : [];
  const ofHook =
    session === null
      ? [...(await installedHookProblems(runner, options)), ...ofProject]
      : [...ofProject, ...(await sessionHookProblems(runner, session, options))];
  const problems = [...ofHook, ...denied];
  if (problems.length > 0) {
    const lines = problems.flatMap(({ message, fix }) => [message, `  fix: ${fix}`]);
    throw new UsageError(`${dry ? 'Would not start' : 'Not started'}: ${runner.id} would not follow the policy`, ...lines);
  }
  for (const { message, fix } of noted) {
    tellOnce(`note: ${message}`, `  fix: ${fix}`);
  }
  return session?.file ?? null;
}

/** Returns the problems in the project's own files that would keep the hook from judging the calls of a runner. */
function projectProblems(
  { runner, cwd, takesSession: isOfSession }: StartedClient,
  { places, workspace, isClean }: RunSurroundings & { readonly isClean: boolean },
): readonly HookProblem[] {
  const unknown = unknownOf(runner, places, workspace, cwd);
  // The doctor only examines an installed hook, and only the project itself.
  if (!isOfSession && !isClean && cwd === places.project) return unknown;
  const past = pastTheHook(runner, places, workspace, cwd);
  return isOfSession ? [...past, ...unknown] : [...unknown, ...past, ...switchedOffBelow(runner, places, cwd)];
}

/** False if session settings would replace the administrator's: then the hook has to be installed. */
function takesSession(runner: Runner, launcher: Launcher): boolean {
  const managed = runner.places.managed?.path;
  return launcher.takesSettings && !(launcher.replacesManaged === true && managed !== undefined && existsSync(managed));
}

/** Returns the subject that the words before `--` name. Throws UsageError, AgentProblem. */
export function subjectOf(args: Arguments, name: string | undefined, workspace: Workspace): Subject {
  const preset = choiceFlag(args, 'preset', PRESETS) ?? null;
  if (name === undefined) {
    if (preset === null)
      throw new UsageError(
        'Name an agent, or a preset with --preset: `policy agents list` names the agents',
        `  fix: ${runCommand(textFlag(args, 'goal'))}`,
      );
    return { name: `preset ${preset}`, agent: null, preset };
  }
  const agent = chosenAgent(args, workspace, name, choiceFlag(args, 'runner', RUNNERS) ?? null);
  return { name: agent.definition.name, agent, preset };
}
