/** New rules that would mean nothing: what they are about is decided as before. */
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import type { EditedLayer } from './rule-edit-target.js';
import type { ChangedCall } from './rule-preview.js';

/** Why a new rule would change nothing, with what is in its way; null when it changes something, or may elsewhere or at another time. */
export function whyIdle(rule: PermissionRule, changes: readonly ChangedCall[], layer: EditedLayer): string | null {
  return outranked(rule, changes) ?? unheard(rule, changes, layer);
}

/** A stricter rule of any layer covers what the rule is about. */
function outranked(rule: PermissionRule, changes: readonly ChangedCall[]): string | null {
  const own = changes.filter(({ from, tool }) => from === 'rule' && tool === rule.tool);
  const [first] = own;
  if (first === undefined || first.after === rule.effect || first.by === null) return null;
  if (own.some(({ after, before }) => after !== before)) return null;
  return `${rule.text} would change nothing: the stricter ${first.by} already decides ${JSON.stringify(first.subject)}`;
}

/** Exactly one call, not one of many that the rule is about. */
const isExact = ({ pattern }: PermissionRule) => pattern !== null && !/[*?]|^domain:/.test(pattern);
const GUARD = /^(?:builtin|protected|secret)\//;
/** Reasons that lie outside of the call: another time, or elsewhere, the rule may count. */
const PASSING = /^(?:environment|on-ask|ask|budget|agent|git|place|policy)\//;

/** An allow rule that does not allow what it is about: no rule outweighs what speaks against it, or the rule names it in vain. */
function unheard(rule: PermissionRule, changes: readonly ChangedCall[], layer: EditedLayer): string | null {
  const own = rule.effect === 'allow' ? changes.filter(({ sampleOf }) => sampleOf === rule) : [];
  const [first] = own;
  const isIdle = own.every(({ before, after }) => before === after && after !== 'allow');
  if (first === undefined || first.reason === null || !isIdle) return null;
  const { code, message } = first.reason;
  const why = `${rule.text} would change nothing: `;
  if (own.every(({ reason }) => GUARD.test(reason?.code ?? ''))) return `${why}${message}; ${wayAround(code)}`;
  // What a wildcard stands for is only tried with made-up words.
  return !isExact(rule) || layer === 'user' || PASSING.test(code) ? null : `${why}${message}`;
}

function wayAround(code: string): string {
  if (code.startsWith('builtin/')) return 'that is a built-in denial, which no rule overrides';
  if (!/^(?:protected|secret)\/path$/.test(code)) return 'no rule overrides that';
  return 'only protected.except of your own policy (~/.config/policy/policy.yaml) lets agents reach such a file: list its path there';
}
