/** Environment variables that make programs run other programs: which one affects a call, and the message about it. Pure. */

import { flatten } from '../../command/model/called-commands.js';
import type { CallAnalysis } from '../flow/analysis.js';
import type { Facts } from '../ruling/facts.js';

/** The placeholder name for an environment that could not be read: it may contain anything (rules/environment.yaml). */
export const UNSEEN_ENVIRONMENT = '(UNSEEN)';

/** Lists of folders: only an element that depends on the current directory is dangerous. */
const FOLDER_LISTS = new Set(['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']);

/**
 * Whether the variable is a list of folders.
 * @param name as spelled in the environment; compared case-insensitively, as on Windows
 */
export function isFolderList(name: string): boolean {
  return FOLDER_LISTS.has(name.toUpperCase());
}

/** A variable that makes a command of the call run another program: no rule overrides it (docs/guarantees.md, 2). */
export function hazardousVariable(facts: Facts, { lines }: CallAnalysis): string | undefined {
  if (facts.environment.length === 0 || lines.length === 0) return undefined;
  const names = new Set(lines.flatMap((line) => flatten(line.tree.commands)).map((command) => command.name));
  return facts.environment.find((one) => one.affects === '*' || names.has(one.affects))?.name;
}

/** Why such a variable is dangerous. */
export function hazardMessage(name: string): string {
  if (name === UNSEEN_ENVIRONMENT) return "the command's environment cannot be seen, and may make it run another program";
  if (isFolderList(name)) return `${name} in the environment has an empty or relative folder, so a file there can run instead`;
  return `${name} is set in the environment and can make the command run another program`;
}

/** What a person can do about it, since no rule can help. */
export function hazardAdvice(name: string): string {
  const why = `no rule can allow this: ${hazardMessage(name)}`;
  if (name === UNSEEN_ENVIRONMENT) return `${why}; let a person run it in a terminal`;
  return `${why}; ${isFolderList(name) ? 'leave that folder out of it' : 'unset it'} and restart the runner`;
}
