/** Inner commands as invocations: the words of a wrapper, or a command of a script that a shell reads. */

import { certainSteps } from '../../shell/scope/cwd.js';
import { wordWithUnknownCwd } from '../../shell/scope/unknown-cwd.js';
import type { Invocation, Span } from '../../shell/syntax/types.js';
import { spanOf } from '../model/words.js';
import type { Inner } from './found.js';
import type { WrapperRule } from './rules.js';

/** The inner words as a separate invocation; redirections and assignments of the wrapper stay with the wrapper. */
export function wordsInvocation(inner: Inner & { readonly form: 'words' }, outer: Invocation, rule: WrapperRule): Invocation {
  return {
    argv: inner.words,
    assignments: inner.assignments,
    redirections: [],
    enclosures: outer.enclosures,
    background: outer.background,
    piped: outer.piped && rule.kind !== 'appending',
    directory: directoryFrom(outer.directory, inner.directory),
    span: spanOf(inner.words, outer.span),
  };
}

/** A command of an inner script, moved to the position of the script's word and into the surroundings of the shell that reads it. */
export function movedInvocation(
  invocation: Invocation,
  span: Span,
  outer: Invocation,
  directory: readonly string[] | null,
): Invocation {
  // Directories in its words are relative to where the script starts.
  const isMoved = directory === null || directory.length > 0 || outer.directory === null || outer.directory.length > 0;
  return {
    argv: invocation.argv.map((word) => ({ ...(isMoved ? wordWithUnknownCwd(word) : word), span })),
    assignments: invocation.assignments.map((assignment) => ({ ...assignment, span })),
    redirections: invocation.redirections.map((redirection) => ({
      ...redirection,
      target: redirection.target === null ? null : { ...redirection.target, span },
      span,
    })),
    enclosures: outer.enclosures.length === 0 ? invocation.enclosures : [...outer.enclosures, ...invocation.enclosures],
    background: outer.background || invocation.background,
    piped: outer.piped || invocation.piped,
    directory: directoryFrom(directoryFrom(outer.directory, directory), certainSteps(invocation.directory)),
    span,
  };
}

function directoryFrom(outer: readonly string[] | null, inner: readonly string[] | null): readonly string[] | null {
  if (outer === null || inner === null) return null;
  return inner.length === 0 ? outer : [...outer, ...inner];
}
