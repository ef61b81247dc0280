/** The name in a definition that cannot be read as a whole: a runner may read it all the same, and ask for the agent by that name. */

const FENCE = /^---[ \t\r]*$/m;
const NAME = /^(?:name|"name"|'name')[ \t]*[:=][ \t]*(\S.*)$/gm;
const MOST_CHARACTERS = 16_384;

/**
 * The value of the last line `name: …` of the front matter, or of the whole text where there is none (`form` yaml, toml); of a key that is
 * written twice Claude Code takes the last, too. Null when there is no such line.
 */
export function writtenName(text: string, form: 'markdown' | 'yaml' | 'toml'): string | null {
  const head = text.slice(0, MOST_CHARACTERS).trimStart();
  const source = form === 'markdown' ? frontMatterOf(head) : head;
  const value = [...source.matchAll(NAME)].at(-1)?.[1] ?? '';
  const bare = /^(["'])(.*?)\1/.exec(value)?.[2] ?? value.replace(/\s#.*$/, '');
  return bare.trim() === '' ? null : bare.trim();
}

/** Lines between the fences, or all behind the first where it is never closed; a byte order mark or blank lines may stand before. */
function frontMatterOf(head: string): string {
  if (!head.startsWith('---')) return '';
  const inner = head.slice(head.indexOf('\n') + 1);
  const end = FENCE.exec(inner)?.index;
  return inner.slice(0, end);
}
