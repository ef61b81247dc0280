/** `policy uninstall`: removes the hook from a runner's settings. Reads no policy, so that it works with a broken one. */

import { homedir } from 'node:os';
import { RUNNERS } from '../../call/tool-call.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { applyHookChange, type HookChange, planUninstall } from '../../install/install.js';
import { hookPath } from '../../install/target.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { MANAGED_VERSIONS, userVersions } from '../../program/program-copy.js';
import { HOOK_SCOPES } from '../../runner/hook/runner.js';
import { guarded } from '../place/guarded.js';
import { placesOf, refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { said, warn } from '../terminal/terminal.js';
import { type Arguments, oneSwitch, switchFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';
import { refuseWithoutRoot, runnerOf, scopeFlags, show } from './install.js';

export const takes: Takes = {
  arguments: { runner: { choices: [...RUNNERS], describe: 'The coding-agent program' } },
  options: {
    ...scopeFlags('All projects of yours'),
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Say what would change, and change nothing' },
    diff: { describe: 'Show the change of the file line by line' },
  },
};

/** Throws UsageError for settings that cannot be edited if no others can, and inside a runner; then nothing was changed. */
export async function run(args: Arguments): Promise<ExitCode> {
  const dry = switchFlag(args, 'dry-run');
  if (!dry) refuseInsideRunner('policy uninstall');
  const runner = runnerOf(args);
  const named = oneSwitch(args, HOOK_SCOPES);
  if (named === 'managed' && !dry) refuseWithoutRoot();
  const places = placesOf(args);
  const state = defaultStateDirectory(process.env, homedir());
  const scopes = named === undefined ? (['user', 'project'] as const).filter((scope) => runner.places[scope] !== null) : [named];
  const ofSandbox = typeof runner.sandbox === 'string' ? {} : (runner.sandbox.files ?? {});
  const files = scopes.flatMap((scope) => {
    const own = ofSandbox[scope];
    return [{ scope, file: undefined }, ...(own === undefined ? [] : [{ scope, file: own }])];
  });
  const planOf =
    ({ scope, file }: (typeof files)[number]) =>
    () =>
      planUninstall(runner, scope, places, state, file);
  const { plans, failures } = plansOf(files.map(planOf));
  const changing = plans.filter(({ change }) => change.after !== change.target.text);
  // Nothing can be reported about the intended file.
  const [failure] = failures;
  if (changing.length === 0 && failure !== undefined) throw failure;
  if (changing.length === 0) {
    const looked = scopes.map((scope) => hookPath(runner, scope, places)).join(' and ');
    return await said(`Not installed: no hook of policy in ${looked}`);
  }
  await show(
    changing.map(({ change }) => change),
    'install',
    args,
  );
  for (const { message } of failures) warn(`error: ${message.replace(UNCHANGED, '')}; any hook of policy in it stays`);
  const end = failures.length > 0 ? EXIT.error : EXIT.allow;
  if (dry) return await said('Nothing was changed (--dry-run).', end);
  if (!switchFlag(args, 'yes') && !(await confirmed('Take it out?'))) return await said('Nothing was changed.', EXIT.error);
  for (const { plan } of changing) await tell(guarded(() => applyHookChange(plan, state, new Date())));
  const managed = changing.some(({ change }) => change.target.scope === 'managed');
  const program = managed ? MANAGED_VERSIONS : userVersions(process.env, places.home);
  const kept = [defaultUserDirectory(process.env, places.home), state, program];
  return await said(`Kept: your policy, the decision log and the program (${kept.join(', ')})`, end);
}

/** Plans each change, and collects the errors of the others: one broken file must not keep the hook in another. */
function plansOf(wanted: readonly (() => HookChange)[]) {
  const plans: { readonly plan: () => HookChange; readonly change: HookChange }[] = [];
  const failures: UsageError[] = [];
  for (const plan of wanted) {
    try {
      plans.push({ plan, change: guarded(plan) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(error);
    }
  }
  return { plans, failures };
}

/** Matches the end of messages about unchanged files. */
const UNCHANGED = /[;.] nothing was changed$/i;

async function tell({ target, after, backup }: HookChange & { readonly backup: string | null }): Promise<void> {
  await said(`${after === null ? 'Removed' : 'Hook removed from'}: ${target.file}`);
  if (backup !== null) await said(`Backup: ${backup}`);
}
