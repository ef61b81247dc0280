/** Where a runner keeps its settings, and our hook with them, if an environment variable names another folder. */
import { isAbsolute, join } from 'node:path';
import type { RunnerId } from '../call/tool-call.js';
import { isInside } from '../disk/inside.js';
import { realPath } from '../disk/real-path.js';
import type { HookFile } from '../runner/hook/runner.js';
import { allRunners, runnerNamed } from '../runner/runners.js';

/**
 * Returns the folders named by variables such as `CLAUDE_CONFIG_DIR`, as written and as real paths: they are protected like
 * `~/.claude`. For a folder that contains the project, only the file with the hook.
 * @param runner null: those of all runners
 * @param project real path
 */
export function movedSettings(
  runner: RunnerId | null,
  environment: Readonly<Record<string, string | undefined>>,
  project: string,
): readonly string[] {
  const named = runner === null ? undefined : runnerNamed(runner);
  const runners = named === undefined ? allRunners() : [named];
  const moved = runners.flatMap(({ places: { user } }) =>
    user === null ? [] : foldersMovedByVariable(user, environment, project),
  );
  return [...new Set(moved)];
}

/** Returns the folders that one runner's variable names, to be protected from writes. */
function foldersMovedByVariable(
  { path, folderVariable }: HookFile,
  environment: Readonly<Record<string, string | undefined>>,
  project: string,
): readonly string[] {
  const folder = folderVariable === undefined ? undefined : environment[folderVariable];
  if (folder === undefined || !isAbsolute(folder)) return [];
  const [first, ...below] = path.split('/');
  // `.config` is shared by all programs; the folder below it is the runner's own.
  const own = first === '.config' ? join(folder, below[0] ?? '') : join(folder);
  const real = realPath(own) ?? own;
  return isInside(project, real) ? [join(folder, ...below)] : [own, real];
}
