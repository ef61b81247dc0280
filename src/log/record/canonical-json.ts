/** The canonical JSON text of a value (RFC 8785): members sorted, no spaces; so that equal inputs have equal digests. */

/**
 * Returns `value` (as returned by JSON.parse) in canonical form. Works without recursion, since a payload may be nested as deep
 * as it is long. Writes null for values that JSON does not have (undefined, functions).
 */
export function canonicalJson(value: unknown): string {
  // Most inputs are a few strings and numbers; for these, a list of names is all that JSON.stringify needs.
  if (isFlat(value)) return JSON.stringify(value, Object.keys(value).sort());
  const parts: string[] = [];
  const pending: Part[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (Array.isArray(next.value)) pushReversed(pending, arrayParts(next.value));
    else if (typeof next.value === 'object' && next.value !== null) pushReversed(pending, canonicalMembers(next.value));
    else parts.push(JSON.stringify(next.value) ?? 'null');
  }
  return parts.join('');
}

/** Whether a value is an object without nested arrays and objects. */
function isFlat(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const key in value) {
    const member: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (typeof member === 'object' ? member !== null : member === undefined) return false;
  }
  return true;
}

type Part = string | { readonly value: unknown };

function arrayParts(items: readonly unknown[]): Part[] {
  const parts: Part[] = ['['];
  items.forEach((value, index) => {
    if (index > 0) parts.push(',');
    parts.push({ value });
  });
  parts.push(']');
  return parts;
}

/** Returns the members of an object in the order of RFC 8785. */
function canonicalMembers(object: object): Part[] {
  const parts: Part[] = ['{'];
  const members = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  members.forEach(([key, value], index) => {
    parts.push(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`, { value });
  });
  parts.push('}');
  return parts;
}

function pushReversed(pending: Part[], parts: readonly Part[]): void {
  for (let index = parts.length - 1; index >= 0; index -= 1) pending.push(parts[index] ?? '');
}
