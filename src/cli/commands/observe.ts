/** `policy observe`: shows whether the policy blocks or only logs, and changes that in the user's own policy, after showing the change. */
import { homedir } from 'node:os';
import {
  type ModePlaces,
  type ModeStanding,
  modeStanding,
  type PlannedMode,
  planMode,
  writeMode,
} from '../../author/mode-edit.js';
import { unifiedDiff } from '../../disk/diff.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { defaultStateDirectory, ownDirectory } from '../../log/files/directory.js';
import { escapeText } from '../../report/printing/escape.js';
import type { SourcePosition } from '../../rule/pattern/permission-rule.js';
import { guarded } from '../place/guarded.js';
import { refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, said } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  arguments: { action: { choices: ['on', 'off', 'status'], describe: 'What to do; status if left out' } },
  options: {
    yes: { alias: 'y', describe: 'Do not ask' },
    'dry-run': { describe: 'Show what would change, and change nothing' },
  },
};

/**
 * Throws UsageError inside a runner, for a policy file with mistakes, and if a managed policy forbids the change; then nothing was changed.
 */
export async function run(args: Arguments): Promise<ExitCode> {
  const action = textFlag(args, 'action') ?? 'status';
  const places: ModePlaces = {
    userDirectory: defaultUserDirectory(process.env, homedir()),
    managedDirectory: '/etc/policy',
    stateDirectory: defaultStateDirectory(process.env, homedir()),
  };
  if (action === 'status') return await tell(guarded(() => modeStanding(places)));
  if (action !== 'on' && action !== 'off') throw new UsageError('Say what to do: policy observe on, off or status');
  if (!switchFlag(args, 'dry-run')) refuseInsideRunner('policy observe');
  const plan = guarded(() => planMode(action === 'on' ? 'observe' : 'enforce', places));
  refuseForbidden(plan);
  if (plan.text === (plan.target.text ?? '')) return await nothingToDo(plan);
  await show(plan);
  if (switchFlag(args, 'dry-run')) return await said('Nothing was changed (--dry-run).');
  if (!switchFlag(args, 'yes') && !(await confirmed(`Write it to ${plan.target.file}?`)))
    return await said('Nothing was changed.', EXIT.error);
  guarded(() => {
    ownDirectory(places.stateDirectory);
    writeMode(plan, places);
  });
  await said(`Written: mode: ${plan.mode} (${plan.target.file}:${plan.line})`);
  return await said(
    plan.mode === 'observe'
      ? 'Next: policy log stats shows what would have been decided; policy observe off makes the policy block again'
      : 'Next: policy doctor checks that the hooks block',
  );
}

/** Throws UsageError when a managed policy enforces blocking whatever the user's own policy states. */
function refuseForbidden({ mode, after }: PlannedMode): void {
  if (mode === after.mode) return;
  const why = after.ignored.length > 0 ? after.ignored : ['another policy file sets the mode.'];
  throw new UsageError(
    ...why.map((sentence) => `Observe mode is not available to you: ${sentence}`),
    'Ask whoever manages this machine. Nothing was changed.',
  );
}

async function tell({ mode, source, ignored }: ModeStanding): Promise<ExitCode> {
  await said(
    mode === 'observe'
      ? `on: nothing is blocked; decisions are only logged${because(source)}`
      : `off: the policy denies and asks as it says${because(source)}`,
  );
  for (const sentence of ignored) await said(`note: ${sentence}`);
  return EXIT.allow;
}

function because(source: SourcePosition | null): string {
  return source === null ? '' : ` (${source.file}:${source.line})`;
}

async function nothingToDo({ mode, after }: PlannedMode): Promise<ExitCode> {
  return await said(`Observe mode is already ${mode === 'observe' ? 'on' : 'off'}${because(after.source)}. Nothing to do.`);
}

async function show({ target, text, mode }: PlannedMode): Promise<void> {
  const names = { before: target.text === null ? '/dev/null' : target.file, after: target.file };
  for (const line of unifiedDiff(target.text ?? '', text, names)) await print(`${escapeText(line)}\n`);
  await said(
    mode === 'observe'
      ? 'From now on nothing is blocked, except in `policy run`; decisions are only logged, in all your projects.'
      : 'From now on the policy denies and asks again, in all your projects.',
  );
}
