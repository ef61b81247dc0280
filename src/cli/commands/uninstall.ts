/** `policy uninstall`: removes the hook from a runner's settings, or everything (--all). Reads no policy, so that it works with a broken one. */

import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { RUNNERS } from '../../call/tool-call.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { applyHookChange, type HookChange, planUninstall } from '../../install/install.js';
import { mayName, readReceipt, recordedPaths, unusedCopies } from '../../install/receipt.js';
import { hookPath, type InstallPlaces } from '../../install/target.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { MANAGED_VERSIONS, userVersions } from '../../program/program-copy.js';
import { HOOK_SCOPES } from '../../runner/hook/runner.js';
import { runnerNamed } from '../../runner/runners.js';
import { guarded } from '../place/guarded.js';
import { placesOf, refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { said, warn } from '../terminal/terminal.js';
import { type Arguments, oneSwitch, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';
import { refuseWithoutRoot, runnerOf, scopeFlags, show } from './install.js';

export const takes: Takes = {
  arguments: { runner: { choices: [...RUNNERS], describe: 'The coding-agent program' } },
  options: {
    ...scopeFlags('All projects of yours'),
    all: { describe: "Everything of yours: every runner's hooks, MCP gateways, copies of the program, state and logs" },
    old: { describe: 'Only copies of the program that no known hook has started for 30 days' },
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Show what would change, and change nothing' },
    diff: { describe: 'Show the change line by line' },
  },
};

/** Throws UsageError for settings that cannot be edited if no others can, and inside a runner; then nothing was changed. */
export async function run(args: Arguments): Promise<ExitCode> {
  const dry = switchFlag(args, 'dry-run');
  if (!dry) refuseInsideRunner('policy uninstall');
  if (switchFlag(args, 'all')) {
    if (textFlag(args, 'runner') !== undefined) throw new UsageError('Name a runner, or give --all, not both');
    return await removeAll(args, placesOf(args), defaultStateDirectory(process.env, homedir()));
  }
  if (switchFlag(args, 'old')) return await removeOld(args, userVersions(process.env, homedir()));
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
    return await said(`Not installed: no policy hook in ${looked}`);
  }
  await show(
    changing.map(({ change }) => change),
    'install',
    args,
  );
  for (const { message } of failures) warn(`error: ${message.replace(UNCHANGED, '')}; any policy hook in it stays`);
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

/** An agent that still runs with a deleted copy is denied every call, so a person is asked first. */
async function removeOld(args: Arguments, versions: string): Promise<ExitCode> {
  const copies = unusedCopies(versions, defaultStateDirectory(process.env, homedir()), Date.now());
  if (copies.length === 0) return await said('There is no old copy of the program.');
  for (const copy of copies) await said(`Old copy of the program: ${copy}`);
  if (switchFlag(args, 'dry-run')) return await said('Nothing was changed (--dry-run).');
  if (!switchFlag(args, 'yes') && !(await confirmed('Delete them? First end coding agents that have been running since then.')))
    return await said('Nothing was changed.', EXIT.error);
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  return await said(`Deleted: ${copies.length === 1 ? 'one copy' : `${copies.length} copies`}`);
}

/** Deletes nothing that a hook or a server still needs: a hook without its program denies every call. */
async function removeAll(args: Arguments, places: InstallPlaces, state: string): Promise<ExitCode> {
  const versions = userVersions(process.env, places.home);
  const { plans, failures } = hookPlans(places, state);
  const recorded = recordedPaths(state);
  const servers = recorded.servers.filter((path) => existsSync(path));
  const folders = [versions, state].filter((folder) => existsSync(folder));
  if (plans.length + servers.length + folders.length + failures.length === 0)
    return await said('Nothing of policy is installed here.');
  for (const { change } of plans) await said(`Hook: ${change.target.file}`);
  for (const path of servers) await said(`MCP servers behind the gateway: ${path}`);
  for (const folder of folders) await said(`${folder === state ? 'State and decision log' : 'Copies of the program'}: ${folder}`);
  if (switchFlag(args, 'dry-run')) return await said('Nothing was changed (--dry-run).');
  if (!switchFlag(args, 'yes') && !(await confirmed('Remove all of this permanently?')))
    return await said('Nothing was changed.', EXIT.error);
  for (const { plan } of plans) {
    const { target, after } = guarded(() => applyHookChange(plan, state, new Date()));
    await said(`${after === null ? 'Removed' : 'Hook removed from'}: ${target.file}`);
  }
  const mcp = await import('../mcp/install.js');
  for (const folder of new Set(servers.map((path) => dirname(path))))
    await mcp.run({ all: true, yes: true, words: [], cwd: folder, 'state-dir': state }, 'uninstall');
  const left = [...recorded.hooks, ...recorded.servers].filter((path) => mayName(versions, path));
  const needed = new Set([...failures, ...recorded.damaged, ...left]);
  if (needed.size > 0) {
    for (const path of needed) warn(`error: ${path} may still name the program`);
    return await said(`Kept, because they may be needed: ${folders.join(', ')}`, EXIT.error);
  }
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    await said(`Deleted: ${folder}`);
  }
  removeIfEmpty(dirname(versions));
  const own = defaultUserDirectory(process.env, places.home);
  return await said(existsSync(own) ? `Kept: your policy (${own})` : 'Everything of yours is removed.');
}

/** The changes of every file that has a hook: those on record, and those where the runners of this person look. */
function hookPlans(places: InstallPlaces, state: string) {
  const wanted = new Map<string, () => HookChange>();
  const want = (id: string, scope: 'user' | 'project', there: InstallPlaces) => {
    const runner = runnerNamed(id);
    const path = hookPath(runner, scope, there);
    if (runner !== undefined && path !== null && existsSync(path))
      wanted.set(path, () => planUninstall(runner, scope, there, state));
  };
  for (const id of RUNNERS) for (const scope of ['user', 'project'] as const) want(id, scope, places);
  for (const path of recordedPaths(state).hooks) {
    const receipt = readReceipt(state, path);
    if (receipt?.scope !== 'project') continue;
    const below = `/${runnerNamed(receipt.runner)?.places.project?.path ?? ''}`;
    if (path.endsWith(below)) want(receipt.runner, 'project', { ...places, project: path.slice(0, -below.length) });
  }
  const plans: { readonly plan: () => HookChange; readonly change: HookChange }[] = [];
  const failures: string[] = [];
  for (const [path, plan] of wanted)
    try {
      const change = guarded(plan);
      if (change.after !== change.target.text) plans.push({ plan, change });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      warn(`error: ${error.message}`);
      failures.push(path);
    }
  return { plans, failures };
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else, or is not there.
  }
}
