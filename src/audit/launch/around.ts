/** Before `policy run` starts a runner: which files of the project bypass the hook? */
import { dirname } from 'node:path';
import { describeTool } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { enforceDry } from '../../enforce/enforce.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Workspace } from '../../project/workspace.js';
import type { Runner } from '../../runner/hook/runner.js';
import type { ProjectServers, Reach } from '../../runner/launch/launcher.js';
import { othersOf } from '../doctor/checks/others.js';
import { projectSwitches } from '../doctor/checks/switches.js';
import { variablesOf } from '../doctor/checks/variables.js';
import type { CheckResult } from '../doctor/found/check.js';
import { isDenied, type Started, serverSurroundings, surroundingsOf } from '../surroundings/surroundings.js';
import type { HookProblem } from './hook-ready.js';
import { unknownSettings } from './known-settings.js';
import { startedServers } from './started-servers.js';

/** The properties of a run that determine which commands of the project it will start. */
export interface RunKind {
  /** It works toward a goal, without a person present. */
  readonly headless: boolean;
  readonly reach: Reach;
  /** MCP servers that the project's files name; null or absent: none. */
  readonly servers?: ProjectServers | null;
}

/**
 * Returns hooks that may rewrite a call after it was judged, and variables that keep the hook from starting: if there are any,
 * nothing is started.
 * @param cwd the runner's working directory in the project: it reads the files of that folder and of those above it
 */
export function pastTheHook(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  return problemsOf(
    runner,
    eachFolder(places, cwd).flatMap((here) => [...othersOf(runner, here, workspace), ...variablesOf(runner, here)]),
  );
}

/**
 * Returns settings of the project that policy does not know: if there are any, nothing is started. @param cwd the runner's
 * working directory
 */
export function unknownOf(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  const mayRead = (file: string) => {
    const call = { tool: 'Read', input: { file_path: file }, cwd, headless: true, shell: 'union' } as const;
    return enforceDry(workspace, call).decision === 'allow';
  };
  return once(eachFolder(places, cwd).flatMap((here) => unknownSettings(runner, here, mayRead)));
}

/**
 * Returns settings that disable an installed hook, in the folders between the project and the runner's working directory: the
 * doctor examines the project's own settings. The settings of one session override them.
 */
export function switchedOffBelow(runner: Runner, places: InstallPlaces, cwd: string): readonly HookProblem[] {
  if (traitsOf(runner.id).settingsOnlyAtTop) return [];
  const below = eachFolder(places, cwd).filter(({ project }) => project !== places.project);
  return problemsOf(
    runner,
    below.flatMap((here) => projectSwitches(runner, here)),
  );
}

function problemsOf({ id }: Runner, found: readonly CheckResult[]): readonly HookProblem[] {
  return once(
    found.flatMap(({ level, message, fix }) => (level === 'problem' ? [{ message, fix: fix ?? `policy doctor ${id}` }] : [])),
  );
}

/** Things that the runner starts or sends by itself, without a call of an agent: the hook does not judge them. */
export interface Unjudged {
  /** Commands that the policy explicitly denies: if there are any, nothing is started. */
  readonly denied: readonly HookProblem[];
  /** Things that a person has to know about. */
  readonly noted: readonly HookProblem[];
}

/**
 * Of the commands and settings that take effect in such a run, returns each command that the policy would not let an agent run,
 * and each setting that bypasses the policy. A preset without any shell concerns agents only, so it does not forbid a start.
 */
export function unjudged(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string, run: RunKind): Unjudged {
  const found = eachFolder(places, cwd)
    .flatMap((here) => [...surroundingsOf(runner, here, workspace), ...serverSurroundings(here, workspace)])
    .filter(({ level, starts }) => (starts === undefined ? level === 'problem' : isStarted(runner.id, starts, run)));
  const servers = run.headless || run.servers == null ? null : startedServers(runner, run.servers, workspace, places.environment);
  // Settings of a server are judged together with the server.
  const others =
    servers === null ? found : found.filter(({ file, starts }) => !(isServer(starts) && run.servers?.files.includes(file)));
  return {
    denied: once([...others.filter(isDenied), ...(servers?.denied ?? [])]),
    noted: once([...others.filter((one) => !isDenied(one)), ...(servers?.noted ?? [])]),
  };
}

/** Commands with which Claude Code draws or completes text for a person; `claude -p` starts none of them (2.1.197, 2.1.330). */
const FOR_A_PERSON = /^(?:statusLine|subagentStatusLine|fileSuggestion)\.command$/;
/** In a run with a goal, servers are omitted, or the person is asked about them beforehand (see the launchers). */
const SERVER = /^(?:mcpServers|servers|mcp_servers|mcp)\.(?!serverCommand$)/;
/** A separate program, which a client may start for a server at an address. */
const HEADERS = /\.headersHelper$/;
const AFTER_EDITS = /^formatter\./;
/** Events whose hooks run after a call was carried out. */
const AFTER_CALLS: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure', 'AfterTool', 'postToolUse']);
const CHANGES: ReadonlySet<string> = new Set(['write', 'delete']);

function isServer(starts: Started | undefined): boolean {
  return starts !== undefined && SERVER.test(starts.by) && !HEADERS.test(starts.by);
}

function isStarted(runner: RunnerId, { by, matcher }: Started, { headless, reach }: RunKind): boolean {
  if (headless && (FOR_A_PERSON.test(by) || SERVER.test(by))) return false;
  if (reach !== 'read') return true;
  return !AFTER_EDITS.test(by) && !(AFTER_CALLS.has(by) && isAboutChanges(runner, matcher));
}

/** Whether every tool of the list changes files, which an agent that only reads may not do. */
function isAboutChanges(runner: RunnerId, matcher: string | null): boolean {
  return (
    matcher !== null &&
    /^\w+(?:\|\w+)*$/.test(matcher) &&
    matcher.split('|').every((tool) => CHANGES.has(describeTool(tool, runner).access))
  );
}

/** Returns the project, and each folder from it down to the runner's working directory. */
function eachFolder(places: InstallPlaces, cwd: string): readonly InstallPlaces[] {
  const folders = [places.project];
  for (let at = cwd; at !== places.project && at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders.map((project) => ({ ...places, project }));
}

/** Files outside of the project are found once from each folder. */
function once<Found extends { readonly message: string }>(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [one.message, one])).values()];
}
