/** Suggests the command line that was probably meant for a run, and explains what a first run needs. */
import { shellWord } from '../../audit/doctor/found/words.js';
import { PRESETS } from '../../policy/policy.js';

/** Goals that double quotes preserve in every shell. */
const PLAIN_GOAL = /^[\w .,:;?'/@%+=()-]+$/;
const LONGEST_GOAL = 80;

/**
 * Returns a command such as `policy run --preset safe --goal "fix it"`.
 * @param subject the words for the agent's name or the preset
 */
export function runCommand(goal: string | undefined, subject = '--preset safe'): string {
  const isShort = goal !== undefined && goal.trim() !== '' && goal.length <= LONGEST_GOAL && !/[\r\n]/.test(goal);
  const shown = isShort ? (PLAIN_GOAL.test(goal) ? `"${goal}"` : shellWord(goal)) : 'TEXT';
  return `policy run ${subject} --goal ${shown}`;
}

/**
 * Returns the same for several words without `--goal`: an agent and its goal, or an unquoted goal.
 * @param isAgent whether a word is the name of an agent
 */
export function meantByWords(words: readonly string[], isAgent: (word: string) => boolean): string {
  const [first = '', ...rest] = words;
  const isGoal = rest.length === 1 && /\s/.test(rest[0] ?? '');
  return !/\s/.test(first) && (isGoal || isAgent(first))
    ? runCommand(rest.join(' '), shellWord(first))
    : runCommand(words.join(' '));
}

/** Returns advice on a word that names no agent; null if it is neither a preset nor a goal. */
export function meantByName(name: string, goal: string | undefined): string | null {
  const preset = PRESETS.find((one) => one.toLowerCase() === name.toLowerCase().replaceAll(/[-_]/g, ''));
  if (preset !== undefined) return `${preset} is a preset: \`${runCommand(goal, `--preset ${preset}`)}\``;
  if (!/\s/.test(name) || goal !== undefined) return null;
  return `an agent's name is expected there; the goal goes after --goal: \`${runCommand(name)}\``;
}

/** For a run with a goal in a folder without a policy: no one is there to answer prompts. */
export const UNGOVERNED =
  'note: no policy applies here, so almost nothing but reading project files is allowed; start with `--preset safe`, or write a policy: `policy init`, `policy allow RULE`';
