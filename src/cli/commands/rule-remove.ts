/** `policy remove`: removes a rule from the policy file that contains it, after showing what changes. The inverse of `policy allow`. */

import { defaultLayer, EDITED_LAYERS, type EditedLayer } from '../../author/rule-edit-target.js';
import { previewRules } from '../../author/rule-preview.js';
import { type Holder, holdersOf, planRemoval, writeRemoval } from '../../author/rule-removal.js';
import { ownDirectory } from '../../log/files/directory.js';
import { changedCalls } from '../../report/rule-edit.js';
import { guarded } from '../place/guarded.js';
import { open } from '../place/open.js';
import { refuseInsideRunner } from '../place/where.js';
import { editPlaces } from '../rules/edited-layer.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, said, warn } from '../terminal/terminal.js';
import { type Arguments, oneSwitch, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const WHERE = 'Which file:';

export const takes: Takes = {
  arguments: { rule: { value: 'RULE', describe: 'The rule as written, for example "Bash(npm run test *)"' } },
  options: {
    local: { describe: 'In policy.local.yaml', group: WHERE },
    project: { describe: 'In policy.yaml', group: WHERE },
    user: { describe: 'In ~/.config/policy/policy.yaml', group: WHERE },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project', group: WHERE },
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Show what would change, and change nothing' },
  },
};

/** Throws UsageError for a rule that does not exist, or that is in several places; then nothing was changed. */
export async function run(args: Arguments): Promise<ExitCode> {
  if (!switchFlag(args, 'dry-run')) refuseInsideRunner('policy remove');
  const text = textFlag(args, 'rule')?.trim();
  if (text === undefined || text === '') throw new UsageError("Name a rule: policy remove 'Tool(pattern)'");
  const workspace = open(args, true);
  const places = editPlaces(workspace);
  const layers = layersOf(args, defaultLayer(places));
  const plan = guarded(() => planRemoval(oneOf(holdersOf(text, layers, places), text, layers)));
  await said(`${plan.target.file}:${plan.removed.source.line}:`);
  await said(`  no longer ${plan.removed.effect}: ${plan.removed.text}`);
  for (const line of changedCalls(previewRules(workspace, [], places.stateDirectory, [plan.removed]))) await print(`${line}\n`);
  if (switchFlag(args, 'dry-run')) return await said('Nothing was changed (--dry-run).');
  if (!switchFlag(args, 'yes') && !(await confirmed(`Take it out of ${plan.target.file}?`)))
    return await said('Nothing was changed.', EXIT.error);
  const trusted = guarded(() => {
    ownDirectory(places.stateDirectory);
    return writeRemoval(plan, places);
  });
  await said(`Removed: ${plan.removed.text} (${plan.target.file})`);
  if (!trusted)
    warn(
      `${plan.target.file} was changed by another program meanwhile: until you run \`policy trust\`, it can only add restrictions`,
    );
  return EXIT.allow;
}

/** Outside of any project there is only the user's own policy. */
function layersOf(args: Arguments, usual: EditedLayer | null): readonly EditedLayer[] {
  const named = oneSwitch(args, EDITED_LAYERS);
  if (named !== undefined) return [named];
  return usual === null ? ['user'] : ['local', 'project', 'user'];
}

const FILES: Readonly<Record<EditedLayer, string>> = {
  local: 'policy.local.yaml',
  project: 'policy.yaml',
  user: 'your own policy',
};

function oneOf(holders: readonly Holder[], text: string, layers: readonly EditedLayer[]): Holder {
  const [first, ...others] = holders;
  if (first === undefined)
    throw new UsageError(
      `${text} is in none of these policies: ${layers.map((layer) => FILES[layer]).join(', ')}. \`policy check --explain\` names the deciding rule's file`,
      'Nothing was changed.',
    );
  if (others.length === 0) return first;
  const shown = holders.map(({ target, rule }) => `${rule.effect} in ${target.file}:${rule.source.line}`).join(' and ');
  const sameFile = others.some(({ target }) => target.path === first.target.path);
  throw new UsageError(
    `${text} is in several places: ${shown}; ${sameFile ? 'edit the file by hand' : 'say which with --local, --project or --user'}`,
    'Nothing was changed.',
  );
}
