/** Words and invocations whose directory is not certain after all: then neither is that of the folders in their words. */
import type { DataSource, Invocation, ShellWord } from '../syntax/types.js';

/** An invocation that runs nobody knows where. */
export function withUnknownCwd(invocation: Invocation): Invocation {
  return { ...invocation, argv: invocation.argv.map(wordWithUnknownCwd), directory: null };
}

/** A word that stands for a folder, if any, of which nobody knows where it is. */
export function wordWithUnknownCwd(word: ShellWord): ShellWord {
  const { origin } = word;
  if (origin === undefined || !('directory' in origin.source) || origin.source.directory === null) return word;
  const source: DataSource = { ...origin.source, directory: null };
  return { ...word, origin: { ...origin, source } };
}
