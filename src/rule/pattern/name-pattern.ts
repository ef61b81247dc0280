/** Patterns over names and other plain texts (agents, skills, queries): exact, or with wildcards. */

/** A compiled name pattern: the text is covered or met when one of the globs matches it; plain data. */
export interface NamePattern {
  readonly globs: readonly string[];
}

/**
 * Compiles `reviewer`, `re*`, `demo:*` and `demo *` (`Skill(demo:*)` is the skill with any arguments). For ask and deny, `demo:*`
 * also meets names below it, such as `demo:sub`.
 */
export function compileName(pattern: string, effect: 'cover' | 'meet'): NamePattern {
  if (!pattern.endsWith('*')) return { globs: [pattern] };
  const base = pattern.replace(/(?::\*|\s+\*+)$/, '');
  if (base === pattern || base === '') return { globs: [pattern] };
  const spaced = `${base} *`;
  return { globs: effect === 'cover' || !pattern.endsWith(':*') ? [base, spaced] : [base, spaced, pattern] };
}
