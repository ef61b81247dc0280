/** Before `policy run` starts a runner: does its hook stop a call that every policy denies? If not, nothing is started. */
import { randomUUID } from 'node:crypto';
import { realPath } from '../../disk/real-path.js';
import { optionOf } from '../../install/own-hook.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { trialSession } from '../../log/read/trial-session.js';
import type { Runner } from '../../runner/hook/runner.js';
import type { DoctorOptions } from '../doctor/found/options.js';
import { doctorSubject } from '../doctor/found/subject.js';
import { startHook } from '../hooks/start-hook.js';
import { sessionSwitchedOff } from './session-switches.js';
import { inTrialRun, type TrialRun } from './trial-run.js';
import { rememberTried, type SessionHook, wasTried } from './tried-hooks.js';

/** Why a runner must not be started, and a line that helps. */
export interface HookProblem {
  readonly message: string;
  readonly fix: string;
}

/** The checks of `policy doctor` that tell whether every call is judged. */
const CONCERNED: ReadonlySet<string> = new Set([
  ...['client', 'installed', 'settings', 'matcher', 'switches', 'others', 'variables', 'trust', 'line', 'program', 'canary'],
  'policy',
]);
/** Of these, what is a problem came with the project. */
const OF_PROJECT: ReadonlySet<string> = new Set(['others', 'variables']);
const CALL = 'rm -rf /';
const PATIENCE = 15_000;

/** The place of the trial, and the preset of its run. */
export type TrialOptions = Omit<DoctorOptions, 'runners' | 'inRun'> & Pick<TrialRun, 'preset'>;

/** Returns the problems that keep a runner's installed hook from judging its calls; empty if it works. */
export async function installedHookProblems(runner: Runner, options: TrialOptions): Promise<readonly HookProblem[]> {
  // A hook that keeps its state elsewhere does not know about the run, its agent and its preset.
  const { examined } = doctorSubject({ ...options, runners: [runner.id] }, () => null);
  // The hook's line starts with an empty environment.
  const usual = defaultStateDirectory({}, options.places.home);
  const elsewhere = examined
    .flatMap(({ hooks }) => hooks.map(({ line }) => optionOf(line, '--state-dir')?.value ?? usual))
    .find((one) => (realPath(one) ?? one) !== (realPath(options.stateDirectory) ?? options.stateDirectory));
  if (elsewhere !== undefined) {
    const message = `the installed hook keeps its state in ${elsewhere}, but this run uses ${options.stateDirectory}`;
    return [{ message, fix: `policy run --state-dir ${elsewhere} ...` }];
  }
  // Imported only here: a runner that takes its hook on the command line does not need the doctor.
  const { doctor } = await import('../doctor/doctor.js');
  const { results } = await inTrialRun(runOf(runner, options), () => doctor({ ...options, runners: [runner.id], inRun: true }));
  return (
    results
      // A program of another version may not know about runs, which matters only here.
      .filter(({ check, level }) => (level === 'problem' && isConcerned(check, options)) || check === 'age')
      .map(({ message, fix }) => ({ message, fix: fix ?? `policy doctor ${runner.id}` }))
  );
}

function isConcerned(check: string, { withoutProject = false }: TrialOptions): boolean {
  return CONCERNED.has(check) && !(withoutProject && OF_PROJECT.has(check));
}

/** Whether a hook is installed in settings that are not the project's: in a clean room, no other one is started. */
export function isInstalledElsewhere({ id }: Runner, options: TrialOptions): boolean {
  const { examined } = doctorSubject({ ...options, runners: [id], withoutProject: true }, () => null);
  return examined.some(({ hooks }) => hooks.some(({ blocks }) => blocks));
}

/**
 * Returns the problems that keep a hook in the settings of one session from judging its calls. A line that worked is tried again
 * only after it, its program or node changed.
 * @param hook with the file of its settings
 */
export async function sessionHookProblems(
  runner: Runner,
  hook: SessionHook & { readonly file: string },
  options: TrialOptions,
): Promise<readonly HookProblem[]> {
  const off = sessionSwitchedOff(runner, hook.file, options.places);
  if (off !== null) return [{ message: `${runner.id} runs no hook: ${off}`, fix: `policy doctor ${runner.id}` }];
  const { stateDirectory } = options;
  if (wasTried(hook, stateDirectory)) return [];
  const wrong = await inTrialRun(runOf(runner, options), () => fire(runner, hook.command, options));
  if (wrong !== null) return [{ message: wrong, fix: `policy install ${runner.id} --user, then policy doctor ${runner.id}` }];
  rememberTried(hook, stateDirectory);
  return [];
}

function runOf({ id }: Runner, { places, stateDirectory, preset }: TrialOptions): TrialRun {
  return { runner: id, preset, project: places.project, stateDirectory };
}

/** Null: the call was denied by the policy, and not because of a failure. */
async function fire(runner: Runner, command: string, { places }: TrialOptions): Promise<string | null> {
  const call = { tool: runner.sampleTools.shell, input: { command: CALL } };
  const payload = runner.samplePayload(call, places.project, trialSession(randomUUID()));
  const environment = Object.fromEntries(
    Object.entries(places.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const input = JSON.stringify(payload);
  const { exitCode, stderr, timedOut } = await startHook({
    command,
    args: null,
    cwd: places.project,
    environment,
    input,
    deadline: PATIENCE,
  });
  const [reason = ''] = stderr.trim().split('\n');
  if (timedOut || exitCode !== 2 || reason === '')
    return `the hook let \`${CALL}\` pass (${timedOut ? 'no answer in time' : `exit code ${exitCode}`})`;
  return reason.startsWith('policy denied this call:') ? `the hook denies every call: ${reason}` : null;
}
