/** Chooses the policy file for a rule: by the flags, else the usual one, else by asking the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import type { EditedLayer } from '../../author/rule-edit-target.js';
import type { RetrustPlaces } from '../../project/retrust.js';
import type { Workspace } from '../../project/workspace.js';
import { isAtTerminal } from '../terminal/confirm.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';

/** Returns where the policies of a workspace are. */
export function editPlaces({ surroundings }: Workspace): RetrustPlaces {
  const [userDirectory = '', managedDirectory = '', stateDirectory = ''] = surroundings.ownDirectories;
  return { project: surroundings.project, userDirectory, managedDirectory, stateDirectory };
}

/** The choices in the order in which they are offered; there is no default. */
const CHOICES: readonly (readonly [layer: EditedLayer, says: string])[] = [
  ['user', 'you, in every project: ~/.config/policy/policy.yaml'],
  ['local', 'you, in this folder: policy.local.yaml'],
  ['project', 'everybody in this folder: policy.yaml'],
];

/**
 * Asks where a rule is to be written; null if the person chooses none. Throws UsageError that names the flags if there is no
 * terminal to ask at, or if the person asked not to be prompted.
 * @param folder a folder that belongs to no project
 */
export async function chosenLayer(args: Arguments, folder: string): Promise<EditedLayer | null> {
  const why = `${folder} is not in a git repository and has no policy, so it is not clear where to write the rule`;
  const flags = CHOICES.map(([layer, says]) => `  --${layer.padEnd(9)} ${says}`);
  if (!isAtTerminal() || switchFlag(args, 'yes'))
    throw new UsageError(`${why}. Add one of these flags:`, ...flags, 'Nothing was changed.');
  warn(`${why}:`);
  for (const [index, [layer, says]] of CHOICES.entries()) warn(`  ${index + 1}  ${layer.padEnd(9)} ${says}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await terminal.question('Where? [1, 2, 3, or Enter to change nothing] ')).trim().toLowerCase();
    return CHOICES.find(([layer], index) => answer === layer || answer === String(index + 1))?.[0] ?? null;
  } finally {
    terminal.close();
  }
}
