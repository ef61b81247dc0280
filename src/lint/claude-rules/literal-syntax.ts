/** Signs of other pattern languages in a rule about commands, where only `*` is special. */

/** Why a pattern is about no command that anybody runs; null if it may be about one. `lists`: commands with a list in braces are not compared. */
export function foreignPattern(pattern: string, lists: 'literal' | 'never'): string | null {
  if (/^\^|^\.\*.|^\/[^*\s/]*\/$/.test(pattern)) return 'patterns are no regular expressions: only * is special';
  const plain = pattern.replace(/"[^"]*"|'[^']*'/g, '');
  if (/["'`[]|\bcase\b/.test(plain)) return null;
  if (/(?:^|[\w-])[ ]?\([^()|]*\|[^()]*\)/.test(plain.replace(/[$<>]\([^()]*\)/g, '')))
    return 'alternatives are plain characters: write one rule for each of them';
  if (!/(?<!\$)\{[^{}]*,[^{}]*\}/.test(plain)) return null;
  return lists === 'never'
    ? 'a list in braces is never compared with an allow rule: write one rule for each of its words'
    : 'braces are plain characters, so it is only about commands with the braces in them: write one rule for each of the words';
}
