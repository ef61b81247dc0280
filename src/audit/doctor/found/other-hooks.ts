/**
 * Hooks of others that a runner asks before a call, or in the place of the person: they are asked about the same call as ours, and what
 * they make of it is not judged again.
 */
import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import {
  isList,
  isMap,
  JsonTextError,
  type JsonValue,
  jsonValue,
  lineAt,
  lineOf,
  readJsonText,
} from '../../../disk/json-text.js';
import { readText } from '../../../disk/read.js';
import { readSetting, whyUnread } from '../../../disk/setting.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import { HOOK_SCOPES, type Runner } from '../../../runner/hook/runner.js';
import { frontMatterHooks } from './front-matter-hooks.js';
import { handlersOf } from './other-handlers.js';
import type { HookEvents, OtherHook } from './other-hook.js';
import { otherPlugins } from './other-plugins.js';
import { BLOCKING_EVENTS } from './read-hooks.js';

interface HookSettings {
  readonly file: string;
  readonly ofProject: boolean;
  /** `policy install` writes to it, so the checks of our own hooks look at every line in it that is like ours. */
  readonly isInstalled: boolean;
  readonly isBorrowed?: true;
}

const MOST_FILES = 256;
/** Of one file; whoever has more has to look into it anyway. */
const MOST_HOOKS = 16;

/** Events in which a hook answers whether a call may run; Gemini CLI has none. */
const PERMISSION_EVENTS = ['PermissionRequest', 'permissionRequest'];
/** Takes no other input from a hook before a call, so that what this hook starts is all there is to judge. */
const NEVER_REWRITTEN: ReadonlySet<string> = new Set(['qwen-code']);

/** Every such hook of a runner that is not of ours, as far as its files can be read. */
export function otherHooks(runner: Runner, places: InstallPlaces): readonly OtherHook[] {
  if (runner.id === 'opencode') return otherPlugins(runner, places);
  const installed = HOOK_SCOPES.flatMap((scope): HookSettings[] => {
    const file = hookPath(runner, scope, places);
    return file === null ? [] : [{ file, ofProject: scope === 'project', isInstalled: true }];
  });
  const settings = new Map<string, HookSettings>();
  for (const one of [...installed, ...(MORE[runner.id]?.(runner, places, installed) ?? [])])
    if (!settings.has(one.file)) settings.set(one.file, one);
  const found = [...settings.values()].flatMap((one) => {
    const hooks = hooksIn(one, eventsOf(runner), places);
    return one.isBorrowed === true ? hooks.map((hook): OtherHook => ({ ...hook, isBorrowed: true })) : hooks;
  });
  const all = [
    ...found,
    ...(runner.id === 'codex' ? installed.flatMap((one) => othersHooksInToml(one, places)) : []),
    ...frontMatterHooks(runner.id, EVENTS, places),
  ];
  if (!NEVER_REWRITTEN.has(runner.id)) return all;
  return all.map((hook): OtherHook => (hook.kind === 'before-call' ? { ...hook, kind: 'other-event' } : hook));
}

type MoreSettings = (runner: Runner, places: InstallPlaces, installed: readonly HookSettings[]) => readonly HookSettings[];

/** Files beside those that `policy install` writes to. */
const MORE: Readonly<Record<string, MoreSettings>> = {
  'claude-code': (runner, places) => [
    { file: join(places.project, '.claude', 'settings.json'), ofProject: true, isInstalled: false },
    ...pluginFiles(runner, places),
  ],
  'copilot-cli': (_runner, { project }, installed) => [
    ...installed.flatMap(({ file, ofProject }) =>
      [...jsonFilesIn(dirname(file)), ...['settings.json', 'config.json'].map((name) => join(dirname(dirname(file)), name))].map(
        (one) => ({ file: one, ofProject, isInstalled: false }),
      ),
    ),
    ...['settings.json', 'settings.local.json'].flatMap((name): HookSettings[] => [
      { file: join(project, '.github', 'copilot', name), ofProject: true, isInstalled: false },
      // Tried with 1.0.102.
      { file: join(project, '.claude', name), ofProject: true, isInstalled: false, isBorrowed: true },
    ]),
  ],
};

/** The hooks of Claude Code's plugins that are switched on somewhere. */
function pluginFiles(runner: Runner, places: InstallPlaces): readonly HookSettings[] {
  const user = hookPath(runner, 'user', places) ?? '';
  const enabledIn = (file: string) =>
    pairs(readSetting(file, 'json', ['enabledPlugins'])).flatMap(([key, on]) => (on === true ? [key] : []));
  const byUser = new Set(enabledIn(user));
  const byProject = ['settings.json', 'settings.local.json'].flatMap((name) => enabledIn(join(places.project, '.claude', name)));
  const enabled = new Set([...byUser, ...byProject]);
  const installed = pairs(readSetting(join(dirname(user), 'plugins', 'installed_plugins.json'), 'json', ['plugins']));
  return installed
    .filter(([key]) => enabled.has(key))
    .flatMap(([key, entries]) => (isList(entries) ? entries : [entries]).map((entry) => ({ key, entry })))
    .flatMap(({ key, entry }) => {
      const root = isMap(entry) ? entry.get('installPath') : null;
      if (typeof root !== 'string' || !isAbsolute(root)) return [];
      return [{ file: join(root, 'hooks', 'hooks.json'), ofProject: !byUser.has(key), isInstalled: false }];
    })
    .slice(0, MOST_FILES);
}

/** A map as readSetting gives it. */
function pairs(value: unknown): readonly (readonly [string, JsonValue])[] {
  return Array.isArray(value) ? (value as (readonly [string, JsonValue])[]).filter((pair) => Array.isArray(pair)) : [];
}

function jsonFilesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.slice(0, MOST_FILES).map((name) => join(folder, name));
  } catch {
    // No such folder.
    return [];
  }
}

const EVENTS: HookEvents = [
  ...BLOCKING_EVENTS.map((event) => [event, 'before-call'] as const),
  ...PERMISSION_EVENTS.map((event) => [event, 'permission'] as const),
];

/** Cursor asks these about one kind of call each, and what they answer counts as the person's answer. */
const ANSWERING = ['beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'];

function eventsOf({ id }: Runner): HookEvents {
  return id === 'cursor' ? [...EVENTS, ...ANSWERING.map((event) => [event, 'permission'] as const)] : EVENTS;
}

function hooksIn(
  { file, ofProject, isInstalled }: HookSettings,
  events: HookEvents,
  places: InstallPlaces,
): readonly OtherHook[] {
  const read = readText(file);
  if (!read.ok) return read.code === 'missing' ? [] : [unreadHooks(file, `it ${read.message}`, ofProject)];
  if (read.text.trim() === '') return [];
  try {
    const json = readJsonText(read.text, false);
    const hooks = isMap(json.value) ? json.value.get('hooks') : undefined;
    if (!isMap(hooks)) return [];
    const named = new Set(events.map(([event]) => event));
    const others = [...hooks.keys()].filter((event) => !named.has(event)).map((event) => [event, 'other-event'] as const);
    const handlers = [...events, ...others].flatMap(([event, kind]) =>
      handlersOf(hooks.get(event), isInstalled, places).map(({ what, form, matcher, path }) => ({
        what,
        form,
        matcher,
        kind,
        event,
        path: ['hooks', event, ...path],
      })),
    );
    return handlers.slice(0, MOST_HOOKS).map(({ path, ...one }) => {
      const line = lineAt(json, path);
      return { ...one, file, line, ofProject };
    });
  } catch (error) {
    // The runner may read what nests too deep for us, or says a key twice.
    if (error instanceof JsonTextError) return [unreadHooks(file, error.message, ofProject)];
    throw error;
  }
}

function unreadHooks(file: string, what: string, ofProject: boolean): OtherHook {
  return { file, line: 1, what, form: 'other', kind: 'unread', ofProject };
}

/** Hooks of others in Codex's config.toml, which it reads beside hooks.json: doctor names them, since they may change a call. */
function othersHooksInToml(settings: HookSettings, places: InstallPlaces): readonly OtherHook[] {
  const file = join(dirname(settings.file), 'config.toml');
  const why = whyUnread(file, 'toml');
  if (why !== null) return [unreadHooks(file, why, settings.ofProject)];
  const found = EVENTS.flatMap(([event, kind]) => {
    const list = jsonValue(readSetting(file, 'toml', ['hooks', event]));
    return handlersOf(list, false, places).map(({ what, form }) => ({ event, kind, what, form }));
  });
  if (found.length === 0) return [];
  const read = readText(file);
  const text = read.ok ? read.text : '';
  return found.slice(0, MOST_HOOKS).map(({ event, kind, what, form }) => {
    // TOML has no places here: the command as it is written, else its event.
    const at = [JSON.stringify(what), what, event].map((part) => text.indexOf(part)).find((one) => one >= 0);
    return { file, line: lineOf(text, at ?? 0), what, form, kind, ofProject: settings.ofProject };
  });
}
