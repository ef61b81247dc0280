/** Which command of a line certainly reads the output of the one before it. */
import type { CommandLine, Invocation } from '../../shell/syntax/types.js';

/** Whether the command's output goes into a pipe. */
export function pipesOn({ enclosures, background }: Invocation): boolean {
  return enclosures.at(-1) === 'pipeline' && !background;
}

/**
 * Whether a command's standard input is the output of the command before it in the list: only a `|` is between them, both have the same
 * enclosures and directory, and neither was read more than once (for each value of a loop, or as dash reads a brace list).
 */
export function hasPipedInput({ invocations, source }: CommandLine, at: number): boolean {
  const [earlier, before, own] = [invocations[at - 2], invocations[at - 1], invocations[at]];
  if (before === undefined || own === undefined || !own.piped || earlier?.span.start === before.span.start) return false;
  if (!/^[\s\\]*\|[\s\\]*$/.test(source.slice(before.span.end, own.span.start))) return false;
  return own.enclosures.join() === before.enclosures.join() && isSame(own.directory, before.directory);
}

/** Whether the steps certainly lead to the same directory. */
export function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && other !== null && one.length === other.length && one.every((step, at) => step === other[at]);
}
