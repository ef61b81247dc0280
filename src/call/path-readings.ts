/** What runners make of the text of a path before they open it: an unusual one may name another file than the one that it spells. */

/**
 * Each step is what some runner was seen to do: Claude Code (2.1) and Qwen Code (0.24) cut off blanks at the ends, Claude Code composes
 * letters and their accents, Qwen Code takes out backslashes, Gemini CLI (0.61) drops NULs and a leading `@` and undoes percent escapes.
 * Names on HFS+ do without the characters that only direct how others are shown. Versions and runners differ, so every combination counts.
 */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(IGNORED, ''),
  (text) => text.trim() || '.',
  (text) => text.replace(/^@[\\/]*(?=.)/s, ''),
  (text) => (WINDOWS.test(text) ? text : text.replace(/\\(.)/gs, '$1')),
  decoded,
  (text) => text.normalize('NFC'),
];

/** Nearly no path holds anything of this. */
const ODD = /^[\s@]|\s$|[\0\\%]|[^\0-\x7f]/;
const IGNORED = /[\0\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const WINDOWS = /^[A-Za-z]:[\\/]/;

/** Every text that a runner may take a path for: the text itself first, then what the steps make of it. */
export function pathReadings(text: string): readonly string[] {
  if (!ODD.test(text)) return [text];
  const readings = new Set([text]);
  for (const step of STEPS) for (const reading of [...readings]) readings.add(step(reading));
  return [...readings];
}

/** Without its percent escapes; as it is when they are broken. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
