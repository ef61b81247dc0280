/** Whether a path known only at run time may be protected or secret, according to the line's own texts. */

import { absolutePath } from '../place/place.js';
import { protectedGlob } from '../place/protected-glob.js';
import { protectedPath, secretPath } from '../place/sensitive-paths.js';
import type { Facts } from '../ruling/facts.js';
import type { PossibleValues } from './possible-values.js';
import { possibleExpansions } from './possible-words.js';

/** The placeholders for arguments from xargs and `find -exec`. */
export const RUNTIME_ARGUMENT = /^(?:\u2026|\{\})$/;

/** The reason why this path may be protected (for a write) or secret (for a read); null if nothing in the line suggests it. */
export function mayReferToGuardedPath(text: string, writes: boolean, values: PossibleValues, facts: Facts): string | null {
  if (!values.mayFollow()) return `${text} comes after too many words to be analysed`;
  for (const one of RUNTIME_ARGUMENT.test(text) ? values.soughtNames() : possibleExpansions(text, values)) {
    for (const word of one.split(/[\s:]+/)) {
      const path = absolutePath(word, facts.home, facts.project);
      const pattern = writes ? writtenPattern(path, facts) : secretPath(path, facts.home);
      if (pattern !== null) return `${text} may be ${word}, and ${pattern} ${writes ? 'is protected' : 'may hold secrets'}`;
    }
  }
  return null;
}

/** Only patterns that begin like a name are considered: one that begins with a wildcard may match anything. */
function writtenPattern(path: string, facts: Facts): string | null {
  const named = protectedPath(path, facts.home, facts.ownDirectories);
  if (named !== null) return named.pattern;
  const first = path.search(/[*?[]/);
  return first > 0 && path.charAt(first - 1) !== '/' ? (protectedGlob(path, facts, false, false)?.pattern ?? null) : null;
}
