/** The subject of `policy doctor`: the runners concerned, their settings, and the hooks in them. */

import { join, resolve } from 'node:path';
import { traitsOf } from '../../../call/traits.js';
import { readText } from '../../../disk/read.js';
import { optionOf } from '../../../install/own-hook.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import { type OpenedWorkspace, openWorkspace } from '../../../project/workspace.js';
import { HOOK_SCOPES, type HookScope, type Runner } from '../../../runner/hook/runner.js';
import { allRunners } from '../../../runner/runners.js';
import { CLIENT, installedHooks } from '../../claude-code/settings.js';
import { type Client, findClient } from './client.js';
import type { DoctorOptions } from './options.js';
import { type FoundHook, type HookSource, readHooks } from './read-hooks.js';
import { unreadSwitches } from './switch-file.js';

export interface ExaminedRunner {
  readonly runner: Runner;
  readonly client: Client | null;
  readonly sources: readonly HookSource[];
  /** Other files of the runner in which hooks may be disabled, and which cannot be read. */
  readonly unread: readonly UnreadFile[];
  readonly hooks: readonly FoundHook[];
  /** Why hooks of a scope do not run, as far as Claude Code's own settings state it. */
  readonly switchedOff: (scope: HookScope) => string | null;
}

/** A file, and the reason why it cannot be read. */
export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

export interface DoctorSubject extends DoctorOptions {
  readonly examined: readonly ExaminedRunner[];
  /** The state directories that hooks name, or else the default one. */
  readonly stateDirectories: readonly string[];
}

/** Opens the project's policy and agents as a hook would read them. */
export function openedWorkspace({
  places,
  platform,
  userDirectory,
  stateDirectory,
  managedDirectory,
}: DoctorOptions): OpenedWorkspace {
  const { project, home, environment } = places;
  const folders = { userDirectory, stateDirectory, managedDirectory };
  return openWorkspace({ cwd: project, project, home, platform, environment, ...folders, withAgents: true });
}

/**
 * Reads everything once.
 * @param clientOf finds the program of a runner; the default may start it to ask for its version
 */
export function doctorSubject(
  options: DoctorOptions,
  clientOf: (runner: Runner) => Client | null = (runner) => findClient(runner, options),
): DoctorSubject {
  const runners = options.withoutProject === true ? allRunners().map(elsewhere) : allRunners();
  const all = runners.map((runner) => examine(runner, options, clientOf(runner)));
  const named = options.runners;
  const examined = all.filter(({ runner, client, hooks }) =>
    named.length > 0 ? named.includes(runner.id) : client !== null || hooks.length > 0,
  );
  const states = examined.flatMap(({ hooks }) => hooks.flatMap(({ line }) => optionOf(line, '--state-dir')?.value ?? []));
  return { ...options, examined, stateDirectories: [...new Set(states.length > 0 ? states : [options.stateDirectory])] };
}

/** The runner as if it read nothing of a project. */
function elsewhere(runner: Runner): Runner {
  const { places, switches = [], hookVariables } = runner;
  const isElsewhere = ({ scope }: { readonly scope: HookScope }) => scope !== 'project';
  return {
    ...runner,
    places: { ...places, project: null },
    switches: switches.filter(isElsewhere),
    ...(hookVariables !== undefined && { hookVariables: { ...hookVariables, files: hookVariables.files.filter(isElsewhere) } }),
  };
}

function examine(runner: Runner, { places }: DoctorOptions, client: Client | null): ExaminedRunner {
  const sources = HOOK_SCOPES.flatMap((scope): HookSource[] => {
    const file = hookPath(runner, scope, places);
    const { teamHookFiles = [] } = traitsOf(runner.id);
    const found = (scope === 'project' ? teamHookFiles : [])
      .map((path) => sourceOf(scope, join(places.project, path)))
      .filter(({ text }) => text !== null);
    return file === null ? found : [sourceOf(scope, file), ...found];
  });
  const claude = runner.id === CLIENT ? ofClaude(places, hookPath(runner, 'user', places)) : null;
  const read = sources.map((source) => {
    const found = readHooks(runner, source);
    const known = claude?.fileOf(source.file);
    // How Claude Code treats a mistake was measured; for other runners we only know that we cannot read the file.
    const isIgnored = source.text !== null && known != null && known.ignored !== null;
    const why = source.unread ?? found.unread;
    return {
      source: {
        ...source,
        ignored: isIgnored ? (why ?? known.ignored) : null,
        unread: isIgnored ? null : (why ?? known?.unread ?? null),
      },
      hooks: found.hooks,
    };
  });
  const switching = [...(claude?.unread ?? []), ...unreadSwitches(runner, places)];
  return {
    runner,
    client,
    sources: read.map(({ source }) => source),
    unread: switching.filter(({ file }) => !sources.some((source) => source.file === file)),
    hooks: read.flatMap(({ hooks }) => hooks),
    switchedOff: claude?.switchedOff ?? (() => null),
  };
}

function sourceOf(scope: HookScope, file: string): HookSource {
  const read = readText(file);
  const source = { scope, file, text: null, ignored: null, unread: null };
  if (read.ok) return { ...source, text: read.text };
  return read.code === 'missing' ? source : { ...source, unread: read.message };
}

/** What the audit knows about Claude Code's settings: mistakes that make it ignore a file, and settings that disable hooks. */
function ofClaude({ home, project, machine }: InstallPlaces, userFile: string | null) {
  const { files, hooks } = installedHooks({
    project,
    home,
    ...(userFile !== null && { userFile }),
    managedDirectory: `${machine}/etc/claude-code`,
    extra: [],
  });
  const scopeOf = (scope: string) => (scope === 'local' ? 'project' : scope);
  const fileOf = (path: string) => files.find(({ file }) => resolve(project, file) === path) ?? null;
  const unread = files.flatMap(({ file, unread: why }) => (why === null ? [] : [{ file: resolve(project, file), why }]));
  const switchedOff = (scope: HookScope) =>
    hooks.find((hook) => scopeOf(hook.scope) === scope && hook.whyNotBlocking?.includes(' is set in ') === true)
      ?.whyNotBlocking ?? null;
  return { fileOf, unread, switchedOff };
}
