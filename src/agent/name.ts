/** Names of agents: normalised for lookup, the form that they should have, and safe to print. */

/** Longest name that is read, in UTF-16 units; Claude Code cuts nothing, but a name is printed in every line of a log. */
const MAX_LENGTH = 512;

/**
 * The key an agent is found by: lower case, every run of characters other than
 * `a-z0-9` becomes one hyphen, none at the ends. Empty when nothing is left (`日本語`).
 */
export function normalizeName(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** True for a name as it should be written: kebab-case, ASCII, 1 to 64 characters. */
export function isKebabCase(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The file's name without folder and ending: what a definition without a name is called. */
export function fileStem(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** Untrusted text made safe to print: control, direction and line-separator characters escaped, length bounded. */
export function printable(text: string): string {
  return text
    .slice(0, 200)
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
