/** Builds a guard's ruling: it has no rule, and its reason points to the path. */
import type { Ruling } from '../ruling/combine.js';
import type { PathReference } from './path-references.js';

export function guardRuling(effect: 'deny' | 'ask', code: string, message: string, { span }: PathReference): Ruling {
  return { effect, rule: null, reason: span === null ? { code, message } : { code, message, span } };
}
