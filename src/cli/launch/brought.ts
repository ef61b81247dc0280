/** What the instruction files of a project bring along reaches the model as if the agent had read it, so the policy decides about it. */
import { broughtAlong } from '../../audit/launch/instructions.js';
import { enforceDry } from '../../enforce/enforce.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Workspace } from '../../project/workspace.js';
import type { Launcher } from '../../runner/launch/launcher.js';

/** Why nothing may start; null: they bring along nothing that the agent may not read. @param cwd where the runner works */
export function forbiddenInstructions(
  launcher: Launcher,
  places: InstallPlaces,
  workspace: Workspace,
  cwd: string,
): string | null {
  const brought = broughtAlong(launcher, places, cwd);
  if (!brought.ok)
    return `Not started: ${brought.message}; ${launcher.program} would send all of it to the model, and no hook is asked\n  fix: let the instructions of the project name fewer, smaller and readable files`;
  for (const { file, how, fix } of brought.files) {
    const call = { tool: 'Read', input: { file_path: file }, cwd, headless: true, shell: 'union' } as const;
    const { decision, message } = enforceDry(workspace, call);
    if (decision !== 'allow')
      return `${how}, which ${launcher.program} would send to the model without a call, and the policy does not let the agent read it: ${message}\n  fix: ${fix}; a file without secrets can be allowed instead: policy allow 'Read(PATH)'`;
  }
  return null;
}
