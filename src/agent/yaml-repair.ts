/** Claude Code's second attempt at front matter that is not valid YAML: it puts quotes around values. */

const ENTRY = /^([A-Za-z][A-Za-z0-9_-]*):[ \t]+(\S.*)$/;

/**
 * Quotes the plain values of top-level keys that YAML cannot parse: `description: when: you review`, `@handle`, `{x} text`.
 * Complete lists, maps, block headers and quoted values stay unchanged. Null if there is nothing to quote.
 */
export function quoteValues(yaml: string): string | null {
  let changed = false;
  const lines = yaml.split('\n').map((line) => {
    const [, key, value] = ENTRY.exec(line.trimEnd()) ?? [];
    if (key === undefined || value === undefined || !needsQuotes(value)) return line;
    changed = true;
    return `${key}: ${inSingleQuotes(value)}`;
  });
  return changed ? lines.join('\n') : null;
}

/** Whether Claude Code accepts a text that is not valid YAML: it treats tabs as indentation, and NUL as a character. */
export function isReadByClaude(yaml: string, parses: (text: string) => boolean): boolean {
  const text = yaml.replaceAll('\0', '').replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '));
  if (text === yaml) return false;
  const quoted = quoteValues(text);
  return parses(text) || (quoted !== null && parses(quoted));
}

function needsQuotes(value: string): boolean {
  if (/^["']/.test(value) || /^[|>][+-]?\d?$/.test(value) || isOneCollection(value)) return false;
  return /^[[\]{}*&!|>%@`,?]/.test(value) || /:(?: |$)/.test(value);
}

/** `[a, b]` and `{ a: b }`, as opposed to `[first] [second]`: the opening bracket is closed at the end. */
function isOneCollection(value: string): boolean {
  const close = value.startsWith('[') ? ']' : value.startsWith('{') ? '}' : null;
  if (close === null || !value.endsWith(close)) return false;
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === value[0]) depth += 1;
    else if (value[at] === close) depth -= 1;
    if (depth === 0) return at === value.length - 1;
  }
  return true;
}

/** In YAML's single quotes, the only escape is a doubled quote. */
function inSingleQuotes(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
