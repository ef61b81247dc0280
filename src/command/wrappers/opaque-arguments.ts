/** Words of a wrapper that cannot be analysed: reasons why the line is opaque. */
import type { Invocation, Opaque, ShellWord } from '../../shell/syntax/types.js';
import { opaqueReason } from '../model/words.js';
import type { Unwrapped } from './found.js';
import type { WrapperRule } from './rules.js';

/** Adds a reason for each word of unknown value, except words of an inner command or under the wrapper's own grammar. */
export function noteData(invocation: Invocation, rule: WrapperRule, { inner, own, opaque }: Unwrapped, into: Opaque[]): void {
  // `git commit`, `find` without `-exec`: the command's own grammar judges every word.
  if (inner.length === 0 && (rule.clauses !== null || rule.subcommands !== null || rule.runs === 'option')) return;
  for (const word of invocation.argv) {
    if ((word.data === undefined && word.names === undefined) || own?.includes(word)) continue;
    if (inner.some((one) => one.form === 'words' && one.certain && one.words.includes(word))) continue;
    if (opaque.some(({ code, span }) => code === 'dynamic-script' && span === word.span)) continue;
    into.push(opaqueReason('parameter-expansion', 'A word of a wrapper is only known when the shell runs it.', word.span));
  }
}

/** Adds a reason if the first word of an inner command does not identify a program. */
export function noteName(word: ShellWord, into: Opaque[]): void {
  if (word.value === null || word.tilde)
    into.push(opaqueReason('dynamic-command', 'The name of an inner command is not static.', word.span));
  else if (word.glob) into.push(opaqueReason('glob-command', 'The name of an inner command is a pattern.', word.span));
}
