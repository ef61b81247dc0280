/** Claude Code's second try at front matter that is no valid YAML: it puts quotes around values. */

const ENTRY = /^([A-Za-z][A-Za-z0-9_-]*):[ \t]+(\S.*)$/;

/**
 * Quotes the plain values of top-level keys that YAML cannot read: `description: when: you review`, `@handle`, `{x} text`.
 * Complete lists, maps, block headers and quoted values stay as they are. Null when there is nothing to quote.
 */
export function quoteValues(yaml: string): string | null {
  let changed = false;
  const lines = yaml.split('\n').map((line) => {
    const [, key, value] = ENTRY.exec(line.trimEnd()) ?? [];
    if (key === undefined || value === undefined || !needsQuotes(value)) return line;
    changed = true;
    return `${key}: ${quoted(value)}`;
  });
  return changed ? lines.join('\n') : null;
}

function needsQuotes(value: string): boolean {
  if (/^["']/.test(value) || /^[|>][+-]?\d?$/.test(value) || /^\[.*\]$/.test(value) || /^\{.*\}$/.test(value)) return false;
  return /^[[\]{}*&!|>%@`,?]/.test(value) || /:(?: |$)/.test(value);
}

/** YAML's single quotes know no escapes but their own doubling. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
