/** How runners transform the text of a path before they open it: an unusual path may lead to a different file than the one it spells. */

/**
 * Each step is a transformation seen in some runner: Claude Code (2.1) and Qwen Code (0.24) trim blanks at the ends, Claude Code composes
 * letters with their accents, Qwen Code removes backslashes, Gemini CLI (0.61) drops NULs and a leading `@` and decodes percent escapes.
 * HFS+ ignores characters in names that only control how others are displayed. Versions and runners differ, so every combination is tried.
 */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(IGNORED, ''),
  (text) => text.trim() || '.',
  (text) => text.replace(/^@[\\/]*(?=.)/s, ''),
  (text) => (WINDOWS.test(text) ? text : text.replace(/\\(.)/gs, '$1')),
  decoded,
  (text) => text.normalize('NFC'),
];

/** Nearly no path contains any of these. */
const ODD = /^[\s@]|\s$|[\0\\%]|[^\0-\x7f]/;
const IGNORED = /[\0\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const WINDOWS = /^[A-Za-z]:[\\/]/;

/** Returns every text that a runner may read a path as: the text itself first, then the results of the steps. */
export function pathReadings(text: string): readonly string[] {
  if (!ODD.test(text)) return [text];
  const readings = new Set([text]);
  for (const step of STEPS) for (const reading of [...readings]) readings.add(step(reading));
  return [...readings];
}

/** The text with percent escapes decoded; unchanged if they are malformed. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
