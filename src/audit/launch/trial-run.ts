/**
 * A trial of the hook is treated as a call of the run that is about to start: only then does it show how the hook treats calls of a run.
 */
import { ownDirectory } from '../../log/files/directory.js';
import type { PresetName } from '../../policy/policy.js';
import { type LaunchedRun, launchedDirectory, removeLaunched, TRIAL_RUN, writeLaunched } from '../../run/launched.js';
import { identityOf, processTable } from '../../run/process-identity.js';

export interface TrialRun {
  readonly runner: string;
  readonly preset: PresetName | null;
  /** Real path. */
  readonly project: string;
  readonly stateDirectory: string;
}

/**
 * Makes hooks that this process starts during `work` judge calls of that run. Throws LogError or RunError when its record cannot be kept.
 */
export async function inTrialRun<Result>({ stateDirectory, ...run }: TrialRun, work: () => Promise<Result>): Promise<Result> {
  const table = processTable(process.platform);
  // Without an identity the hook finds no run, and a trial call that is denied only in a run would not be denied.
  const self = identityOf(process.pid, table) ?? { pid: process.pid, began: '', where: table.where };
  const launched: LaunchedRun = {
    ...{ version: 1, id: TRIAL_RUN, agent: null, model: null, holder: self, child: self, headless: true, spent: null },
    ...run,
  };
  ownDirectory(stateDirectory);
  ownDirectory(launchedDirectory(stateDirectory));
  writeLaunched(stateDirectory, launched);
  try {
    return await work();
  } finally {
    removeLaunched(stateDirectory, launched);
  }
}
