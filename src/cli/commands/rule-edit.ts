/** `policy allow`, `policy ask`, `policy deny`: adds rules to a policy file, after showing what they change. */

import { whyIdle } from '../../author/idle-rule.js';
import {
  findingsOf,
  type PlannedEdit,
  planEdit,
  type RuleEditRequest,
  withoutEffect,
  writeEdit,
} from '../../author/rule-edit.js';
import { defaultLayer, EDITED_LAYERS } from '../../author/rule-edit-target.js';
import { previewRules } from '../../author/rule-preview.js';
import { isIgnored } from '../../disk/git/ignored.js';
import { ownDirectory } from '../../log/files/directory.js';
import type { NewRule } from '../../policy/edit/insertion.js';
import { standingOf, untrustedBecause } from '../../project/retrust.js';
import { isUntrusted, type Workspace } from '../../project/workspace.js';
import { changedCalls } from '../../report/rule-edit.js';
import { parseEntry, printEntry } from '../../rule/pattern/entry.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { guarded } from '../place/guarded.js';
import { open } from '../place/open.js';
import { refuseInsideRunner } from '../place/where.js';
import { chosenLayer, editPlaces } from '../rules/edited-layer.js';
import { rulesFromLog } from '../rules/rule-from-log.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, said, warn } from '../terminal/terminal.js';
import { type Arguments, oneSwitch, switchFlag, textFlag } from '../words/arguments.js';
import type { CommandFile, Takes } from '../words/command.js';

const WHERE = 'Where it is written:';
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const TAKES: Takes = {
  arguments: { rules: { array: true, value: 'RULE', describe: 'Tool or Tool(pattern), for example "Bash(npm run test *)"' } },
  options: {
    local: { describe: 'You, in this project: policy.local.yaml (default in a project)', group: WHERE },
    project: { describe: 'Everybody in this project: policy.yaml', group: WHERE },
    user: { describe: 'You, in every project: ~/.config/policy/policy.yaml', group: WHERE },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project', group: WHERE },
    reason: { value: 'REASON', describe: 'Why, in one sentence; every decision by this rule shows it' },
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Show what would change, and change nothing' },
  },
};

/** Options of `policy allow` alone. */
const FROM_LOG: Takes['options'] = {
  'from-log': { describe: 'Suggest rules for approved calls in the decision log' },
  days: { value: 'N', default: '30', describe: 'With --from-log: how many days back it looks' },
};

/** Returns the command for one effect. */
function commandOf(effect: Effect): CommandFile {
  return {
    takes: effect === 'allow' ? { ...TAKES, options: { ...TAKES.options, ...FROM_LOG } } : TAKES,
    run: (args) => run(effect, args),
  };
}

export const allowing = commandOf('allow');
export const asking = commandOf('ask');
export const denying = commandOf('deny');

/** Throws UsageError for a rule or a file with mistakes; then nothing was changed. */
async function run(effect: Effect, args: Arguments): Promise<ExitCode> {
  if (!switchFlag(args, 'dry-run')) refuseInsideRunner(`policy ${effect}`);
  const fromLog = effect === 'allow' && switchFlag(args, 'from-log');
  const named = oneSwitch(args, EDITED_LAYERS);
  const given = fromLog ? [] : newRules(effect, args);
  const workspace = open(args, true);
  const places = editPlaces(workspace);
  const accepted = fromLog ? await rulesFromLog(args, workspace, places.stateDirectory) : [];
  if (accepted === null) return EXIT.allow;
  const rules = fromLog ? newRules(effect, { ...args, rules: accepted }) : given;
  const usual = fromLog && isUntrusted(workspace.notes) ? 'user' : defaultLayer(places);
  const layer = named ?? usual ?? (await chosenLayer(args, places.project));
  if (layer === null) return await said('Nothing was changed.', EXIT.error);
  const request = { rules, places, layer };
  const plan = guarded(() => planEdit(request));
  const untrusted = effect === 'allow' && request.layer !== 'user' ? untrustedBecause(standingOf(places)) : null;
  if (untrusted !== null) throw new UsageError(untrusted, 'Nothing was changed.');
  if (plan.added.length === 0) return await nothingToDo(plan);
  await explain(plan, workspace, places.stateDirectory);
  if (switchFlag(args, 'dry-run')) return await said('Nothing was changed (--dry-run).');
  if (
    !fromLog &&
    !switchFlag(args, 'yes') &&
    !(await confirmed(`Write ${plan.added.length === 1 ? 'it' : 'them'} to ${plan.target.file}?`))
  )
    return await said('Nothing was changed.', EXIT.error);
  return await write(request);
}

/** Returns the rules of the command line. Throws UsageError with the place of a mistake in them. */
function newRules(effect: Effect, args: Arguments): readonly NewRule[] {
  const texts = Array.isArray(args.rules) ? [...new Set(args.rules.map(String))] : [];
  if (texts.length === 0)
    throw new UsageError(`Name a rule: policy ${effect} 'Tool(pattern)', for example policy ${effect} 'Bash(npm run test *)'`);
  const reason = textFlag(args, 'reason')?.trim();
  if (reason !== undefined && (reason === '' || reason.length > 1000 || CONTROL.test(reason)))
    throw new UsageError('--reason must be one sentence of printable text');
  return texts.map((text) => {
    const entry = parseEntry(text);
    if (!entry.ok)
      throw new UsageError(`${text.trim() === '' ? 'The rule' : text} (character ${entry.offset + 1}): ${entry.message}`);
    return { effect, text: printEntry(entry), ...(reason !== undefined && { reason }) };
  });
}

async function nothingToDo({ present }: PlannedEdit): Promise<ExitCode> {
  for (const { text, source } of present) await said(`${text} is already there: ${source.file}:${source.line}. Nothing to do.`);
  return EXIT.allow;
}

/**
 * Prints what will be written, its effects, and what speaks against it. Throws UsageError for a rule that is not permitted or
 * would have no effect.
 */
async function explain(plan: PlannedEdit, workspace: Workspace, state: string): Promise<void> {
  const { refused, warnings } = findingsOf(
    plan,
    workspace.policy.customTools.map(({ name }) => name),
  );
  const ignored = plan.added.map((rule) => withoutEffect(rule, workspace)).filter((sentence) => sentence !== null);
  if (refused.length + ignored.length > 0) throw new UsageError(...refused, ...ignored, 'Nothing was changed.');
  const changes = previewRules(workspace, plan.added, state);
  const idle = plan.added.map((rule) => whyIdle(rule, changes, plan.target.layer)).filter((sentence) => sentence !== null);
  if (idle.length > 0) throw new UsageError(...idle, 'Nothing was changed.');
  await said(`${plan.target.file}${plan.target.text === null ? ' (new)' : ''}:`);
  for (const rule of plan.added) await said(`  ${rule.effect}: ${rule.text}`);
  for (const line of changedCalls(changes)) await print(`${line}\n`);
  for (const warning of warnings) warn(`warning: ${warning}`);
}

async function write(request: RuleEditRequest): Promise<ExitCode> {
  const plan = guarded(() => {
    ownDirectory(request.places.stateDirectory);
    return writeEdit(request);
  });
  for (const { text, source } of plan.added) await said(`Written: ${text} (${source.file}:${source.line})`);
  if (!plan.trusted)
    warn(
      `${plan.target.file} was changed by another program in the meantime; until you run \`policy trust\`, it can only add restrictions`,
    );
  if (plan.target.layer === 'local' && plan.target.text === null && !isIgnored(request.places.project, plan.target.file))
    warn(`note: ${plan.target.file} is yours alone; keep it out of git: echo '${plan.target.file}' >> .gitignore`);
  return EXIT.allow;
}
