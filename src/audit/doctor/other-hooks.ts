/** Hooks of others before the calls of a runner. They are asked about the same call as ours, and not after it. */
import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isList, isMap, JsonTextError, type JsonValue, jsonValue, readJsonText } from '../../enforce/install/json-text.js';
import { readSetting } from '../../enforce/install/setting.js';
import { hookPath, type InstallPlaces } from '../../enforce/install/target.js';
import { isHookLine } from '../../enforce/own-hook.js';
import { readText } from '../../enforce/read-file.js';
import type { Runner } from '../../runner/runner.js';
import { GATE_EVENTS } from './read-hooks.js';

/** A hook, and the file that names it. */
export interface OtherHook {
  readonly file: string;
  /** What it starts or asks; its type where that is not known. */
  readonly what: string;
}

const MOST_FILES = 256;

/** Every hook of a runner before calls that is not of ours, as far as its files can be read. */
export function otherHooks(runner: Runner, places: InstallPlaces): readonly OtherHook[] {
  const files = (['user', 'project', 'managed'] as const).flatMap((scope) => hookPath(runner, scope, places) ?? []);
  const found = [...new Set([...files, ...(MORE[runner.id]?.(runner, places, files) ?? [])])].flatMap(hooksIn);
  return runner.id === 'codex'
    ? [...found, ...files.map((file) => join(dirname(file), 'config.toml')).flatMap(hooksInToml)]
    : found;
}

/** Files beside those that `policy install` writes to. */
const MORE: Readonly<Record<string, (runner: Runner, places: InstallPlaces, files: readonly string[]) => readonly string[]>> = {
  'claude-code': (runner, places) => [join(places.project, '.claude', 'settings.json'), ...pluginFiles(runner, places)],
  'copilot-cli': (_runner, _places, files) => files.flatMap((file) => jsonFilesIn(dirname(file))),
};

/** The hooks of Claude Code's plugins that are switched on somewhere. */
function pluginFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  const user = hookPath(runner, 'user', places) ?? '';
  const settings = [user, ...['settings.json', 'settings.local.json'].map((name) => join(places.project, '.claude', name))];
  const enabled = new Set(
    settings.flatMap((file) =>
      pairs(readSetting(file, 'json', ['enabledPlugins'])).flatMap(([key, on]) => (on === true ? [key] : [])),
    ),
  );
  const installed = pairs(readSetting(join(dirname(user), 'plugins', 'installed_plugins.json'), 'json', ['plugins']));
  return installed
    .filter(([key]) => enabled.has(key))
    .flatMap(([, entries]) => (isList(entries) ? entries : [entries]))
    .flatMap((entry) => {
      const root = isMap(entry) ? entry.get('installPath') : null;
      return typeof root === 'string' && isAbsolute(root) ? [join(root, 'hooks', 'hooks.json')] : [];
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

function hooksIn(file: string): readonly OtherHook[] {
  const read = readText(file);
  if (!read.ok || read.text.trim() === '') return [];
  try {
    const { value } = readJsonText(read.text, false);
    const hooks = isMap(value) ? value.get('hooks') : undefined;
    if (!isMap(hooks)) return [];
    return GATE_EVENTS.flatMap((event) => {
      const list = hooks.get(event);
      return isList(list) ? list.flatMap(handlersOf).map((what) => ({ file, what })) : [];
    });
  } catch (error) {
    // Another check says so.
    if (error instanceof JsonTextError) return [];
    throw error;
  }
}

/** Codex reads hooks of its configuration as well, in the form that they have in hooks.json. */
function hooksInToml(file: string): readonly OtherHook[] {
  const groups = readSetting(file, 'toml', ['hooks', 'PreToolUse']);
  const list = jsonValue(groups);
  return isList(list) ? list.flatMap(handlersOf).map((what) => ({ file, what })) : [];
}

function handlersOf(entry: JsonValue): readonly string[] {
  const inner = isMap(entry) ? entry.get('hooks') : undefined;
  return (isList(inner) ? inner : [entry]).flatMap((handler) => {
    if (!isMap(handler)) return [];
    const [what] = ['command', 'bash', 'url', 'type'].map((name) => handler.get(name)).filter((one) => typeof one === 'string');
    return what === undefined || isHookLine(what) ? [] : [what];
  });
}
