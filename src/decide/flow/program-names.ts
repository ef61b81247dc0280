/** Words behind a program of the project that could be commands themselves, were it to run what it is given. */

import { tableOf } from '../../command/grammar/lookup.js';
import type { Command } from '../../command/model/command.js';
import { wrapperOf } from '../../command/wrappers/rules.js';
import { triggersOf } from './entries.js';

/** Beyond these nobody looks. */
const MOST_WORDS = 64;
const NAME = /^[\w.,:+[\]-]+$/;
/** Of shells, and of agents and their policy, wherever these are installed. */
const BUILTIN =
  /^(?:\.|policy|claude|codex|gemini|copilot|opencode|qwen|cursor-agent|alias|builtin|command|coproc|enable|eval|exec|function|hash|let|source|trap|unalias)$/;

/** What a shell would look for to run the text; null for one that is no name. */
export function nameIn(text: string): string | null {
  const [first = ''] = text.trim().split(' ');
  return NAME.test(first) ? first : null;
}

/** Answers to a question of yes or no, which do nothing where they are run. */
const SWITCH = /^(?:yes|true|false)$/;

/** Whether policy knows a command, a wrapper or a danger of that name. */
export function isNameOfProgram(word: string): boolean {
  if (SWITCH.test(word)) return false;
  return BUILTIN.test(word) || tableOf(word) !== null || wrapperOf(word) !== undefined || triggersOf(word) !== null;
}

/** The names to look for before such a command is decided; null: too many. */
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
