/** Words after one of the project's own programs that could be commands if it ran its arguments. */

import { tableOf } from '../../command/grammar/lookup.js';
import type { Command } from '../../command/model/command.js';
import { wrapperOf } from '../../command/wrappers/rules.js';
import { triggersOf } from './entries.js';

/** If there are more words, they are not examined. */
const MOST_WORDS = 64;
const NAME = /^[\w.,:+[\]-]+$/;
/** Names of shell builtins, and of agents and their policy command, wherever they are installed. */
const BUILTIN =
  /^(?:\.|policy|claude|codex|gemini|copilot|opencode|qwen|cursor-agent|alias|builtin|command|coproc|enable|eval|exec|function|hash|let|source|trap|unalias)$/;

/** The name that a shell would look up to run the text; null if it is not a name. */
export function nameIn(text: string): string | null {
  const [first = ''] = text.trim().split(' ');
  return NAME.test(first) ? first : null;
}

/** Answers to a yes/no question, which do nothing when run. */
const SWITCH = /^(?:yes|true|false)$/;

/** Whether the grammars, wrappers or built-in denials include a command with that name. */
export function isNameOfProgram(word: string): boolean {
  if (SWITCH.test(word)) return false;
  return BUILTIN.test(word) || tableOf(word) !== null || wrapperOf(word) !== undefined || triggersOf(word) !== null;
}

/** The names to look up before such a command is decided; null if there are too many. */
export function namesToFind({ invocation: { argv }, verdict }: Command): readonly string[] | null {
  const starts =
    verdict.work !== undefined || verdict.script !== undefined || verdict.effects.some(({ action }) => action === 'execute');
  if (!starts && argv[0]?.value?.includes('/') !== true) return [];
  if (argv.length > MOST_WORDS) return null;
  return argv.slice(1).flatMap(({ value }) => {
    const name = value === null ? null : nameIn(value.startsWith('-') ? value.replace(/^[^=]*=/, '') : value);
    return name === null || name.startsWith('-') || isNameOfProgram(name) ? [] : [name];
  });
}
