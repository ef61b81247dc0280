/**
 * Hooks of other programs that a runner asks before a call, or in place of the person: they are asked about the same call as
 * ours, and their changes to it are not judged again.
 */

import { dirname, isAbsolute, join } from 'node:path';
import { traitsOf } from '../../../call/traits.js';
import { namesIn } from '../../../disk/folder-entries.js';
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
  /** `policy install` writes this file, so the checks of our own hooks examine every line in it that resembles ours. */
  readonly isInstalled: boolean;
  readonly isBorrowed?: true;
}

const MOST_FILES = 256;
/** The maximum for one file; with more hooks, a person has to inspect the file anyway. */
const MOST_HOOKS = 16;

/** Events at which a hook answers whether a call may run; Gemini CLI has none. */
const PERMISSION_EVENTS = ['PermissionRequest', 'permissionRequest'];

/** Returns every such hook of a runner that is not ours, as far as its files can be read. */
export function otherHooks(runner: Runner, places: InstallPlaces): readonly OtherHook[] {
  if (runner.places.project?.form === 'plugin') return otherPlugins(runner, places);
  const { hookTables, keepsInput } = traitsOf(runner.id);
  const installed = HOOK_SCOPES.flatMap((scope): HookSettings[] => {
    const file = hookPath(runner, scope, places);
    return file === null ? [] : [{ file, ofProject: scope === 'project', isInstalled: true }];
  });
  const settings = new Map<string, HookSettings>();
  for (const one of [...installed, ...moreSettings(runner, places, installed)])
    if (!settings.has(one.file)) settings.set(one.file, one);
  const found = [...settings.values()].flatMap((one) => {
    const hooks = hooksIn(one, eventsOf(runner), places);
    return one.isBorrowed === true ? hooks.map((hook): OtherHook => ({ ...hook, isBorrowed: true })) : hooks;
  });
  const all = [
    ...found,
    ...(hookTables === undefined ? [] : installed.flatMap((one) => othersHooksInToml(one, hookTables, places))),
    ...frontMatterHooks(runner.id, EVENTS, places),
  ];
  if (!keepsInput) return all;
  return all.map((hook): OtherHook => (hook.kind === 'before-call' ? { ...hook, kind: 'other-event' } : hook));
}

/** Files in addition to those that `policy install` writes. */
function moreSettings(runner: Runner, places: InstallPlaces, installed: readonly HookSettings[]): readonly HookSettings[] {
  const { teamHookFiles = [], pluginSwitches = [], moreHookFiles } = traitsOf(runner.id);
  const beside = moreHookFiles === undefined ? [] : installed.flatMap((one) => filesBeside(one, moreHookFiles.above));
  const ofProject = [...teamHookFiles.map((path) => ({ path })), ...(moreHookFiles?.project ?? [])];
  return [
    ...beside,
    ...ofProject.map(({ path, ...kind }) => ({ ...kind, file: join(places.project, path), ofProject: true, isInstalled: false })),
    ...(pluginSwitches.length === 0 ? [] : pluginFiles(runner, pluginSwitches, places)),
  ];
}

/** Every JSON file in the folder of our hook, and files in the one above. */
function filesBeside({ file, ofProject }: HookSettings, above: readonly string[]): readonly HookSettings[] {
  const folder = dirname(file);
  const files = [...jsonFilesIn(folder), ...above.map((name) => join(dirname(folder), name))];
  return files.map((one) => ({ file: one, ofProject, isInstalled: false }));
}

/** The hooks of plugins that are switched on somewhere. @param switches settings of the project that may do that */
function pluginFiles(runner: Runner, switches: readonly string[], places: InstallPlaces): readonly HookSettings[] {
  const user = hookPath(runner, 'user', places) ?? '';
  const enabledIn = (file: string) =>
    pairs(readSetting(file, 'json', ['enabledPlugins'])).flatMap(([key, on]) => (on === true ? [key] : []));
  const byUser = new Set(enabledIn(user));
  const byProject = switches.flatMap((path) => enabledIn(join(places.project, path)));
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

/** A map in the form that readSetting returns. */
function pairs(value: unknown): readonly (readonly [string, JsonValue])[] {
  return Array.isArray(value) ? (value as (readonly [string, JsonValue])[]).filter((pair) => Array.isArray(pair)) : [];
}

function jsonFilesIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}

const EVENTS: HookEvents = [
  ...BLOCKING_EVENTS.map((event) => [event, 'before-call'] as const),
  ...PERMISSION_EVENTS.map((event) => [event, 'permission'] as const),
];

function eventsOf({ id }: Runner): HookEvents {
  return [...EVENTS, ...(traitsOf(id).permissionEvents ?? []).map((event) => [event, 'permission'] as const)];
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
    // The runner may accept nesting that is too deep for us, or a duplicate key.
    if (error instanceof JsonTextError) return [unreadHooks(file, error.message, ofProject)];
    throw error;
  }
}

function unreadHooks(file: string, what: string, ofProject: boolean): OtherHook {
  return { file, line: 1, what, form: 'other', kind: 'unread', ofProject };
}

/** Hooks of others in a TOML file beside that of ours: doctor names them, since they may change a call. */
function othersHooksInToml(settings: HookSettings, name: string, places: InstallPlaces): readonly OtherHook[] {
  const file = join(dirname(settings.file), name);
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
    // The TOML reader gives no positions: search for the command as written, or else for its event.
    const at = [JSON.stringify(what), what, event].map((part) => text.indexOf(part)).find((one) => one >= 0);
    return { file, line: lineOf(text, at ?? 0), what, form, kind, ofProject: settings.ofProject };
  });
}
