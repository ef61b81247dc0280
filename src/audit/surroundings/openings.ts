/** Settings that open or disable the sandbox of a coding agent, beside the setting that enables it. Only reads files. */
import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import { isInside } from '../../disk/inside.js';
import type { JsonValue } from '../../disk/json-text.js';
import { isMap } from '../../disk/json-text.js';
import { readSetting } from '../../disk/setting.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/hook/runner.js';
import { switchFile } from '../doctor/found/switch-file.js';
import { sandboxVariablesIn } from '../doctor/found/switch-variables.js';
import { readsOnly } from '../model/reads-only.js';
import { withoutSecrets } from '../model/shown-command.js';
import { readSettingsFile } from './risky-settings.js';
import { type Harmless, type SandboxKeys, sandboxKeys } from './sandbox-keys.js';

export interface Opening {
  /** Null for the environment. */
  readonly file: string | null;
  /** Counts from 1. */
  readonly line: number;
  /** The names joined with dots, or the variable. */
  readonly key: string;
  /** Completes "…, but …". */
  readonly says: string;
  readonly isVariable: boolean;
}

/** Whether a file enables it; another file may disable it. */
export function hasSandbox(runner: Runner, places: InstallPlaces): boolean {
  return (runner.sandboxes ?? []).some((one) => {
    const value = readSetting(switchFile(runner, one, places), one.format, one.key);
    return one.on.some((on) => on === value);
  });
}

/** The same, also with a variable of this process that enables it. */
export function isSandboxed(runner: Runner, places: InstallPlaces): boolean {
  const { sandboxVariables } = runner;
  const said = sandboxVariables === undefined ? undefined : places.environment[sandboxVariables.switch];
  return hasSandbox(runner, places) || (said !== undefined && !/^\s*(?:0|false)?\s*$/i.test(said));
}

/** Returns all openings in files of the project and of the person; empty for a sandbox that holds as far as we can tell. */
export function sandboxOpenings(runner: Runner, places: InstallPlaces): readonly Opening[] {
  const keys = sandboxKeys(runner.id);
  if (keys === undefined) return [];
  const files = new Map((runner.sandboxes ?? []).map((one) => [switchFile(runner, one, places), one]));
  const variables = sandboxVariablesIn(runner, places).map(
    ({ file, name, line }): Opening => ({
      ...{ file, line, key: name, isVariable: true },
      says: `${file === null ? 'the environment' : `${file}:${line}`} sets ${name}, which may let commands run outside it`,
    }),
  );
  return [...variables, ...[...files].flatMap(([file, { format }]) => inFile(runner, keys, file, format, places))];
}

function inFile(
  runner: Runner,
  keys: SandboxKeys,
  file: string,
  format: 'json' | 'toml',
  places: InstallPlaces,
): readonly Opening[] {
  const read = readSettingsFile(file, format);
  if (read === null) return [];
  if (typeof read === 'string')
    return [
      {
        file,
        line: 1,
        key: '',
        isVariable: false,
        says: `${file} cannot be read (${read}), so it is unknown what it says about the sandbox`,
      },
    ];
  const { value: root, lineOf } = read;
  return [
    ...leaves(root, [])
      .filter(([path]) => isConcerned(keys, path))
      .flatMap(([path, value]): Opening[] => {
        const key = path.join('.');
        const wanted = knownFor(keys, path);
        if (wanted !== undefined && isHarmless(value, wanted, places)) return [];
        const shown = withoutSecrets(`${key}: ${typeof value === 'object' ? '…' : String(value)}`).slice(0, LONGEST);
        const why =
          wanted === undefined ? 'and it is unknown what that opens' : WHY[typeof wanted === 'string' ? wanted : 'list'];
        return [{ file, line: lineOf(path), key, isVariable: false, says: `${shown} in ${file}:${lineOf(path)}, ${why}` }];
      }),
    ...(keys.profiles ? profile(runner, root, file, lineOf) : []),
  ];
}

const LONGEST = 120;

const WHY: Readonly<Record<Extract<Harmless, string> | 'list', string>> = {
  any: '',
  off: 'which makes the sandbox weaker',
  none: 'which lets commands contact programs outside it',
  command: 'which runs outside it and may do more than read',
  folder: 'a folder outside the project where commands may write',
  host: 'which lets commands contact any machine',
  rule: 'which lets commands in the sandbox write or connect elsewhere',
  platform: 'which omits this system',
  list: 'which is not a known sandbox',
};

type Leaf = readonly [path: readonly (string | number)[], value: JsonValue];

function leaves(value: JsonValue, path: readonly (string | number)[]): readonly Leaf[] {
  if (isMap(value)) return [...value].flatMap(([name, inner]) => leaves(inner, [...path, name]));
  return Array.isArray(value) ? value.flatMap((inner: JsonValue, at) => leaves(inner, [...path, at])) : [[path, value]];
}

const SEPARATOR = '.';

function isConcerned({ sections, prefixes }: SandboxKeys, path: Leaf[0]): boolean {
  const key = path.join(SEPARATOR);
  return (
    sections.some((names) => names.every((name, at) => path[at] === name)) || prefixes.some((start) => key.startsWith(start))
  );
}

/** Returns the condition for a value: by its names without list positions, or by those of its table for any name. */
function knownFor({ known }: SandboxKeys, path: Leaf[0]): Harmless | undefined {
  const names = path.filter((name) => typeof name === 'string');
  const key = names.join(SEPARATOR);
  if (Object.hasOwn(known, key)) return known[key];
  const table = `${names.slice(0, -1).join(SEPARATOR)}.*`;
  return Object.hasOwn(known, table) ? known[table] : undefined;
}

function isHarmless(value: JsonValue, wanted: Harmless, places: InstallPlaces): boolean {
  if (typeof wanted !== 'string') return wanted.some((one) => one === value) || value === false;
  if (wanted === 'any') return true;
  if (wanted === 'off') return value === false || value === null;
  if (typeof value !== 'string') return false;
  return CHECKS[wanted](value, places);
}

const CHECKS: Readonly<
  Record<Exclude<Extract<Harmless, string>, 'any' | 'off'>, (text: string, places: InstallPlaces) => boolean>
> = {
  none: () => false,
  command: readsOnly,
  folder: isNarrowFolder,
  host: (text) => isHost(text),
  rule: isNarrowRule,
  platform: (text) => text === PLATFORMS[process.platform],
};

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

/** `example.com`, `*.example.com`; not `*`, `*.com` and other patterns. */
function isHost(text: string): boolean {
  return /^(?:\*\.)?[\w-]+(?:\.[\w-]+)+$|^localhost$/.test(text);
}

/**
 * Whether it is in the project or in a temporary folder; false with a variable or a pattern before its last name, which may mean anything.
 */
function isNarrowFolder(text: string, { project, home }: InstallPlaces): boolean {
  const path = text.replace(/^\/\//, '/').replace(/(?:\/\*{1,2})+$/, '');
  if (/[$*?[\]{}]/.test(path) || path === '') return false;
  const folder = posix.resolve(
    project,
    path.replace(/^~(?=\/|$)/, () => home),
  );
  if (isInside(folder, project)) return project !== home;
  // A temporary folder may contain the project, or a home directory.
  const isOthers = isInside(project, folder) || isInside(home, folder) || isInside(folder, home);
  return !isOthers && TEMPORARY.some((temporary) => isInside(folder, temporary));
}

const TEMPORARY = ['/tmp', '/private/tmp', '/var/tmp', tmpdir()].filter((folder) => folder !== '/');

/** `Edit(…)` widens the folders, and `WebFetch(domain:…)` the addresses. */
function isNarrowRule(text: string, places: InstallPlaces): boolean {
  const [, tool = '', inner = ''] = /^(\w+)\((.*)\)$/s.exec(text.trim()) ?? [];
  if (tool === 'WebFetch') {
    const domain = /^domain:(.*)$/s.exec(inner.trim())?.[1];
    return domain === undefined || isHost(domain.trim());
  }
  if (!/^(?:Edit|Write|MultiEdit|NotebookEdit)$/.test(tool)) return true;
  // A path with one slash starts at the folder of the settings, with two at the root of the system.
  const path = inner.trim().replace(/^\/(?!\/)/, './');
  return /^(?:\.\/)?(?:\*|[^/~$.])/.test(path) && !path.split('/').includes('..') ? true : isNarrowFolder(path, places);
}

/** The profile that the file chooses grants more than the file itself. */
function profile(
  runner: Runner,
  root: JsonValue,
  file: string,
  lineOf: (path: readonly (string | number)[]) => number,
): readonly Opening[] {
  const name = isMap(root) ? root.get('profile') : undefined;
  if (!isMap(root) || name === undefined) return [];
  const profiles = root.get('profiles');
  const chosen = isMap(profiles) && typeof name === 'string' ? profiles.get(name) : undefined;
  const mode = isMap(chosen) ? chosen.get('sandbox_mode') : undefined;
  const line = lineOf(['profile']);
  const on = runner.sandboxes?.[0]?.on ?? [];
  const others = isMap(chosen) ? [...chosen.keys()].filter((key) => /sandbox_workspace_write|permissions/.test(key)) : [];
  if (mode === undefined ? isMap(chosen) && others.length === 0 : on.some((one) => one === mode) && others.length === 0)
    return [];
  const says = isMap(chosen)
    ? `the profile that ${file}:${line} chooses says otherwise (${mode === undefined ? others.join(', ') : `sandbox_mode: ${typeof mode === 'string' ? mode : '…'}`})`
    : `${file}:${line} chooses a profile that is not in the file, so it is unknown what it says about the sandbox`;
  return [{ file, line, key: 'profile', isVariable: false, says: withoutSecrets(says) }];
}
