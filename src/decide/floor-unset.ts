/** Variables that hold nothing, as far as a line shows: `rm -rf "$dir"/*` wipes the disk where nothing set `dir`. */

/** More variables of a line are not looked at. */
const MOST_NAMES = 16;
/** What may set variables without naming them. */
const ELSEWHERE = /(?:^|[\s;&|({])(?:source|\.|eval|set|export)[ \t]/;

/** `unset dir` names a variable, and leaves it empty. */
const UNSETTING = /\bunset(?:[ \t]+-?[A-Za-z_]\w*)+/g;

/**
 * Names in small letters that the line uses and nowhere sets or speaks of. A call is a shell of its own, and what its environment holds
 * is written in capitals (but for proxies, which name no folder).
 */
export function unsetNames(source: string): readonly string[] {
  if (ELSEWHERE.test(source)) return [];
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/\$\{?([a-z_][a-z0-9_]{0,63})(?!\w)/g)) {
    if (names.size >= MOST_NAMES) break;
    if (name !== '_' && !name.endsWith('_proxy')) names.add(name);
  }
  const others = source.replace(UNSETTING, '');
  return [...names].filter((name) => !isSpokenOf(others, name));
}

/** The name stands somewhere without `$` or `${` before it. */
function isSpokenOf(source: string, name: string): boolean {
  const uses = new RegExp(`(?<![\\w$])(?<!\\$\\{)${name}(?!\\w)`);
  return uses.test(source);
}
