/** Before `policy run` starts a runner: which files of the project act past the hook? */
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

/** What of a run tells which commands of the project it will start. */
export interface RunKind {
  /** It works towards a goal: no person is there. */
  readonly headless: boolean;
  readonly reach: Reach;
  /** MCP servers that the project's files name; null or absent: none. */
  readonly servers?: ProjectServers | null;
}

/**
 * Hooks that may rewrite a call once it was judged, and variables that keep the hook from starting: with them nothing is started.
 * @param cwd where the runner works, in the project: it reads the files of that folder, and of those above it
 */
export function pastTheHook(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  return problemsOf(
    runner,
    eachFolder(places, cwd).flatMap((here) => [...othersOf(runner, here, workspace), ...variablesOf(runner, here)]),
  );
}

/** Settings of the project that policy does not know: with them nothing is started. @param cwd where the runner works */
export function unknownOf(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string): readonly HookProblem[] {
  const mayRead = (file: string) => {
    const call = { tool: 'Read', input: { file_path: file }, cwd, headless: true, shell: 'union' } as const;
    return enforceDry(workspace, call).decision === 'allow';
  };
  return once(eachFolder(places, cwd).flatMap((here) => unknownSettings(runner, here, mayRead)));
}

/**
 * Settings that switch an installed hook off, in the folders between the project and the one where the runner works: the doctor looks at
 * those of the project. The settings of one session outrank them.
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

/** What the runner starts or sends by itself, and no call of an agent: the hook does not judge it. */
export interface Unjudged {
  /** Commands that the policy denies in so many words: with them nothing is started. */
  readonly denied: readonly HookProblem[];
  /** What a person has to know of. */
  readonly noted: readonly HookProblem[];
}

/**
 * Each command that the policy would not let an agent run, and each setting that reaches past it, of those that count in such a run. That
 * a preset has no shell at all is about agents, so it forbids no start.
 */
export function unjudged(runner: Runner, places: InstallPlaces, workspace: Workspace, cwd: string, run: RunKind): Unjudged {
  const found = eachFolder(places, cwd)
    .flatMap((here) => [...surroundingsOf(runner, here, workspace), ...serverSurroundings(here, workspace)])
    .filter(({ level, starts }) => (starts === undefined ? level === 'problem' : isStarted(runner.id, starts, run)));
  const servers = run.headless || run.servers == null ? null : startedServers(runner, run.servers, workspace, places.environment);
  // What of a server stands in a settings file is judged with the server.
  const others =
    servers === null ? found : found.filter(({ file, starts }) => !(isServer(starts) && run.servers?.files.includes(file)));
  return {
    denied: once([...others.filter(isDenied), ...(servers?.denied ?? [])]),
    noted: once([...others.filter((one) => !isDenied(one)), ...(servers?.noted ?? [])]),
  };
}

/** What Claude Code draws for a person, or completes for them; `claude -p` starts none of it (2.1.197, 2.1.330). */
const FOR_A_PERSON = /^(?:statusLine|subagentStatusLine|fileSuggestion)\.command$/;
/** With a goal they are left out, or asked about beforehand (see the launchers). */
const SERVER = /^(?:mcpServers|servers|mcp_servers|mcp)\.(?!serverCommand$)/;
/** A program of its own, which a client may start for a server at an address. */
const HEADERS = /\.headersHelper$/;
const AFTER_EDITS = /^formatter\./;
/** Hooks at these run once a call was carried out. */
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

/** Every tool of the list changes files, which no agent may do that only reads. */
function isAboutChanges(runner: RunnerId, matcher: string | null): boolean {
  return (
    matcher !== null &&
    /^\w+(?:\|\w+)*$/.test(matcher) &&
    matcher.split('|').every((tool) => CHANGES.has(describeTool(tool, runner).access))
  );
}

/** The project, and each folder on the way from it to the one where the runner works. */
function eachFolder(places: InstallPlaces, cwd: string): readonly InstallPlaces[] {
  const folders = [places.project];
  for (let at = cwd; at !== places.project && at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders.map((project) => ({ ...places, project }));
}

/** What lies outside of the project is found from each folder. */
function once<Found extends { readonly message: string }>(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [one.message, one])).values()];
}
