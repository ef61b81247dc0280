/** Definitions of agents, and settings, that nobody could read: a coding agent may read them all the same, so what they say is unknown. */
import { parseFile } from '../../lint/files/files.js';
import type { SourceFile } from '../../lint/files/read-files.js';

/** Notes that lie beside definitions: no coding agent takes them for one. */
const NO_DEFINITION: ReadonlySet<string> = new Set(['agent/no-front-matter', 'agent/front-matter-toml']);

/**
 * Why a file that a coding agent may load says nothing to lint, as a sentence; null for every other. Which broken front matter is loaded
 * differs by version: of a key that stands twice the last counts, and Claude Code 2.1.330 skips a byte order mark, which 2.1.197 did not.
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
