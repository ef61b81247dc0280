/** The file of a runner that the hook is added to, after checking that it is suitable. */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';
import { WriteError } from '../disk/replace.js';
import { systemCode } from '../log/files/log-error.js';
import type { HookFile, HookScope, Runner } from '../runner/hook/runner.js';

/** The places of an installation. */
export interface InstallPlaces {
  readonly home: string;
  /** Real path. */
  readonly project: string;
  /** Prefix of absolute paths of the machine; empty except in tests. */
  readonly machine: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface HookTarget {
  readonly runner: Runner;
  readonly scope: HookScope;
  readonly form: HookFile['form'];
  /** What a person has to do before the runner uses the hook. */
  readonly needs: string | null;
  /** As the runner names it. */
  readonly file: string;
  /** Its real path. */
  readonly path: string;
  /** Null: it does not exist yet. */
  readonly text: string | null;
  readonly mode: number;
}

/** Returns the path where the runner looks; null if no such place is known. */
export function hookPath(
  runner: Runner | undefined,
  scope: HookScope,
  places: InstallPlaces,
  file: HookFile | null = runner?.places[scope] ?? null,
): string | null {
  if (file === null) return null;
  if (scope === 'managed') return join(places.machine || '/', file.path);
  if (scope === 'project') return join(places.project, file.path);
  const moved = file.folderVariable === undefined ? undefined : places.environment[file.folderVariable];
  const [, ...below] = file.path.split('/');
  return moved !== undefined && isAbsolute(moved) ? join(moved, ...below) : join(places.home, file.path);
}

/**
 * Returns the file of a place; `known`: another file than that of the hook. Throws WriteError for an unknown place, and for a
 * file that must not be written.
 */
export function hookTarget(
  runner: Runner,
  scope: HookScope,
  places: InstallPlaces,
  known: HookFile | null = runner.places[scope],
): HookTarget {
  const file = hookPath(runner, scope, places, known);
  if (known === null || file === null) {
    const others = (['user', 'project', 'managed'] as const).filter((one) => runner.places[one] !== null);
    throw new WriteError(
      `${runner.id} has no known ${scope} place for hooks; use ${others.map((one) => `--${one}`).join(' or ')}`,
    );
  }
  const { path, text } = targetFile(file, scope, places);
  return {
    runner,
    scope,
    form: known.form,
    needs: known.needs ?? null,
    file,
    path,
    text,
    mode: scope === 'managed' ? 0o644 : 0o600,
  };
}

/**
 * Returns the real path of a file that is to be changed, and its text; null: it does not exist. Throws WriteError for a file that
 * must not be written.
 * @param limit the most bytes; absent: that of every other file
 */
export function targetFile(
  file: string,
  scope: HookScope,
  places: InstallPlaces,
  limit?: number,
): Pick<HookTarget, 'path' | 'text'> {
  const path = realTarget(file, scope, places);
  refuseStrangers(path);
  const read = readText(path, { follow: false, ...(limit !== undefined && { limit }) });
  if (!read.ok && read.code !== 'missing') throw new WriteError(`${file} ${read.message}; nothing was changed`);
  return { path, text: read.ok ? read.text : null };
}

/**
 * Returns the real path of a file. A link of the user's own is followed (people keep their settings elsewhere); a link below a
 * project may lead anywhere, so it is refused there.
 */
function realTarget(file: string, scope: HookScope, { project }: InstallPlaces): string {
  const folder = existingFolder(dirname(file));
  const real = join(folder.real, relative(folder.path, file));
  if (scope === 'project' && !isInside(real, project))
    throw new WriteError(`${file} leads outside the project, to ${real}; nothing was changed`);
  const stat = lstatSync(real, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return real;
  if (scope !== 'user') throw new WriteError(`${file} is a symbolic link; replace it with a file first. Nothing was changed`);
  try {
    return realpathSync.native(real);
  } catch (error) {
    throw new WriteError(`${file} is a symbolic link that leads nowhere (${systemCode(error)}); nothing was changed`);
  }
}

/** Returns the nearest existing folder upwards, and its real path. */
function existingFolder(folder: string): { readonly path: string; readonly real: string } {
  for (let path = folder; ; path = dirname(path)) {
    if (statOf(path, statSync)?.isDirectory()) return { path, real: realpathSync.native(path) };
    if (statOf(path, lstatSync) !== null) throw new WriteError(`${path} is not a folder; nothing was changed`);
    if (path === dirname(path)) throw new WriteError(`${folder} is in no folder`);
  }
}

/** Returns null for a missing path, and for one below a file. */
function statOf(path: string, look: (path: string) => Stats): Stats | null {
  try {
    return look(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw new WriteError(`${path} cannot be examined (${systemCode(error)}); nothing was changed`);
  }
}

/** Refuses another user's file, even if we could write it: root would otherwise act on a file that a user prepared. */
function refuseStrangers(path: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  const folder = existingFolder(dirname(path)).real;
  for (const one of [folder, path]) {
    const stat = lstatSync(one, { throwIfNoEntry: false });
    if (stat !== undefined && stat.uid !== own)
      throw new WriteError(`${one} belongs to user ${stat.uid}, not to you (${own}); nothing was changed`);
  }
}
