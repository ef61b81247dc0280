/**
 * Files that a prompt mentions with `@`. Claude Code, Gemini CLI and Qwen Code put them into what they send, before any hook is asked.
 */

/** More are not looked through. */
const MOST = 10_000;
/** An `@`, and what follows it: in quotes, else up to a blank that no backslash precedes. No path is longer. */
const MENTION = /@(?=(?:"([^"\n]{1,4096})"|((?:\\.|[^\s\\"]){1,4096})))/g;
/** What may end a path, beside a blank. */
const STOP = /[,;()[\]{}<>|'`].*$/s;
/** What ends a sentence, or names lines of a file, is seldom a part of a path. */
const TAIL = /(?:#L?\d[\dL-]{0,40}|:\d[\d:-]{0,40}|[.:!?*_]{1,16})$/;

/**
 * What may be the path of a file that the prompt mentions, in every reading: `@src/x.ts:10, …` is `src/x.ts:10,`, `src/x.ts:10`, and
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
 * The prompt with every `@` behind a backslash, which keeps Gemini CLI (0.61) and Qwen Code (0.24.4) from reading what is mentioned. That of
 * an address, too: to them `ann@corp.com` mentions the file `corp.com`, and Gemini CLI then looks for any file with that in its name. Only
 * before a blank, or a character with which neither lets a path begin, it is none.
 */
export function withoutMentions(prompt: string): string {
  return prompt.replace(/@(?![ \t\r\n,;!?()[\]{}]|$)/g, '\\@');
}

/** What is said of it; null where nothing was mentioned. */
export function mentionNote(prompt: string, client: string): string | null {
  return /(?:^|\s)@[\w./~"-]/.test(prompt)
    ? `${client} is kept from reading what the goal mentions with @, which no hook would judge; the agent may read it by calls`
    : null;
}
