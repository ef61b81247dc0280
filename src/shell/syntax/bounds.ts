/** How much of a line the parser gets: up to the nesting depth that people write, found by counting brackets, quoted or not. */

/** Shorter lines cannot be slow: the parser has its own limit on depth. */
const SHORT = 256;
/** At most this many nested expansions; the parser reads the text of each once for every level around it. */
const MAX_OPEN = 64;
/** At most this many here-documents: for each, the parser searches the rest of the line for its end. */
const MAX_HERE_DOCS = 4096;

const DOLLAR = 36;
const PARENTHESIS = 40;
const CLOSING_PARENTHESIS = 41;
const LESS = 60;
const GREATER = 62;
const BRACE = 123;
const CLOSING_BRACE = 125;

/**
 * The line up to where it has more unclosed expansions, or more here-documents, than anybody writes; usually all of it. The rest
 * is never allowed, and deny rules still see the part before it.
 */
export function readableStart(source: string): string {
  if (source.length <= SHORT) return source;
  let braces = 0;
  let parentheses = 0;
  let hereDocs = 0;
  let before = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === BRACE) braces += before === DOLLAR ? 1 : 0;
    else if (code === PARENTHESIS) parentheses += before === DOLLAR || before === LESS || before === GREATER ? 1 : 0;
    else if (code === CLOSING_BRACE && braces > 0) braces -= 1;
    else if (code === CLOSING_PARENTHESIS && parentheses > 0) parentheses -= 1;
    else if (code === LESS && before === LESS) hereDocs += 1;
    if (braces > MAX_OPEN || parentheses > MAX_OPEN || hereDocs > MAX_HERE_DOCS) return source.slice(0, at);
    before = code;
  }
  return source;
}
