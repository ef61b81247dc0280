/**
 * Recognises quoted texts with `$(`, `${` or a backtick that no shell ever evaluates: arguments of a program that only reads them. Pure.
 */
import type { Command } from '../../command/model/command.js';
import type { Opaque } from '../../shell/syntax/types.js';

/**
 * Whether the quoted text that `opaque` is about stays plain text: an argument of an external program that only reads and whose grammar
 * knows every word of the call. Shell builtins may evaluate such a text (`test -v`, `printf -v`, `[ … -eq … ]`), and so do programs that
 * run others (`make 'X=$(shell …)'`); a later `$_` is asked about anyway. Source: docs/opaque.md, "suspicious-quotes".
 */
export function isLiteralArgument({ code, span }: Opaque, commands: readonly Command[]): boolean {
  if (code !== 'suspicious-quotes') return false;
  for (const command of commands) {
    const { argv } = command.invocation;
    const at = argv.findIndex((word) => word.span.start === span.start && word.span.end === span.end);
    if (at > 0) return argv[at]?.value !== null && argv[at]?.glob === false && isReadOnly(command);
  }
  return false;
}

/** git and gh commands pass texts on unchanged too (messages, bodies of pull requests); anything that they run is an issue. */
const PASSES_ARGUMENTS_THROUGH = new Set(['git', 'gh']);
/** The only builtin that never evaluates its words again, in any shell. */
const INERT_BUILTIN = 'echo';
/** Builtins of bash, dash, ksh and zsh whose words may be names or expressions. */
const BUILTINS = new Set(
  (
    '. : [ [[ alias autoload bg bind break builtin bye caller cd chdir command compctl compgen complete compopt continue declare ' +
    'dirs disable disown echotc enable eval exec exit export false fc fg float functions getopts hash help history integer jobs ' +
    'kill let limit local logout mapfile popd print printf pushd pwd read readarray readonly rehash return sched set setopt shift ' +
    'shopt source stat suspend test times trap true type typeset ulimit umask unalias unfunction unhash unlimit unset unsetopt ' +
    'vared wait whence where which zcompile zle zmodload zparseopts zstyle'
  ).split(' '),
);

function isReadOnly({ name, wrapper, inner, verdict }: Command): boolean {
  if (name === null || wrapper !== null || inner.length > 0 || !verdict.known || verdict.issues.length > 0) return false;
  if (PASSES_ARGUMENTS_THROUGH.has(name) || name === INERT_BUILTIN) return true;
  return !BUILTINS.has(name) && verdict.effects.every(({ action }) => action === 'read');
}
