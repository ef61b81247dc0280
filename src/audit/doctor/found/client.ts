/** The program of a runner on this machine, and its version, told without starting it where that is possible. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { readText } from '../../../disk/read.js';
import { realPath } from '../../../disk/real-path.js';
import { data } from '../../../generated/data.js';
import type { InstallPlaces } from '../../../install/target.js';
import { isFields, text } from '../../../runner/hook/payload.js';
import type { Runner } from '../../../runner/hook/runner.js';
import type { DoctorOptions } from './options.js';

export interface Client {
  readonly path: string;
  /** Null when it does not say. */
  readonly version: string | null;
}

const { processes } = data('runner-markers') as { readonly processes: Readonly<Record<string, string>> };

/** The first program of the runner on PATH, with its version. */
export function findClient(runner: Runner, { places, patience }: DoctorOptions): Client | null {
  const found = programOnPath(runner, places);
  if (found === null) return null;
  const { path, real, names } = found;
  return { path, version: versionOf(real, names) ?? printedVersion(real, places.home, patience) };
}

/** The version of a program of the runner, wherever it lies; null when it does not say. @param real its real path */
export function programVersion({ id }: Runner, real: string, { home }: InstallPlaces, patience: number): string | null {
  return versionOf(real, namesOf(id)) ?? printedVersion(real, home, patience);
}

interface FoundProgram {
  readonly path: string;
  readonly real: string;
  /** What a program of the runner may be called. */
  readonly names: readonly string[];
}

/** The program, which is not started; a relative folder of PATH, or one of the project, is a stranger's and is passed over. */
export function programOnPath(runner: Runner, places: InstallPlaces): FoundProgram | null {
  const names = namesOf(runner.id);
  const found = onPath(names, places);
  return found === null ? null : { ...found, names };
}

function namesOf(runner: Runner['id']): readonly string[] {
  return Object.entries(processes).flatMap(([name, id]) => (id === runner ? [name] : []));
}

/** Whether there is such a program, by the same search. */
export function isOnPath(name: string, places: InstallPlaces): boolean {
  return onPath([name], places) !== null;
}

function onPath(names: readonly string[], { environment, project }: InstallPlaces): Omit<FoundProgram, 'names'> | null {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || isInside(folder, project)) continue;
    for (const name of names) {
      const path = join(folder, name);
      const real = isProgram(path) ? realPath(path) : null;
      if (real !== null) return { path, real };
    }
  }
  return null;
}

/** Also by way of a symbolic link. */
function isInside(folder: string, project: string): boolean {
  return [folder, realPath(folder) ?? folder].some((one) => `${one}/`.startsWith(`${project}/`));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const VERSION = /\d+\.\d+\.\d+[\w.-]*/;
const MOST_FOLDERS = 6;

/** From the package that the program belongs to, or from a folder named after the version. */
function versionOf(real: string, names: readonly string[]): string | null {
  for (let folder = dirname(real), depth = 0; depth < MOST_FOLDERS; folder = dirname(folder), depth += 1) {
    const read = readText(join(folder, 'package.json'));
    const manifest = read.ok ? parsed(read.text) : null;
    const version = isFields(manifest) ? text(manifest, 'version') : null;
    const name = isFields(manifest) ? text(manifest, 'name') : null;
    // A kit for programs counts its own builds: 0.3.329 of Anthropic's holds the client 2.1.329.
    if (name !== null && /(?:^|[/-])sdk(?:-|$)/.test(name)) return null;
    if (version !== null && name !== null && names.some((one) => name.includes(one.split('-')[0] ?? one))) return version;
  }
  return /\/versions\/(\d+\.\d+\.\d+[\w.-]*)/.exec(real)?.[1] ?? null;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

/** What `--version` prints; the person runs this program every day. */
function printedVersion(real: string, home: string, patience: number): string | null {
  const { stdout } = spawnSync(real, ['--version'], {
    encoding: 'utf8',
    env: { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin' },
    timeout: patience,
    maxBuffer: 65_536,
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
  });
  return VERSION.exec(stdout ?? '')?.[0] ?? null;
}
