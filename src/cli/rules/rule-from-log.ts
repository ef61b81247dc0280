/** `policy allow --from-log`: the rules that would have spared a person the prompts of the last days. */
import { approvedOffers } from '../../author/approved-calls.js';
import type { Workspace } from '../../project/workspace.js';
import { escapeText } from '../../report/printing/escape.js';
import { confirmed, isAtTerminal } from '../terminal/confirm.js';
import { UsageError } from '../terminal/exit.js';
import { print, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';

const DAY = 86_400_000;
const USUAL_DAYS = 30;
const LONGEST = 100;

/**
 * Returns the rules that the person at the terminal accepts, one offer at a time. Without a terminal, and with --dry-run, prints
 * the offers as lines to paste and returns null. Throws UsageError for flags that contradict each other.
 */
export async function rulesFromLog(
  args: Arguments,
  workspace: Workspace,
  stateDirectory: string,
): Promise<readonly string[] | null> {
  if (Array.isArray(args.rules) && args.rules.length > 0) throw new UsageError('--from-log takes no RULE: it finds the rules');
  if (switchFlag(args, 'yes')) throw new UsageError('--from-log asks about each rule, so --yes does not go with it');
  const days = daysOf(args);
  const offers = approvedOffers(workspace, stateDirectory, Date.now() - days * DAY, 'wide');
  if (offers.length === 0) {
    warn(`No call that was approved in the last ${days} days would ask again.`);
    return null;
  }
  const asks = isAtTerminal() && !switchFlag(args, 'dry-run');
  const accepted = new Set<string>();
  for (const { rules, also, line, calls, sample } of offers) {
    const shown = sample.length > LONGEST ? `${sample.slice(0, LONGEST)}…` : sample;
    await print(`# approved ${calls === 1 ? 'once' : `${calls} times`}: ${escapeText(shown)}\n`);
    for (const text of also) await print(`#   also allows: ${escapeText(text)}\n`);
    await print(`${escapeText(line)}\n`);
    if (asks && (await confirmed('Add it to the policy?'))) for (const rule of rules) accepted.add(rule);
  }
  if (!asks) return null;
  if (accepted.size === 0) warn('Nothing was changed.');
  return accepted.size === 0 ? null : [...accepted];
}

function daysOf(args: Arguments): number {
  const text = textFlag(args, 'days');
  if (text === undefined) return USUAL_DAYS;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days === 0) throw new UsageError('--days must be a number of days from 1');
  return days;
}
