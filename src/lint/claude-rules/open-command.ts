/** Commands that an allow rule of Claude Code's settings leaves open after their first words. */
import type { ClaudeRule } from './rule.js';

/** Returns the words before the final wildcard of an allow rule for Bash; null for any other rule. */
function openWords({ effect, canonical, reach }: ClaudeRule): readonly string[] | null {
  if (effect !== 'allow' || canonical !== 'Bash') return null;
  const words =
    reach.kind === 'prefix' ? reach.text : reach.kind === 'wildcard' ? /^([^*\\]+?) ?\*+$/.exec(reach.text)?.[1] : undefined;
  return words === undefined ? null : words.split(/\s+/);
}

/** Returns the program that a rule lets run with any arguments; null for a rule that names a file, a subcommand or an option. */
export function openProgram(rule: ClaudeRule): string | null {
  const words = openWords(rule);
  return words === null || words.length !== 1 ? null : programOf(words[0] ?? '');
}

/** `/usr/bin/python3.11` as `python3`. */
export function programOf(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return /^(python[23]?)[.\d]*$/.exec(name)?.[1] ?? name;
}
