/**
 * The run that nothing stands in the way of: started by a preset, with a hook that has been tried and a policy that has been read. What
 * it takes is loaded in a moment; every other run, and every mistake, is left to src/cli/commands/run.ts, which loads the rest.
 */
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isAlone } from '../../audit/launch/alone.js';
import { broughtAlong } from '../../audit/launch/instructions.js';
import { mayBeSwitchedOff } from '../../audit/launch/switch-words.js';
import { wasTried } from '../../audit/launch/tried-hooks.js';
import { RUNNERS } from '../../call/tool-call.js';
import { realPath } from '../../disk/real-path.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import type { Launch, Refusal } from '../../enforce/launch/launch.js';
import { readSnapshot, type SnapshotHead } from '../../enforce/snapshot/read.js';
import { BUILD } from '../../generated/build.js';
import type { InstallPlaces } from '../../install/target.js';
import { PRESETS, type PresetName } from '../../policy/policy.js';
import { policyFolder } from '../../project/policy-folder.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../arguments.js';
import { stateDirectoryOf } from '../commands/agents/runs.js';
import { declaredBy } from '../declared.js';
import { wasMissed } from '../start/left-out.js';
import { chooseColor, endQuietlyOnClosedPipe, warn } from '../terminal.js';
import { plainWords } from '../words/plain.js';
import type { Advise } from './denied.js';
import { recalledCopy } from './known-copy.js';
import { onceOnly } from './once-only.js';
import { options } from './options.js';
import { refuseWrongOut } from './out.js';
import { type HookWays, prepareLaunch, type RunSurroundings } from './prepare.js';
import { runLaunch } from './run-launch.js';
import { tellProblem } from './tell.js';
import { placesOf, refuseInsideRunner } from './where.js';
import { RUN_WORDS } from './words.js';

/** Thrown where the plain way ends. */
class NotPlain extends Error {}

/** Looks at all of it again, after a wait or a failed attempt: that takes the whole program. */
type RunAgain = (args: Arguments) => Promise<Launch | Refusal>;

/** What would allow the calls that were denied because nobody could be asked: that takes the whole program, too. */
type RunAdvise = (args: Arguments, ...denied: Parameters<Advise>) => ReturnType<Advise>;

/** Runs it, and gives the exit code. Null: this run is not plain; nothing was started, changed or said. */
export async function plainRun(words: readonly string[], again: RunAgain, advise: RunAdvise): Promise<number | null> {
  const ready = await readyRun(words, again, advise);
  return ready === null ? null : await ready();
}

async function readyRun(words: readonly string[], again: RunAgain, advise: RunAdvise): Promise<(() => Promise<number>) | null> {
  try {
    const args = plainArguments(words);
    refuseInsideRunner('policy run');
    const places = placesOf(args);
    refuseWrongOut(args, places.project);
    const stateDirectory = stateDirectoryOf(args);
    const preset = choiceFlag(args, 'preset', PRESETS);
    const runner = choiceFlag(args, 'runner', RUNNERS);
    if (preset === undefined || runner === undefined) notPlain();
    const subject = { name: `preset ${preset}`, agent: null, preset };
    const around = { places, stateDirectory, workspace: workspaceFor(args, places, { stateDirectory, runner, preset }) };
    const wanted = await prepareLaunch(args, subject, [], around, knownToWork(places));
    if (wasMissed()) notPlain();
    return async () => {
      const begin = onceOnly(endQuietlyOnClosedPipe);
      // Before anything is printed, and not before the client is started: to look at the two streams takes a moment.
      setImmediate(begin);
      if (args.color !== undefined) chooseColor(true);
      if (args['no-color'] !== undefined) chooseColor(false);
      if (wanted.plan.notes.length > 0) begin();
      for (const note of wanted.plan.notes) warn(`note: ${note}`);
      try {
        const more = { isGoverned: true, advise: async (denied: Parameters<Advise>[0]) => await advise(args, denied) };
        return await runLaunch(args, wanted, () => again(args), subject, { ...around, ...more });
      } catch (error) {
        begin();
        return await tellProblem(error, switchFlag(args, 'json'), { project: places.project, stateDirectory });
      }
    };
  } catch {
    // Whatever it is, the whole program finds it as well, and says it.
    return null;
  }
}

/** The words by themselves, without those of an agent, of a trial, or of a goal that can be read only once. */
function plainArguments(words: readonly string[]): Arguments {
  const declared = declaredBy({ command: RUN_WORDS }, { options });
  const args = plainWords(words, declared);
  const isPlain = args !== null && args.agent === undefined && !switchFlag(args, 'dry-run') && !switchFlag(args, 'help');
  if (!isPlain || textFlag(args, 'goal') === undefined || textFlag(args, 'goal') === '-') notPlain();
  // A runner reads the settings of every folder on the way to the one where it works.
  if (args.scope !== undefined || !isAbsolute(homedir())) notPlain();
  return args;
}

/** What the snapshot says that the hooks of such runs read; none, or one that no longer holds: the policy is read anew. */
function workspaceFor(
  args: Arguments,
  { project, environment }: InstallPlaces,
  { stateDirectory, runner, preset }: Pick<SnapshotHead['places'], 'stateDirectory' | 'runner'> & { readonly preset: PresetName },
): RunSurroundings['workspace'] {
  const home = homedir();
  const cwd = realPath(resolve(textFlag(args, 'cwd') ?? '.')) ?? project;
  const snapshot = readSnapshot(
    {
      ...{ project, folder: policyFolder(project, cwd), home, platform: process.platform, runner },
      ...{ userDirectory: defaultUserDirectory(environment, home), managedDirectory: '/etc/policy', stateDirectory },
      run: { preset },
    },
    BUILD,
  );
  if (snapshot === null) notPlain();
  const { prepared, policy } = snapshot.head;
  snapshot.close();
  // What that means for the run has to be said.
  if (prepared.settings.mode === 'observe') notPlain();
  return { policy: { sequential: prepared.settings.sequential, preset: policy.preset?.definition ?? null } };
}

/** The hook of this session has stopped a call before, no settings keep it from running, and nothing goes past it. */
function knownToWork(places: InstallPlaces): HookWays {
  return {
    copy: (wanted, stateDirectory) => recalledCopy(wanted, stateDirectory) ?? notPlain(),
    problems: async (runner, session, { stateDirectory }) => {
      if (session === null || mayBeSwitchedOff(runner, places) || !wasTried(session, stateDirectory)) notPlain();
      // Whether a rule accepts it is for the whole program to say.
      return isAlone(runner, places) ? [] : notPlain();
    },
    unjudged: () => ({ denied: [], noted: [] }),
    refuseMentions: notPlain,
    refuseInstructions: (launcher, cwd) => {
      const brought = broughtAlong(launcher, places, cwd);
      // Whether the policy lets it be read is for the whole program to say.
      if (!brought.ok || brought.files.length > 0) notPlain();
    },
    refuseOwnCommand: notPlain,
  };
}

function notPlain(): never {
  throw new NotPlain();
}
