/** Agent definitions and settings that could not be read: a coding agent may read them all the same, so their contents are unknown. */
import { parseFile } from '../../lint/files/files.js';
import type { SourceFile } from '../../lint/files/read-files.js';

/** Problems of files that only lie beside definitions: no coding agent takes these files for a definition. */
const NO_DEFINITION: ReadonlySet<string> = new Set(['agent/no-front-matter', 'agent/front-matter-toml']);

/**
 * Why lint cannot read a file that a coding agent may load, as a sentence; null for every other file. Which broken front matter is loaded
 * depends on the version: of a duplicate key the last one applies, and Claude Code 2.1.330 skips a byte order mark, which 2.1.197 did not.
 */
export function whyUnread(source: SourceFile): string | null {
  const { kind, text, problem } = source;
  if (kind.kind !== 'agent' && kind.kind !== 'config') return null;
  if (text === null) return problem?.message ?? 'It cannot be read.';
  if (kind.kind !== 'agent' || kind.guessed === true) return null;
  const file = parseFile(source);
  if (file.kind !== 'agent' || file.data !== null) return null;
  const first = file.problems.find(({ severity }) => severity === 'error');
  if (first === undefined) return 'It cannot be read.';
  return NO_DEFINITION.has(first.code) ? null : first.message;
}
