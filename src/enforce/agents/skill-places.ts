/** The folders from which Claude Code loads skills, commands and agents. */
import { dirname } from 'node:path';
import type { Plugin } from '../../definitions/plugin-agents.js';

/** Where Claude Code looks for a skill. All paths are absolute; `project` is a real path. */
export interface SkillPlaces {
  readonly project: string;
  readonly home: string;
  /** Working directory of the call. Claude Code also searches the folders above it. */
  readonly cwd: string;
}

/** A file that may be the skill. */
export interface SkillFile {
  readonly file: string;
  /** The folder that the file has to be in. */
  readonly within: string;
  readonly plugin: Plugin | null;
}

/** Maximum size of a skill or command in bytes; a larger one cannot be judged. */
export const SKILL_LIMIT = 256 * 1024;

const MOST_ABOVE = 32;

/**
 * Returns the project, the home directory, and all folders above the working directory: Claude Code may have been started in any of them.
 */
export function rootsOf({ project, home, cwd }: SkillPlaces): ReadonlySet<string> {
  const roots = new Set([project, home]);
  for (let folder = cwd, left = MOST_ABOVE; left > 0; left -= 1) {
    roots.add(folder);
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return roots;
}
