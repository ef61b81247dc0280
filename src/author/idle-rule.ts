/** New rules that would have no effect: the calls that they match are decided as before. */
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import type { EditedLayer } from './rule-edit-target.js';
import type { ChangedCall } from './rule-preview.js';

/** Returns why a new rule would change nothing, with the obstacle; null if it changes something, or may elsewhere or at another time. */
export function whyIdle(rule: PermissionRule, changes: readonly ChangedCall[], layer: EditedLayer): string | null {
  return outranked(rule, changes) ?? unheard(rule, changes, layer);
}

/** Returns a reason if a stricter rule of any layer covers the calls of the rule. */
function outranked(rule: PermissionRule, changes: readonly ChangedCall[]): string | null {
  const own = changes.filter(({ from, tool }) => from === 'rule' && tool === rule.tool);
  const [first] = own;
  if (first === undefined || first.after === rule.effect || first.by === null) return null;
  if (own.some(({ after, before }) => after !== before)) return null;
  return `${rule.text} would change nothing: the stricter ${first.by} already decides ${JSON.stringify(first.subject)}`;
}

/** Whether a rule matches exactly one call. */
const isExact = ({ pattern }: PermissionRule) => pattern !== null && !/[*?]|^domain:/.test(pattern);
const GUARD = /^(?:builtin|protected|secret)\//;
/** Reasons outside of the call: elsewhere or at another time, the rule may have an effect. */
const PASSING = /^(?:environment|on-ask|ask|budget|agent|git|place|policy)\//;

/**
 * Returns a reason for an allow rule that does not allow its calls: because no rule overrides the objection, or because the rule
 * cannot match.
 */
function unheard(rule: PermissionRule, changes: readonly ChangedCall[], layer: EditedLayer): string | null {
  const own = rule.effect === 'allow' ? changes.filter(({ sampleOf }) => sampleOf === rule) : [];
  const [first] = own;
  const isIdle = own.every(({ before, after }) => before === after && after !== 'allow');
  if (first === undefined || first.reason === null || !isIdle) return null;
  const { code, message } = first.reason;
  const why = `${rule.text} would change nothing: `;
  if (own.every(({ reason }) => GUARD.test(reason?.code ?? ''))) return `${why}${message}; ${wayAround(code)}`;
  // A wildcard is only tried with made-up words.
  return !isExact(rule) || layer === 'user' || PASSING.test(code) ? null : `${why}${message}`;
}

function wayAround(code: string): string {
  if (code.startsWith('builtin/')) return 'that is a built-in denial, which no rule overrides';
  if (!/^(?:protected|secret)\/path$/.test(code)) return 'no rule overrides that';
  return 'only protected.except of your own policy (~/.config/policy/policy.yaml) lets agents reach such a file: list its path there';
}
