/** Texts inside inputs: links in a sentence, the folder in which a glob starts, a list of words as one command line. */

const SPACE_OR_QUOTE = /[\s"'<>`]/;
/** The maximum length of a scheme before `://`. */
const MAX_SCHEME = 20;

/** Returns every `scheme://…` in a text, in order; linear in its length. Closing brackets and full stops at the end are dropped. */
export function linksIn(text: string): string[] {
  const links: string[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    let start = at;
    while (start > 0 && at - start < MAX_SCHEME && /[A-Za-z0-9+.-]/.test(text.charAt(start - 1))) start--;
    let end = at + 3;
    while (end < text.length && !SPACE_OR_QUOTE.test(text.charAt(end))) end++;
    if (start < at) links.push(trimEnd(text.slice(start, end)));
    at = end - 3;
  }
  return links;
}

function trimEnd(link: string): string {
  let end = link.length;
  while (end > 0 && ')]}.,;:!?'.includes(link.charAt(end - 1))) end--;
  return link.slice(0, end);
}

/**
 * The folder that contains a glob's matches, joined to the folder of the search; `/` if the glob may lead anywhere (a brace list
 * that leads out).
 */
export function globFolder(glob: string, base: string): string {
  const meta = glob.search(/[*?[{]/);
  const rest = meta < 0 ? '' : glob.slice(meta);
  if (/(?:^|[/{,])(?:\.\.|~)(?:[/,}]|$)/.test(rest) || /[{,]\//.test(rest)) return '/';
  const literal = meta < 0 ? glob : glob.slice(0, meta);
  const folder = meta < 0 ? literal : literal.slice(0, literal.lastIndexOf('/') + 1);
  if (folder.startsWith('/') || folder.startsWith('~')) return folder;
  const relative = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  if (base === '.') return relative === '' ? '.' : relative;
  return relative === '' ? base : `${base}/${relative}`;
}
