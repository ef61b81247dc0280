/** Rules that allow a whole family of commands: which family, and why the wildcard covers it. */

import { data } from '../../generated/data.js';
import { shown } from '../../policy/sentences.js';
import { programOf } from '../claude-rules/open-command.js';
import type { LintProject } from '../project/project.js';
import type { Report } from '../project/rule.js';
import { judgeFor } from './judge.js';
import { openGrants, openWords } from './open-grants.js';

const FAMILIES = ['interpreter', 'destructive', 'network', 'package-manager', 'privileged'] as const;
export type CommandFamily = (typeof FAMILIES)[number];

/** Entries of rules/wide-commands.yaml by their words. */
const families = new Map(
  FAMILIES.map((family) => [family, new Set((data('wide-commands') as Readonly<Record<CommandFamily, string[]>>)[family])]),
);

/** Words before a command that do not change what it can do. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'nohup', 'time', 'command', 'exec', 'nice', 'stdbuf']);

/** Returns one report for each grant of a project that opens a command of the family. */
export function wideGrants(
  project: LintProject,
  family: CommandFamily,
  sentence: (command: string) => string,
  more: (command: string) => Partial<Report> = () => ({}),
): Report[] {
  return openGrants(project).flatMap(({ prefixes, text, at }) => {
    const opened = prefixes.map((words) => openedCommand(words, family) ?? (family === 'privileged' ? asRoot(words) : null));
    const isHarmless = (words: readonly string[] = []) =>
      words.length > 1 && judgeFor(project).bySafe(`${words.join(' ')} x`).decision === 'allow';
    const command = opened.find((one, index) => one !== null && !isHarmless(prefixes[index]));
    // `command -v *` runs nothing.
    return command === undefined || command === null
      ? []
      : [{ at, message: `${shown(text)} ${sentence(command)}`, ...more(command) }];
  });
}

/** `sudo apt install *` is also an open-ended sudo; if a rule about the command itself is more specific, that one is enough. */
function asRoot(words: readonly string[]): string | null {
  const [first = ''] = words;
  const isTold = FAMILIES.some((family) => family !== 'package-manager' && openedCommand(words, family) !== null);
  return /^(?:sudo|doas)$/.test(first) && !isTold ? first : null;
}

/** Returns the command of a family that a pattern with a final wildcard opens; null for any other pattern. */
export function commandOpenedBy(pattern: string, family: CommandFamily): string | null {
  const words = openWords(pattern);
  return words === null ? null : openedCommand(words, family);
}

/** Returns the command of a family at the start of `words` if only options and wildcards follow it. */
function openedCommand(words: readonly string[], family: CommandFamily): string | null {
  const entries = families.get(family);
  for (let skip = 0; skip < words.length; skip++) {
    for (let count = Math.min(3, words.length - skip); count > 0; count--) {
      const command = [programOf(words[skip] ?? ''), ...words.slice(skip + 1, skip + count)].join(' ');
      if (entries?.has(command) && words.slice(skip + count).every(isFree)) return command;
    }
    const word = words[skip] ?? '';
    if (!PREFIXES.has(word) && !/^[A-Za-z_]\w*=/.test(word)) return null;
  }
  return null;
}

/** An option, a wildcard or an opening quote does not determine what is run; a file name, a folder or a subcommand does. */
function isFree(word: string): boolean {
  return word.startsWith('-') || /^["']*(?:\*|$)/.test(word);
}
