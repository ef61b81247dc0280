/** The form of a guard's ruling: no rule stands behind it, and its reason points at the path. */
import type { Ruling } from '../ruling/combine.js';
import type { PathReference } from './path-references.js';

export function guardRuling(effect: 'deny' | 'ask', code: string, message: string, { span }: PathReference): Ruling {
  return { effect, rule: null, reason: span === null ? { code, message } : { code, message, span } };
}
