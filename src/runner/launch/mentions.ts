/**
 * Files that a prompt mentions with `@`. Claude Code, Gemini CLI and Qwen Code include their contents in the prompt before any
 * hook is asked.
 */

/** Maximum number of mentions; with more, mentionedPaths returns null. */
const MOST = 10_000;
/**
 * Matches an `@` and what follows it: a quoted string, or anything up to a blank without a backslash. Paths have at most 4096 characters.
 */
const MENTION = /@(?=(?:"([^"\n]{1,4096})"|((?:\\.|[^\s\\"]){1,4096})))/g;
/** A character other than a blank that may end a path, and everything after it. */
const STOP = /[,;()[\]{}<>|'`].*$/s;
/** The end of a sentence or a reference to lines of a file, which is seldom part of a path. */
const TAIL = /(?:#L?\d[\dL-]{0,40}|:\d[\d:-]{0,40}|[.:!?*_]{1,16})$/;

/**
 * Returns all possible paths of the files that the prompt mentions: `@src/x.ts:10, …` may be `src/x.ts:10,`, `src/x.ts:10` or
 * `src/x.ts`. Null: there are too many.
 */
export function mentionedPaths(prompt: string): readonly string[] | null {
  const found = new Set<string>();
  let count = 0;
  for (const [, quoted, plain = ''] of prompt.matchAll(MENTION)) {
    count += 1;
    if (count > MOST) return null;
    const whole = quoted ?? plain.replace(/\\(.)/g, '$1');
    const stopped = whole.replace(STOP, '');
    for (const path of [
      whole,
      whole.replace(TAIL, ''),
      stopped,
      stopped.replace(TAIL, ''),
      stopped.replace(TAIL, '').replace(TAIL, ''),
    ])
      if (path !== '') found.add(path);
  }
  return [...found];
}

/**
 * Returns the prompt with a backslash before every `@`, which keeps Gemini CLI (0.61) and Qwen Code (0.24.4) from reading the files it
 * mentions. This includes the `@` of an email address: to them `ann@corp.com` mentions the file `corp.com`, and Gemini CLI then looks for
 * any file with that in its name. An `@` before a blank, or before a character that begins no path for either of them, is left alone.
 */
export function withoutMentions(prompt: string): string {
  return prompt.replace(/@(?![ \t\r\n,;!?()[\]{}]|$)/g, '\\@');
}

/** Returns the note about this for the person; null if the prompt mentions nothing. */
export function mentionNote(prompt: string, client: string): string | null {
  return /(?:^|\s)@[\w./~"-]/.test(prompt)
    ? `${client} is kept from reading what the goal mentions with @, which no hook would judge; the agent may read it by calls`
    : null;
}
