/** The places in the project where the script of a hook must be. */

import { traitsOf } from '../../call/traits.js';
import type { HookHandler } from '../project/handlers.js';
import type { LintProject } from '../project/project.js';
import type { ScriptWord } from './script-words.js';

/** Returns paths of which one has to exist; empty if they cannot be determined. */
export function placesOfScript(
  { file, runner }: HookHandler,
  { base, path }: ScriptWord,
  { configs }: LintProject,
): readonly string[] {
  if (base === 'machine') return [];
  if (base === 'plugin') {
    const root = pluginRootOf(
      file.path,
      configs.map((config) => config.path),
    );
    return root === null ? [] : [root + path];
  }
  // A project may be in a subfolder, and be opened there or at the top.
  const folders = foldersAbove(file.path);
  // A skill keeps scripts beside it.
  const isBeside = traitsOf(runner).hookPathsBesideFile === true || file.kind !== 'config';
  const own = isBeside ? [file.path.slice(0, file.path.lastIndexOf('/') + 1)] : [];
  return [...own, ...folders].map((folder) => folder + path);
}

/** `a/b/.claude/settings.json` → `a/b/`, `a/`, and the top. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  const inner = names.findIndex((name) => name.startsWith('.'));
  const above = inner < 0 ? names : names.slice(0, inner);
  return Array.from({ length: above.length + 1 }, (_, at) =>
    above
      .slice(0, above.length - at)
      .map((name) => `${name}/`)
      .join(''),
  );
}

/** Returns the folder above the plugin manifest that is nearest to a file. */
function pluginRootOf(path: string, paths: readonly string[]): string | null {
  const roots = paths.flatMap((one) => {
    const root = /^(|.*\/)\.claude-plugin\/plugin\.json$/.exec(one)?.[1];
    return root !== undefined && path.startsWith(root) ? [root] : [];
  });
  return roots.sort((one, other) => other.length - one.length)[0] ?? null;
}
