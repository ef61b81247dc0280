/** Names of agents: normalized for lookup, checked for their form, and made safe to print. */

/** Maximum length of a name that is read, in UTF-16 units; Claude Code truncates nothing, but a name is printed in every line of a log. */
const MAX_LENGTH = 512;

/**
 * Returns the lookup key of an agent: lower case, with every run of characters other than `a-z0-9` replaced by one hyphen, none
 * at the ends. Empty if nothing is left (`日本語`).
 */
export function normalizeName(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** True for a name in the recommended form: kebab-case, ASCII, 1 to 64 characters. */
export function isKebabCase(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** Returns the file name without folder and extension, which is the name of a definition without one. */
export function fileStem(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** Makes untrusted text safe to print: escapes control, direction and line-separator characters, and limits the length. */
export function printable(text: string): string {
  return text
    .slice(0, 200)
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
