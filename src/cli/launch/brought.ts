/**
 * What reaches the model without a call: files that the goal mentions, and what the instruction files of a project bring along. It is as if
 * the agent had read them, so the policy decides about it.
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

/** The policy forbids to start the agent. */
export class RefusedByPolicy extends Error {
  override readonly name = 'RefusedByPolicy';
}

export const TOO_MANY = 'The goal holds too many @: each may be a file that the client reads';

/** Throws UsageError. */
export function mentionsIn(text: string): readonly string[] {
  const paths = mentionedPaths(text);
  if (paths === null) throw new UsageError(TOO_MANY);
  return paths;
}

/** What the client reads by itself, because the goal mentions it. Throws RefusedByPolicy. @param cwd where it works */
export function refuseMentions(paths: readonly string[], client: string, cwd: string, workspace: Workspace): void {
  for (const path of paths) {
    const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(cwd, path);
    const why = existsSync(file) ? whyNotRead(file, cwd, workspace) : null;
    if (why !== null)
      throw new RefusedByPolicy(
        `The goal, or the first prompt of the agent, mentions @${path}, which ${client} reads without a call, and the policy does not let the agent read it: ${why}`,
      );
  }
}

/** Throws RefusedByPolicy where the instruction files bring along what the agent may not read. @param cwd where the runner works */
export function refuseInstructions(launcher: Launcher, places: InstallPlaces, workspace: Workspace, cwd: string): void {
  const brought = broughtAlong(launcher, places, cwd);
  if (!brought.ok)
    throw new RefusedByPolicy(
      `Not started: ${brought.message}; ${launcher.program} would send all of it to the model, and no hook is asked\n  fix: let the instructions of the project name fewer, smaller and readable files`,
    );
  for (const { file, how, fix } of brought.files) {
    const why = whyNotRead(file, cwd, workspace);
    if (why !== null)
      throw new RefusedByPolicy(
        `${how}, which ${launcher.program} would send to the model without a call, and the policy does not let the agent read it: ${why}\n  fix: ${fix}; a file without secrets can be allowed instead: policy allow 'Read(PATH)'`,
      );
  }
}

/** A goal with the instruction file of the nearest folder of the project before it, as far as there is one. Throws RefusedByPolicy. */
export function withInstructions(goal: string, launcher: Launcher, project: string, cwd: string, workspace: Workspace): string {
  const file = instructionFile(launcher, project, cwd);
  if (file === null) return goal;
  const why = whyNotRead(file, cwd, workspace);
  const shown = relative(project, file);
  if (why !== null)
    throw new RefusedByPolicy(`--instructions names ${shown}, and the policy does not let the agent read it: ${why}`);
  const read = readText(file);
  if (!read.ok) throw new UsageError(`${shown} ${read.message}, so --instructions cannot put it before the goal`);
  return `Instructions of this project (${shown}):\n\n${read.text.trim()}\n\nThe goal:\n\n${goal}`;
}

/** Real path. */
function instructionFile({ instructions }: Launcher, project: string, cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = instructions.files.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return realPath(found);
    if (folder === project || folder === dirname(folder)) return null;
  }
}

/** Null where an agent may read the file and nobody is asked. */
function whyNotRead(file: string, cwd: string, workspace: Workspace): string | null {
  const call = { tool: 'Read', input: { file_path: file }, cwd, headless: true, shell: 'union' } as const;
  const { decision, message } = enforceDry(workspace, call);
  return decision === 'allow' ? null : message;
}
