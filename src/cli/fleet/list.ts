/** A list of repositories, one path per line. A line that cannot be a path is reported in its place, without affecting the others. */

import { folderOf } from '../../audit/fleet/repositories.js';
import { realPath } from '../../disk/real-path.js';
import type { InputLine } from '../terminal/lines.js';

/** A line that names a repository, or the reason why it names none. */
export interface Listed {
  /** As written in the list; the position of the line if it has no text. */
  readonly repository: string;
  readonly problem: string | null;
}

/** Longer than any path of a known operating system. */
const LONGEST = 4_096;
const SHOWN = 80;

/**
 * Yields the entries of a list in order, without blank lines and comments (`#`).
 * @param source the file or `-`, for messages
 * @param home the directory that `~` stands for
 * @param note called for each line that repeats a repository, which is skipped
 */
export async function* listed(
  lines: AsyncIterable<InputLine>,
  { source, home, note }: { readonly source: string; readonly home: string; readonly note: (sentence: string) => void },
): AsyncGenerator<Listed> {
  const first = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const entry = entryOf(line, `${source}:${number}`);
    if (entry?.problem === null) {
      const folder = folderOf(entry.repository, home);
      const key = realPath(folder) ?? folder;
      const before = first.get(key);
      if (before !== undefined) {
        note(`${source}:${number}: ${entry.repository} is already in line ${before}; it is examined once`);
        continue;
      }
      first.set(key, number);
    }
    if (entry !== null) yield entry;
  }
}

/** Returns null for a line that is blank or a comment. */
function entryOf(line: InputLine, place: string): Listed | null {
  if ('problem' in line) return { repository: place, problem: line.problem };
  const text = line.text.trim();
  if (text === '' || text.startsWith('#')) return null;
  const name = text.startsWith('"') ? jsonString(text) : text;
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  if (name === null) return { repository: shown, problem: 'it begins with a quotation mark, but is not a JSON string' };
  const problem = whyNoPath(name, name === text);
  return problem === null ? { repository: name, problem } : { repository: shown, problem };
}

function jsonString(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function whyNoPath(name: string, isPlain: boolean): string | null {
  if (name === '') return 'it names no path';
  if (name.length > LONGEST) return 'it is longer than a path can be';
  if (name.includes('\0')) return 'it has a NUL character, which no path can have';
  if (isPlain && /\p{Cc}/u.test(name)) return 'it has a control character; write such a path as a JSON string';
  if (/^~[^/]/.test(name)) return `only ~/ is known, not other users' home folders; write the full path, or ./${name}`;
  return null;
}
