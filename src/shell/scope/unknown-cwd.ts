/** Words and invocations whose directory turned out to be uncertain; then the directories in their words are uncertain too. */
import type { DataSource, Invocation, ShellWord } from '../syntax/types.js';

/** The same invocation with an unknown directory. */
export function withUnknownCwd(invocation: Invocation): Invocation {
  return { ...invocation, argv: invocation.argv.map(wordWithUnknownCwd), directory: null };
}

/** The same word; if it stands for a directory, its location is unknown. */
export function wordWithUnknownCwd(word: ShellWord): ShellWord {
  const { origin } = word;
  if (origin === undefined || !('directory' in origin.source) || origin.source.directory === null) return word;
  const source: DataSource = { ...origin.source, directory: null };
  return { ...word, origin: { ...origin, source } };
}
