/** Which policy file a rule goes to: what the flags say, else what is usual, else what the person at the terminal says. */
import { createInterface } from 'node:readline/promises';
import { EDITED_LAYERS, type EditedLayer } from '../../author/rule-edit-target.js';
import { isAtTerminal } from '../terminal/confirm.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';

/** The layer that a flag names. Throws UsageError for two flags. */
export function layerOf(args: Arguments): EditedLayer | undefined {
  const named = EDITED_LAYERS.filter((layer) => switchFlag(args, layer));
  if (named.length > 1) throw new UsageError(`Give one of ${named.map((layer) => `--${layer}`).join(' and ')}, not both`);
  return named[0];
}

/** In the order in which they are offered; nothing is taken for granted. */
const CHOICES: readonly (readonly [layer: EditedLayer, says: string])[] = [
  ['user', 'you, in every project: ~/.config/policy/policy.yaml'],
  ['local', 'you, in this folder: policy.local.yaml'],
  ['project', 'everybody in this folder: policy.yaml'],
];

/**
 * Asks where a rule is to be written; null when the person takes none. Throws UsageError, naming the flags, without a terminal to ask
 * at, and when the person asked not to be asked.
 * @param folder where no project is
 */
export async function chosenLayer(args: Arguments, folder: string): Promise<EditedLayer | null> {
  const why = `${folder} is in no git repository and has no policy, so it is not clear where the rule should be written`;
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
