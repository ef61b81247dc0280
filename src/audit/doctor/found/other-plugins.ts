/**
 * OpenCode plugins that are not ours: programs that may change the arguments of a call after our plugin passed them on. Tool
 * files are also loaded at startup (1.18.33), and can do the same.
 */

import { dirname, join } from 'node:path';
import { namesIn } from '../../../disk/folder-entries.js';
import { isList, isMap, JsonTextError, lineAt, lineOf, readJsonText } from '../../../disk/json-text.js';
import { readText } from '../../../disk/read.js';
import { WriteError } from '../../../disk/replace.js';
import { ourCommands } from '../../../install/hook-text.js';
import { isHookLine } from '../../../install/own-hook.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import type { Runner } from '../../../runner/hook/runner.js';
import type { OtherHook } from './other-hook.js';

const MOST_FILES = 64;
const PROGRAMS = /\.[cm]?[jt]sx?$/;
/** Events at which a plugin changes calls or answers for the person: the line with the event is shown. */
const EVENTS = /tool\.execute\.before|permission\.ask/;
const FOLDERS = [
  ['plugin', 'a plugin'],
  ['plugins', 'a plugin'],
  ['tool', 'a tool'],
  ['tools', 'a tool'],
] as const;
const CONFIGURATIONS = ['opencode.json', 'opencode.jsonc'];

/** Returns the plugins of the project and of the person: files in their folders, and names in their configuration. */
export function otherPlugins(runner: Runner, places: InstallPlaces): readonly OtherHook[] {
  const user = hookPath(runner, 'user', places);
  const { project } = places;
  const folders = [
    ...(user === null ? [] : [{ folder: dirname(dirname(user)), ofProject: false }]),
    { folder: join(project, '.opencode'), ofProject: true },
  ];
  const own = (['user', 'project'] as const).flatMap((scope) => hookPath(runner, scope, places) ?? []);
  const configured = [...folders, { folder: project, ofProject: true }].flatMap(({ folder, ofProject }) =>
    CONFIGURATIONS.flatMap((name) => namedPlugins(join(folder, name), ofProject)),
  );
  const files = folders.flatMap(({ folder, ofProject }) =>
    FOLDERS.flatMap(([name, what]) => programsIn(join(folder, name)).map((file) => ({ file, what })))
      .filter(({ file }) => !own.includes(file) || !isOurs(runner, file))
      .map(({ file, what }) => ({
        file,
        line: lineIn(file),
        what,
        form: 'other' as const,
        kind: 'plugin' as const,
        ofProject,
      })),
  );
  return [...files, ...configured];
}

function programsIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => PROGRAMS.test(name));
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}

/** Whether the file is at the place of our plugin; another check reports differences in its text. */
function isOurs(runner: Runner, file: string): boolean {
  const read = readText(file);
  if (!read.ok) return false;
  try {
    return ourCommands({ file, form: 'plugin', runner, text: read.text }, isHookLine).length > 0;
  } catch (error) {
    if (error instanceof WriteError) return false;
    throw error;
  }
}

function lineIn(file: string): number {
  const read = readText(file);
  const at = read.ok ? read.text.search(EVENTS) : -1;
  return read.ok && at >= 0 ? lineOf(read.text, at) : 1;
}

/** `plugin: ["some-package", "./own.ts"]`; an unreadable file may name any plugin. */
function namedPlugins(file: string, ofProject: boolean): readonly OtherHook[] {
  const read = readText(file);
  if (!read.ok) return read.code === 'missing' ? [] : [unread(file, `it ${read.message}`, ofProject)];
  if (read.text.trim() === '') return [];
  try {
    const json = readJsonText(read.text, false);
    const list = isMap(json.value) ? json.value.get('plugin') : undefined;
    if (!isList(list)) return [];
    return list.slice(0, MOST_FILES).map((name, at) => ({
      file,
      line: lineAt(json, ['plugin', at]),
      what: typeof name === 'string' ? name : 'a plugin',
      form: 'other',
      kind: 'plugin',
      ofProject,
    }));
  } catch (error) {
    if (error instanceof JsonTextError) return [unread(file, error.message, ofProject)];
    throw error;
  }
}

function unread(file: string, what: string, ofProject: boolean): OtherHook {
  return { file, line: 1, what, form: 'other', kind: 'unread', ofProject };
}
