/** `policy install`: adds the hook to a runner's own settings; the change is shown first and then written. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { othersOf } from '../../audit/doctor/checks/others.js';
import { variablesOf } from '../../audit/doctor/checks/variables.js';
import { switchVariablesOf } from '../../audit/doctor/found/switch-variables.js';
import { missingPrograms, ownSandbox } from '../../audit/isolation/own-sandbox.js';
import { RUNNERS, SHELLS } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { unifiedDiff } from '../../disk/diff.js';
import { isIgnored } from '../../disk/git/ignored.js';
import { clearDrafts } from '../../disk/leftover-drafts.js';
import { realPath } from '../../disk/real-path.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { VERSION } from '../../generated/build.js';
import { codexStanding, readCodexTrust } from '../../install/codex-trust.js';
import { applyHookChange, type HookChange, hookEvents, installedHooks, planInstall, planSandbox } from '../../install/install.js';
import { sandboxOf } from '../../install/sandbox.js';
import { hookTarget, type InstallPlaces } from '../../install/target.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { maskText } from '../../log/record/mask-text.js';
import { MANAGED_VERSIONS, programCopy, userVersions } from '../../program/program-copy.js';
import { openWorkspace } from '../../project/workspace.js';
import { type HookSummary, hookSummary } from '../../report/hook-change.js';
import { escapeText } from '../../report/printing/escape.js';
import { hookCommandLine } from '../../runner/hook/command-line.js';
import { HOOK_SCOPES, type HookScope, type Runner } from '../../runner/hook/runner.js';
import { runnerNamed } from '../../runner/runners.js';
import { guarded } from '../place/guarded.js';
import { ownPrograms } from '../place/own-programs.js';
import { placesOf, refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printProse, said, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, deadlineFlag, oneSwitch, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const WHERE = 'For you, for a project, or for the whole machine:';

export const takes: Takes = {
  arguments: { runner: { choices: [...RUNNERS], describe: 'The coding-agent program' } },
  options: {
    ...scopeFlags('All your projects (default)'),
    shell: {
      choices: SHELLS,
      default: 'union',
      describe: "The shell that runs the runner's commands; union judges a line as every shell in this list",
    },
    deadline: {
      value: 'SECONDS',
      default: '1.5',
      describe: 'A hook that takes longer is stopped, and the call is denied; allow more on a busy machine',
    },
    sandbox: {
      describe: "Also switch on the runner's own sandbox for commands, if it has one; it hides secret files in the home folder",
    },
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Show what would change, and change nothing' },
    diff: { describe: 'Show the change line by line' },
  },
};

/** The flags that select the settings file of a runner. */
export function scopeFlags(user: string): Takes['options'] {
  return {
    user: { describe: user, group: WHERE },
    project: { describe: 'This project only', group: WHERE },
    managed: { describe: 'Everybody on this machine; only root can', group: WHERE },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project', group: WHERE },
  };
}

/** Throws UsageError for settings that cannot be edited, and inside a runner; then nothing was changed. */
export async function run(args: Arguments): Promise<ExitCode> {
  const dry = switchFlag(args, 'dry-run');
  if (!dry) refuseInsideRunner('policy install');
  const runner = runnerOf(args);
  const scope = oneSwitch(args, HOOK_SCOPES) ?? 'user';
  if (scope === 'managed' && !dry) refuseWithoutRoot();
  const places = placesOf(args);
  const state = defaultStateDirectory(process.env, homedir());
  const { copy, command } = guarded(() => programOf(runner, scope, places, args));
  const sandbox = switchFlag(args, 'sandbox') ? guarded(() => sandboxOf(runner)) : undefined;
  const ofHook = () => planInstall(runner, scope, places, command, sandbox);
  const change = guarded(ofHook);
  // The sandbox first: the presence of the hook then shows that both succeeded.
  const plans = sandbox?.files === undefined ? [ofHook] : [() => planSandbox(runner, scope, places, sandbox), ofHook];
  const changes = plans.map(guarded);
  const changing = changes.filter(({ target, after }) => after !== target.text);
  const standing = standingOf(change, places);
  if (standing !== null) await said(`${standing.message}. Next: ${standing.fix}`);
  warnOfOthers(runner, places);
  for (const text of changes.flatMap((one) => one.sandbox?.told ?? [])) warn(`note: ${text}`);
  if (changing.length === 0 && copy.isThere) {
    if (!dry) clearDrafts(change.target.path, [change.after]);
    if (sandbox !== undefined) warnOfSandbox(runner, places);
    return await said(`Already installed: ${change.target.file}`);
  }
  await show(changing.length > 0 ? changing : [change], 'uninstall', args);
  if (sandbox !== undefined) await said(`In the sandbox: ${sandbox.costs}`);
  if (dry) return await said('Nothing was changed (--dry-run).');
  const files = changing.map(({ target }) => target.file).join(' and ');
  if (!switchFlag(args, 'yes') && !(await confirmed(`Write this to ${files === '' ? change.target.file : files}?`)))
    return await said('Nothing was changed.', EXIT.error);
  guarded(() => copy.make());
  for (const plan of plans) {
    const made = guarded(() => applyHookChange(plan, state, new Date()));
    await said(`Installed: ${made.target.file}`);
    if (made.backup !== null) await said(`Backup: ${made.backup}`);
  }
  if (sandbox !== undefined) warnOfSandbox(runner, places);
  const { needs, path } = change.target;
  if (needs !== null) warn(`note: ${needs}`);
  if (scope === 'project' && !isIgnored(places.project, path.slice(places.project.length + 1)))
    warn(`note: ${path.slice(places.project.length + 1)} contains your own folder names; keep it out of git`);
  return await said('Next: policy doctor');
}

/**
 * Warns about hooks and variables of the project that override decisions of the installed hook; `policy doctor` reports them,
 * too, with a fix.
 */
function warnOfOthers(runner: Runner, places: InstallPlaces): void {
  const { home, project, environment } = places;
  const opened = openWorkspace({ cwd: project, project, home, platform: process.platform, environment });
  const workspace = opened.ok ? opened.workspace : null;
  const said = [...othersOf(runner, places, workspace), ...variablesOf(runner, places), ...switchVariablesOf(runner, places)];
  for (const { level, message } of said) if (level === 'problem') warn(`PROBLEM: ${message}`);
}

/** Warns if the runner's sandbox is not effective in the project once its settings are written. */
function warnOfSandbox(runner: Runner, places: InstallPlaces): void {
  const said = ownSandbox(runner, places);
  const problem = said?.isOn === false ? `${said.file}:${said.line} switches the sandbox off here (${said.key})` : said?.open;
  if (typeof problem === 'string') warn(`PROBLEM: the sandbox has a hole: ${problem}`);
  const missing = missingPrograms(runner, places);
  if (missing.length > 0)
    warn(`PROBLEM: ${missing.join(' and ')} not on PATH: ${runner.id} does not start until you install what is missing`);
}

/** Returns what is known about a hook of Codex after the change, for the first line: Codex runs only hooks that a person has trusted. */
function standingOf({ target: { runner, file, scope }, after: text }: HookChange, places: InstallPlaces) {
  return traitsOf(runner.id).trustsEachHook && text !== null
    ? codexStanding({ file, text, scope }, readCodexTrust(runner, places))
    : null;
}

export function refuseWithoutRoot(): void {
  if (process.getuid?.() !== 0) throw new UsageError('--managed changes files of the whole machine: run it as root');
}

export function runnerOf(args: Arguments): Runner {
  const runner = runnerNamed(textFlag(args, 'runner') ?? '');
  if (runner === undefined) throw new UsageError(`Which runner? One of ${[...RUNNERS].join(', ')}`);
  return runner;
}

/** Returns the copy of this program that the hook runs from, and the command line that starts it. */
function programOf(runner: Runner, scope: HookScope, places: InstallPlaces, args: Arguments) {
  const own = ownPrograms();
  const node = realPath(process.execPath);
  if (own === null) throw new UsageError('This copy of the program is not built: run `npm run build` first');
  if (node === null || `${node}/`.startsWith(`${places.project}/`))
    throw new UsageError(`${process.execPath} is inside the project, where agents may write; run this with another node`);
  const managed = scope === 'managed';
  const deadline = deadlineFlag(args);
  const versions = managed ? MANAGED_VERSIONS : userVersions(process.env, places.home);
  const copy = programCopy({
    bundles: dirname(own.hook),
    versions,
    version: VERSION,
    node,
    shared: managed,
    installed: installedHooks(hookTarget(runner, scope, places)),
  });
  const command = hookCommandLine({
    runner: runner.id,
    platform: process.platform,
    node,
    nodeOptions: copy.nodeOptions,
    hook: copy.hook,
    home: managed ? null : places.home,
    project: scope === 'project' ? places.project : null,
    configDirectory: managed ? null : defaultUserDirectory(process.env, places.home),
    stateDirectory: managed ? null : defaultStateDirectory(process.env, places.home),
    shell: choiceFlag(args, 'shell', SHELLS) ?? null,
    ...(deadline !== undefined && { deadline }),
  });
  if (command === null) throw new UsageError('The hook cannot be installed on Windows yet: no shell there would fail closed');
  return { copy, command };
}

/**
 * Prints a summary of the change to each file, preceded by the line diff with --diff, and the real path of a file that is reached
 * through a link.
 */
export async function show(changes: readonly HookChange[], undo: HookSummary['undo'], args: Arguments): Promise<void> {
  const isWhole = switchFlag(args, 'diff');
  for (const change of changes) {
    const { file, path } = change.target;
    if (path !== file && existsSync(file)) warn(`note: ${file} is really ${path}`);
    if (isWhole) await showDiff(change);
    for (const line of hookSummary(change, { events: guarded(() => hookEvents(change)), sandbox: inWords(change), undo }))
      await printProse(`${line}\n`);
  }
  if (!isWhole) await said('Whole change:   add --diff');
}

/** Returns the setting that switches the sandbox on or off, and the number of further settings. */
function inWords({ sandbox, ends = [] }: HookChange): string | null {
  const [first, ...more] = sandbox?.put ?? ends;
  if (first === undefined) return null;
  return `${first.key.join('.')} = ${first.value}${more.length === 0 ? '' : `, and ${more.length} more settings`}`;
}

async function showDiff({ target, after }: HookChange): Promise<void> {
  const names = {
    before: target.text === null ? '/dev/null' : target.file,
    after: after === null ? '/dev/null' : target.file,
  };
  const lines = unifiedDiff(target.text ?? '', after ?? '', names);
  // The lines around the change are the person's own, and may contain a credential.
  for (const line of maskText(lines.join('\n')).split('\n')) await print(`${escapeText(line)}\n`);
}
