/** Which command of a line certainly reads what the one before it prints. */
import type { CommandLine, Invocation } from '../../shell/syntax/types.js';

/** What it prints goes into a pipe. */
export function pipesOn({ enclosures, background }: Invocation): boolean {
  return enclosures.at(-1) === 'pipeline' && !background;
}

/**
 * Whether a command's standard input is the output of the one that stands before it in the list: only a `|` is between them, both stand
 * in the same place and folder, and neither was read more than once (for each value of a loop, or as dash reads a brace list).
 */
export function hasPipedInput({ invocations, source }: CommandLine, at: number): boolean {
  const [earlier, before, own] = [invocations[at - 2], invocations[at - 1], invocations[at]];
  if (before === undefined || own === undefined || !own.piped || earlier?.span.start === before.span.start) return false;
  if (!/^[\s\\]*\|[\s\\]*$/.test(source.slice(before.span.end, own.span.start))) return false;
  return own.enclosures.join() === before.enclosures.join() && isSame(own.directory, before.directory);
}

/** Whether steps lead to the same folder for certain. */
export function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && other !== null && one.length === other.length && one.every((step, at) => step === other[at]);
}
