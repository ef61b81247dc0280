/** The table of plans (plans.json): runner, version and reach in, command line, environment and notes out. */
import type { RunnerId } from '../../../src/call/tool-call.js';
import { LaunchRefused } from '../../../src/runner/launch/launch-refused.js';
import { type LaunchRequest, planOf, type Reach } from '../../../src/runner/launch/launcher.js';
import { LAUNCHED_RUNNERS, launcherOf } from '../../../src/runner/launched.js';
import { helpOf, personHelpOf, versionsOf } from './help-texts.js';

export interface Row {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  readonly mentions?: readonly string[] | null;
  readonly refused?: string;
}

const REACHES: readonly Reach[] = ['read', 'write', 'full'];

/** @param change what is asked for besides the goal `Fix it` and the model `m1` */
export function rowOf(runner: RunnerId, version: string, reach: Reach, change: Partial<LaunchRequest> = {}): Row {
  const launcher = launcherOf(runner);
  if (launcher === null) throw new Error(`${runner} cannot be started`);
  const settings = launcher.takesSettings ? '/run/settings.json' : null;
  try {
    const request = { reach, model: 'm1', goal: 'Fix it', agent: null, settings, extra: [], ...change };
    const knows = request.goal === null ? personHelpOf(runner, version) : helpOf(runner, version);
    const { arguments: words, environment, notes, mentions } = planOf(launcher, request, knows);
    return {
      arguments: words,
      ...(Object.keys(environment).length > 0 && { environment }),
      ...(notes.length > 0 && { notes }),
      ...(mentions?.length !== 0 && { mentions }),
    };
  } catch (error) {
    if (error instanceof LaunchRefused) return { refused: error.message };
    throw error;
  }
}

/** Every runner, every recorded version, every reach; without a goal only the newest version. */
export function plansTable(): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    LAUNCHED_RUNNERS.flatMap((runner) => {
      const versions = versionsOf(runner);
      const [newest = ''] = versions;
      return [
        ...versions.flatMap((version) =>
          REACHES.map((reach) => [`${runner} ${version}, ${reach}`, rowOf(runner, version, reach)] as const),
        ),
        ...REACHES.map(
          (reach) => [`${runner} ${newest}, ${reach}, with a person`, rowOf(runner, newest, reach, { goal: null })] as const,
        ),
      ];
    }),
  );
}
