/**
 * Which words of a person go on to the runner: flags that are known to leave the hook, its settings, the permission mode and the
 * sandbox as they are. Everything else is refused: `--bare`, `--pure`, `--disable hooks` and `--ignore-user-config` each start a client
 * without our hook, and its next version may have more of them. Pure.
 */
import { LaunchRefused } from './launch-refused.js';

/** Flags by any of their spellings, each with what it takes: no value, one, or any number up to the next flag. */
export type PassedOn = Readonly<Record<string, 'none' | 'one' | 'many'>>;

/** Throws LaunchRefused for a word that is no such flag, nor its value. @param program what a person types to start the runner */
export function refuseOtherWords(words: readonly string[], passedOn: PassedOn, program: string): void {
  let expected: 'none' | 'one' | 'many' = 'none';
  for (const word of words) {
    if (!word.startsWith('-') || word === '-') {
      if (expected === 'none') throw refused(word, passedOn, program);
      if (expected === 'one') expected = 'none';
      continue;
    }
    const [flag = '', value] = word.split(/=(.*)/s, 2);
    const takes = Object.hasOwn(passedOn, flag) ? passedOn[flag] : undefined;
    if (takes === undefined || (takes === 'none' && value !== undefined)) throw refused(word, passedOn, program);
    expected = value === undefined ? takes : 'none';
  }
}

function refused(word: string, passedOn: PassedOn, program: string): LaunchRefused {
  const flags = Object.keys(passedOn).join(' ');
  return new LaunchRefused(
    `${JSON.stringify(word)} is not passed on to ${program}: nobody has checked that it leaves the hook and its settings in place; these flags are passed on: ${flags}`,
  );
}
