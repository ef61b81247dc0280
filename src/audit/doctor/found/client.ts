/** The program of a runner on this machine and its version, determined without starting it if possible. */

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isFields, text } from '../../../call/fields.js';
import { readText } from '../../../disk/read.js';
import { realPath } from '../../../disk/real-path.js';
import { data } from '../../../generated/data.js';
import type { InstallPlaces } from '../../../install/target.js';
import type { Runner } from '../../../runner/hook/runner.js';
import { parsedJson } from '../../model/parsed-json.js';
import type { DoctorOptions } from './options.js';

export interface Client {
  readonly path: string;
  /** Null when it is unknown. */
  readonly version: string | null;
}

const { processes } = data('runner-markers') as { readonly processes: Readonly<Record<string, string>> };

/** Returns the first program of the runner on PATH, with its version. */
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
  /** Names under which a program of the runner may be called. */
  readonly names: readonly string[];
}

/** Finds the program without starting it; relative folders of PATH and folders of the project are untrusted and skipped. */
export function programOnPath(runner: Runner, places: InstallPlaces): FoundProgram | null {
  const names = namesOf(runner.id);
  const found = onPath(names, places);
  return found === null ? null : { ...found, names };
}

function namesOf(runner: Runner['id']): readonly string[] {
  return Object.entries(processes).flatMap(([name, id]) => (id === runner ? [name] : []));
}

/** Whether the same search finds such a program. */
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

/** Symlinks are resolved as well. */
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

/** Takes the version from the package that the program belongs to, or from a folder named after the version. */
function versionOf(real: string, names: readonly string[]): string | null {
  for (let folder = dirname(real), depth = 0; depth < MOST_FOLDERS; folder = dirname(folder), depth += 1) {
    const read = readText(join(folder, 'package.json'));
    const manifest = read.ok ? parsedJson(read.text) : null;
    const version = isFields(manifest) ? text(manifest, 'version') : null;
    const name = isFields(manifest) ? text(manifest, 'name') : null;
    // An SDK numbers its own builds: version 0.3.329 of Anthropic's contains the client 2.1.329.
    if (name !== null && /(?:^|[/-])sdk(?:-|$)/.test(name)) return null;
    if (version !== null && name !== null && names.some((one) => name.includes(one.split('-')[0] ?? one))) return version;
  }
  return /\/versions\/(\d+\.\d+\.\d+[\w.-]*)/.exec(real)?.[1] ?? null;
}

function printedVersion(real: string, home: string, patience: number): string | null {
  return VERSION.exec(printed(real, ['--version'], home, patience))?.[0] ?? null;
}

/** Returns what a client prints; the person runs this program every day anyway. Empty when it says nothing. */
export function printed(program: string, words: readonly string[], home: string, patience: number): string {
  const { stdout } = spawnSync(program, words, {
    encoding: 'utf8',
    // A client that is a script finds its interpreter beside itself.
    env: { HOME: home, PATH: `/usr/local/bin:/usr/bin:/bin:${dirname(program)}` },
    timeout: patience,
    maxBuffer: 262_144,
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
  });
  return stdout ?? '';
}
