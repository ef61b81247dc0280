/**
 * The PreToolUse hooks in force: reads Claude Code's settings files as the client reads them. The client ignores a file with a
 * single mistake, so this does, too.
 */
import { join } from 'node:path';
import type { RunnerId } from '../../call/tool-call.js';
import { namesIn } from '../../disk/folder-entries.js';
import { readText } from '../../disk/read.js';
import { type Located, parseLocated } from '../../policy/read/located.js';
import { digestOf } from '../../project/trust-record.js';
import { shownFile } from '../model/digest.js';
import type { Place } from '../model/report.js';
import { type Handler, readHandlers, settingsMistake } from './handlers.js';

/** The client whose settings and rules are read here as it reads them. */
export const CLIENT = 'claude-code' as const satisfies RunnerId;

export interface SettingsPlaces {
  readonly project: string;
  readonly home: string;
  /** The user's settings file if a variable moved it; otherwise it is in the home directory. */
  readonly userFile?: string;
  /** `/etc/claude-code` on Linux. */
  readonly managedDirectory: string;
  /** `--settings FILE` of the runner. */
  readonly extra: readonly string[];
}

export type Scope = 'managed' | 'command line' | 'local' | 'project' | 'user';

export interface SettingsFile {
  readonly scope: Scope;
  readonly file: string;
  /** Null when there is no file. */
  readonly digest: string | null;
  /** Why the runner ignores the whole file; null when it does not. */
  readonly ignored: string | null;
  /** Why we cannot read the file, though the runner may be able to; null when we can. */
  readonly unread: string | null;
}

/** A PreToolUse handler with its place. */
export interface InstalledHook extends Handler {
  readonly scope: Scope;
  readonly place: Place;
  /** Why the hook does not run or cannot block; null when it runs before every tool call. */
  readonly whyNotBlocking: string | null;
}

export interface InstalledHooks {
  readonly files: readonly SettingsFile[];
  readonly hooks: readonly InstalledHook[];
}

interface ReadFile extends SettingsFile {
  readonly located: Located | null;
}

/** Returns every PreToolUse hook of the settings, with whether it can block. */
export function installedHooks(places: SettingsPlaces): InstalledHooks {
  const files = settingsPaths(places).map(([scope, path]) => readSettings(scope, path, places.project));
  const off = switchedOff(files);
  const hooks = files.flatMap((file): InstalledHook[] => {
    const { located, digest, scope } = file;
    if (located === null || digest === null) return [];
    return readHandlers(located).map((handler) => ({
      ...handler,
      scope,
      place: { file: file.file, line: handler.line, digest },
      whyNotBlocking: off(scope) ?? handler.limit,
    }));
  });
  return { files: files.map(({ located: _, ...file }) => file), hooks };
}

/** Returns the files in order of precedence, the strongest first. */
export function settingsPaths({
  project,
  home,
  userFile,
  managedDirectory,
  extra,
}: SettingsPlaces): (readonly [Scope, string])[] {
  const dropIns = join(managedDirectory, 'managed-settings.d');
  return [
    ['managed', join(managedDirectory, 'managed-settings.json')],
    ...jsonFilesOf(dropIns).map((name): readonly [Scope, string] => ['managed', join(dropIns, name)]),
    ...extra.map((file): readonly [Scope, string] => ['command line', file]),
    ['local', join(project, '.claude', 'settings.local.json')],
    ['project', join(project, '.claude', 'settings.json')],
    ['user', userFile ?? join(home, '.claude', 'settings.json')],
  ];
}

const MOST_DROP_INS = 100;

function jsonFilesOf(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  return names.sort().slice(0, MOST_DROP_INS);
}

function readSettings(scope: Scope, path: string, project: string): ReadFile {
  const file = shownFile(project, path);
  const read = readText(path);
  const unknown = { scope, file, digest: null, ignored: null, unread: null, located: null };
  if (!read.ok) return { ...unknown, unread: read.code === 'missing' ? null : read.message };
  const digest = digestOf(read.text);
  const located = parseLocated(read.text, 'json');
  if (!located.ok) {
    const { message } = located.problem;
    return { ...unknown, digest, ...(isJson(read.text) ? { unread: message } : { ignored: message }) };
  }
  const ignored = settingsMistake(located);
  return { ...unknown, digest, ignored, located: ignored === null ? located : null };
}

/**
 * Why we cannot tell what a settings file contains: it is missing, cannot be read, or is not JSON with a single meaning; otherwise null.
 */
export function whyUnusable(path: string): string | null {
  const read = readText(path);
  if (!read.ok) return read.message;
  const located = parseLocated(read.text, 'json');
  return located.ok ? null : `cannot be read as settings: ${located.problem.message}`;
}

/** The runner cannot read text that is not JSON either; our own reader also limits depth and size, and accepts no duplicate key. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Why hooks of a scope do not run: `disableAllHooks` applies from the strongest scope that has it, and spares managed hooks. */
function switchedOff(files: readonly ReadFile[]): (scope: Scope) => string | null {
  const disabling = files.find(({ located }) => typeof setting(located, 'disableAllHooks') === 'boolean');
  const disabled = setting(disabling?.located ?? null, 'disableAllHooks') === true ? disabling : undefined;
  const exclusive = files.find(({ scope, located }) => scope === 'managed' && setting(located, 'allowManagedHooksOnly') === true);
  return (scope) => {
    if (disabled !== undefined && (scope !== 'managed' || disabled.scope === 'managed'))
      return `disableAllHooks is set in ${disabled.file}`;
    return exclusive !== undefined && scope !== 'managed' ? `allowManagedHooksOnly is set in ${exclusive.file}` : null;
  };
}

function setting(located: Located | null, key: string): unknown {
  const settings = located?.data;
  if (typeof settings !== 'object' || settings === null || !Object.hasOwn(settings, key)) return undefined;
  return Object.getOwnPropertyDescriptor(settings, key)?.value;
}
