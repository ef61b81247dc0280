/**
 * The name in a definition that cannot be parsed as a whole: a runner may read the definition nevertheless, and use that name for
 * the agent.
 */

const FENCE = /^---[ \t\r]*$/m;
const NAME = /^(?:name|"name"|'name')[ \t]*[:=][ \t]*(\S.*)$/gm;
const MOST_CHARACTERS = 16_384;

/**
 * Returns the value of the last line `name: …` in the front matter, or in the whole text if there is none (`form` yaml, toml); of
 * a duplicate key, Claude Code uses the last, too. Null if there is no such line.
 */
export function writtenName(text: string, form: 'markdown' | 'yaml' | 'toml'): string | null {
  const head = text.slice(0, MOST_CHARACTERS).trimStart();
  const source = form === 'markdown' ? frontMatterOf(head) : head;
  const value = [...source.matchAll(NAME)].at(-1)?.[1] ?? '';
  const bare = /^(["'])(.*?)\1/.exec(value)?.[2] ?? value.replace(/\s#.*$/, '');
  return bare.trim() === '' ? null : bare.trim();
}

/**
 * Returns the lines between the fences, or everything after the first if it is never closed; a byte order mark or blank lines may
 * precede it.
 */
function frontMatterOf(head: string): string {
  if (!head.startsWith('---')) return '';
  const inner = head.slice(head.indexOf('\n') + 1);
  const end = FENCE.exec(inner)?.index;
  return inner.slice(0, end);
}
