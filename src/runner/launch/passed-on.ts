/**
 * The arguments of a person that are passed on to the runner: flags that are known to leave the hook, its settings, the permission mode and
 * the sandbox as they are. Everything else is refused: `--bare`, `--pure`, `--disable hooks` and `--ignore-user-config` each start a runner
 * without our hook, and its next version may have more such flags. Flags that add a folder (`--add-dir`, `--include-directories`) are
 * refused, too: the agents of that folder bring MCP servers and hooks of their own (Claude Code 2.1.330, Copilot CLI 1.0.102). Pure.
 */
import { LaunchRefused } from './launch-refused.js';

/** Flags in each of their spellings, with the number of values: none, one, none or one, or at least one, up to the next flag. */
export type PassedOn = Readonly<Record<string, 'none' | 'one' | 'optional' | 'many'>>;

/**
 * Throws LaunchRefused for an argument that is neither such a flag nor its value, and for a flag without the value that it needs:
 * the flag would take the `--` that follows as its value, and the runner would then take the goal, such as `--bare`, for a flag.
 * @param program the command that a person types to start the runner
 */
export function refuseOtherWords(words: readonly string[], passedOn: PassedOn, program: string): void {
  let expected: PassedOn[string] = 'none';
  let waiting: string | null = null;
  for (const word of words) {
    if (!word.startsWith('-') || word === '-') {
      if (expected === 'none') throw refused(word, passedOn, program);
      if (expected !== 'many') expected = 'none';
      waiting = null;
      continue;
    }
    if (waiting !== null) throw withoutValue(waiting);
    const [flag = '', value] = word.split(/=(.*)/s, 2);
    const takes = Object.hasOwn(passedOn, flag) ? passedOn[flag] : undefined;
    if (takes === undefined || (takes === 'none' && value !== undefined)) throw refused(word, passedOn, program);
    expected = value === undefined ? takes : 'none';
    waiting = expected === 'one' || expected === 'many' ? flag : null;
  }
  if (waiting !== null) throw withoutValue(waiting);
}

function withoutValue(flag: string): LaunchRefused {
  return new LaunchRefused(`${flag} needs a value behind it; one that begins with a hyphen is joined to it: ${flag}=VALUE`);
}

function refused(word: string, passedOn: PassedOn, program: string): LaunchRefused {
  const flags = Object.keys(passedOn).join(' ');
  return new LaunchRefused(
    `${JSON.stringify(word)} is not passed on to ${program}: nobody has checked that it leaves the hook and its settings in place; these flags are passed on: ${flags}`,
  );
}
