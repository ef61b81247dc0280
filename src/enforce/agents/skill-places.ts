/** The folders that Claude Code takes skills, commands and agents from. */
import { dirname } from 'node:path';
import type { Plugin } from '../../definitions/plugin-agents.js';

/** Where the client looks for a skill. All absolute; `project` a real path. */
export interface SkillPlaces {
  readonly project: string;
  readonly home: string;
  /** Of the call. The client looks into the folders above it, too. */
  readonly cwd: string;
}

/** A file that may be the skill. */
export interface SkillFile {
  readonly file: string;
  /** The folder that the file has to lie in. */
  readonly within: string;
  readonly plugin: Plugin | null;
}

/** Bytes of a skill or command; a larger one cannot be judged. */
export const SKILL_LIMIT = 256 * 1024;

const MOST_ABOVE = 32;

/** The project, the home folder, and whatever lies above the working directory: a client may have been started in any of them. */
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
