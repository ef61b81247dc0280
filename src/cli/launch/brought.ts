/**
 * Content that reaches the model without a call: files that the goal mentions, and files included by a project's instruction
 * files. The policy decides about it as if the agent had read these files.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { broughtAlong } from '../../audit/launch/instructions.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { enforceDry } from '../../enforce/enforce.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Workspace } from '../../project/workspace.js';
import type { Launcher } from '../../runner/launch/launcher.js';
import { mentionedPaths } from '../../runner/launch/mentions.js';
import { UsageError } from '../terminal/exit.js';

/** Thrown when the policy forbids starting the agent. */
export class RefusedByPolicy extends Error {
  override readonly name = 'RefusedByPolicy';
}

export const TOO_MANY = 'The goal has too many @: each may be a file that the client reads';

/** Throws UsageError. */
export function mentionsIn(text: string): readonly string[] {
  const paths = mentionedPaths(text);
  if (paths === null) throw new UsageError(TOO_MANY);
  return paths;
}

/**
 * Refuses files that the runner would read by itself because the goal mentions them. Throws RefusedByPolicy.
 * @param cwd working directory of the runner
 */
export function refuseMentions(paths: readonly string[], client: string, cwd: string, workspace: Workspace): void {
  for (const path of paths) {
    const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(cwd, path);
    const why = existsSync(file) ? whyNotRead(file, cwd, workspace) : null;
    if (why !== null)
      throw new RefusedByPolicy(
        `The goal, or the agent's first prompt, mentions @${path}, which ${client} reads without asking, but the policy does not let the agent read it: ${why}`,
      );
  }
}

/**
 * Throws RefusedByPolicy if the instruction files include a file that the agent may not read.
 * @param cwd working directory of the runner
 */
export function refuseInstructions(launcher: Launcher, places: InstallPlaces, workspace: Workspace, cwd: string): void {
  const brought = broughtAlong(launcher, places, cwd);
  if (!brought.ok)
    throw new RefusedByPolicy(
      `Not started: ${brought.message}; ${launcher.program} would send all of it to the model without asking a hook\n  fix: let the project's instructions name fewer, smaller and readable files`,
    );
  for (const { file, how, fix } of brought.files) {
    const why = whyNotRead(file, cwd, workspace);
    if (why !== null)
      throw new RefusedByPolicy(
        `${how}, which ${launcher.program} would send to the model without asking, but the policy does not let the agent read it: ${why}\n  fix: ${fix}; a file without secrets can be allowed instead: policy allow 'Read(PATH)'`,
      );
  }
}

/**
 * Returns the goal, preceded by the project's nearest instruction file if there is one. Throws RefusedByPolicy, and UsageError if
 * the file cannot be read.
 */
export function withInstructions(goal: string, launcher: Launcher, project: string, cwd: string, workspace: Workspace): string {
  const file = instructionFile(launcher, project, cwd);
  if (file === null) return goal;
  const why = whyNotRead(file, cwd, workspace);
  const shown = relative(project, file);
  if (why !== null)
    throw new RefusedByPolicy(`--instructions names ${shown}, but the policy does not let the agent read it: ${why}`);
  const read = readText(file);
  if (!read.ok) throw new UsageError(`${shown} ${read.message}, so --instructions cannot put it before the goal`);
  return `Instructions of this project (${shown}):\n\n${read.text.trim()}\n\nThe goal:\n\n${goal}`;
}

/** Returns the real path of the nearest instruction file. */
function instructionFile({ instructions }: Launcher, project: string, cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = instructions.files.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return realPath(found);
    if (folder === project || folder === dirname(folder)) return null;
  }
}

/** Returns null if an agent may read the file without a prompt. */
function whyNotRead(file: string, cwd: string, workspace: Workspace): string | null {
  const call = { tool: 'Read', input: { file_path: file }, cwd, headless: true, shell: 'union' } as const;
  const { decision, message } = enforceDry(workspace, call);
  return decision === 'allow' ? null : message;
}
