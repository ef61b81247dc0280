/**
 * Tools of this program's own server (`codex_read_file`): each does exactly what a runner's tool does (Read). Whatever asks about or denies
 * either of them holds; what allows the runner's tool is enough where nothing is said about the server's.
 */
import type { Decision, Reason } from '../decide/ruling/decision.js';
import { stricter } from '../rule/pattern/permission-rule.js';

/** Tools that show nothing of a file that the policy would not let them read: what lies below their folder is judged file by file. */
const BY_FILE: ReadonlySet<string> = new Set(['codex_grep', 'codex_codebase_search']);
const BELOW: ReadonlySet<string> = new Set(['rule/uncertain', 'secret/tree', 'policy/unread']);

/** Returns which of several calls that do the same as another one decides about it; null: it decides itself. */
export function decisive<Judged extends { readonly decision: Decision }>(own: Decision, alike: readonly Judged[]): Judged | null {
  const other = alike.find(({ decision }) => decision.decision === 'allow') ?? alike[0];
  if (other === undefined) return null;
  const { decision } = other;
  const isByFile = BY_FILE.has(own.call.canonical) && isAbout(own, ({ code }) => saysNothing(code) || BELOW.has(code));
  if (isUnsaid(own) || isByFile) return other;
  return !isUnsaid(decision) && stricter(own.decision, decision.decision) !== own.decision ? other : null;
}

/** Returns the decision about a call where another one decides: with the call's own name, agent and budget. */
export function asAlike(own: Decision, other: Decision | undefined): Decision {
  if (other === undefined) return own;
  const policy = other.stages.filter(({ stage }) => stage === 'policy');
  const stages = own.stages.flatMap((one) => (one.stage === 'policy' ? policy : [one]));
  return { ...other, stages, call: own.call };
}

/** True if nothing but a default, a tier or a preset that does not know the tool stands against a call. */
export function isUnsaid(decision: Decision): boolean {
  // A default that denies must not hide a rule that asks.
  return decision.matched.every(({ effect }) => effect === 'allow') && isAbout(decision, ({ code }) => saysNothing(code));
}

function isAbout({ decision, stage, reasons }: Decision, holds: (reason: Reason) => boolean): boolean {
  return decision !== 'allow' && stage === 'policy' && reasons.every(holds);
}

function saysNothing(code: string): boolean {
  return /^(?:default|tier|preset)\//.test(code) && code !== 'tier/no-review';
}
